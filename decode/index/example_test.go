package index_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"kraftctl/decode/index"
	"kraftctl/decode/kbin"
)

func ExampleOffsetIndex() {
	f, err := os.Open("testdata/4.4.0/u-txn-0/00000000000000000007.index")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		fmt.Println(err)
		return
	}
	x, err := index.OpenOffsetIndex(f, info.Size(), 7, f.Name())
	if err != nil {
		fmt.Println(err)
		return
	}
	e, err := x.Lookup(35)
	fmt.Println(x.Used(), "entries; to find 35, read from byte", e.Position, err)
	// Output: 4 entries; to find 35, read from byte 1160 <nil>
}

func ExampleTimeReader() {
	var file []byte
	for i := range int64(3) {
		file, _ = index.AppendTimeEntry(file, 100, index.TimeEntry{Timestamp: 1700000000000 + i, Offset: 100 + 10*i})
	}
	r := index.NewTimeReader(bytes.NewReader(file[:30]), 100, "00000000000000000100.timeindex")
	for {
		e, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			fmt.Println(err)
			break
		}
		fmt.Println(e.Timestamp, e.Offset)
	}
	// Output:
	// 1700000000000 100
	// 1700000000001 110
	// 00000000000000000100.timeindex: at byte 24: last entry: expected 12 bytes, found 6: partial entry at the end of the file
}

func ExampleAppendAbortedTxn() {
	fmt.Printf("%x\n", index.AppendAbortedTxn(nil, index.AbortedTxn{ProducerID: 10, FirstOffset: 3, LastOffset: 5, LastStableOffset: 6}))
	// Output: 0000000000000000000a000000000000000300000000000000050000000000000006
}

func ExampleAppendProducerSnapshot() {
	fmt.Printf("%x\n", index.AppendProducerSnapshot(nil, nil))
	fmt.Printf("%x\n", index.AppendProducerSnapshot(nil, []index.ProducerState{{
		ProducerID: 1000, Epoch: 4, LastSequence: -1, LastOffset: -1,
		Timestamp: 1700000000000, CoordinatorEpoch: -1, CurrentTxnFirstOffset: -1,
	}}))
	// Output:
	// 000148674bc700000000
	// 00010e160eee0000000100000000000003e80004ffffffffffffffffffffffff000000000000018bcfe56800ffffffffffffffffffffffff
}

func ExampleParseEpochCheckpoint() {
	list, err := index.ParseEpochCheckpoint([]byte("0\n2\n1 0\n2 126\n"), "leader-epoch-checkpoint")
	fmt.Println(list, err)
	_, err = index.ParseEpochCheckpoint([]byte("0\n3\n1 0\n2 126\n"), "leader-epoch-checkpoint")
	fmt.Println(err)
	// Output:
	// [{1 0} {2 126}] <nil>
	// leader-epoch-checkpoint: at byte 2: number of entries: expected 3, found 2: wrong number of entries
}

func ExampleParseOffsetCheckpoint() {
	list, err := index.ParseOffsetCheckpoint([]byte("0\n1\nu-delrec 0 10\n"), "log-start-offset-checkpoint")
	fmt.Println(list, err)
	// Output: [{u-delrec 0 10}] <nil>
}

func ExamplePartitionMetadata() {
	fmt.Printf("%s\n", index.AppendPartitionMetadata(nil, index.PartitionMetadata{TopicID: kbin.OneUUID}))
	// Output:
	// version: 0
	// topic_id: AAAAAAAAAAAAAAAAAAAAAQ
}

func ExampleCleanShutdown() {
	c, err := index.ParseCleanShutdown([]byte(`{"version":0,"brokerEpoch":17}`), ".kafka_cleanshutdown")
	fmt.Println(c.BrokerEpoch, err)
	// Output: 17 <nil>
}

func ExampleAppendMetaProperties() {
	m, err := index.ParseMetaProperties([]byte("version=1\nnode.id=1\ncluster.id=5rZSHTKpSimOh2vG4q_E6Q\n"), "meta.properties")
	if err != nil {
		fmt.Println(err)
		return
	}
	date := time.Date(2026, 11, 29, 12, 53, 42, 0, time.UTC)
	fmt.Printf("%s", index.AppendMetaProperties(nil, &m, index.MetaLayout{Date: date}))
	// Output:
	// #
	// #Sun Nov 29 12:53:42 UTC 2026
	// node.id=1
	// version=1
	// cluster.id=5rZSHTKpSimOh2vG4q_E6Q
}

func ExampleParseFileName() {
	for _, name := range []string{"00000000000000000042.timeindex.deleted", "00000000000000000005-0000000003.checkpoint", "notes.txt"} {
		n, err := index.ParseFileName(name)
		fmt.Println(n.Kind, n.Offset, n.Epoch, n.State == index.StateDeleted, err)
	}
	// Output:
	// time index 42 0 true <nil>
	// snapshot 5 3 false <nil>
	// unknown 0 0 false <nil>
}

func ExampleParseDirName() {
	d, err := index.ParseDirName("orders-3.1f3b5a6c7d8e9f0a1b2c3d4e5f6a7b8c-delete")
	fmt.Println(d.Topic, d.Partition, d.State == index.DirDelete, err)
	// Output: orders 3 true <nil>
}
