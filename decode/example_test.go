package decode_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"kraftctl/decode"
	"kraftctl/decode/corrupt"
	"kraftctl/decode/metadata"
)

// Read a metadata snapshot and print the topics in it.
func Example() {
	file, err := os.Open("../testdata/fixtures/meta-4.0.0/c1/__cluster_metadata-0/00000000000000000079-0000000001.checkpoint")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer file.Close()
	decoder := decode.NewMetadataDecoder()
	r := decode.NewReader(file, file.Name())
	for {
		batch, err := r.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			fmt.Println(err)
			return
		}
		if batch.IsControl() {
			continue
		}
		for record, err := range r.Records() {
			if err != nil {
				fmt.Println(err)
				return
			}
			frame, err := decoder.Decode(record.Value)
			if err != nil {
				fmt.Println(err)
				continue
			}
			if topic, ok := frame.Message.(*metadata.TopicRecord); ok {
				fmt.Println(topic.Name, topic.TopicID)
			}
		}
	}
	// Output:
	// q-foo _D5nnAc6RJ6mlsRi1SltKQ
	// q-baz.qux cXkhiHhHTLOSB4nWSsPHrw
	// q-up-foo xemu6ieKQj69oli-jBO8qw
	// q-up-baz.qux VveDE9v0TCG3dHP5w8bcxA
	// q-up-bar JjLINqoyQv-VaHcxLnz0Jg
}

// Write a batch with one metadata record, and read it again.
func ExampleAppendBatch() {
	value, err := decode.AppendFrame(nil, metadata.KeyFeatureLevelRecord, 0,
		&metadata.FeatureLevelRecord{Name: "metadata.version", FeatureLevel: 33})
	if err != nil {
		fmt.Println(err)
		return
	}
	batch := decode.NewBatch(7, 3, 1700000000000)
	raw, err := decode.AppendBatch(nil, &batch, []decode.Record{{Offset: 7, Timestamp: 1700000000000, Value: value}})
	if err != nil {
		fmt.Println(err)
		return
	}
	read, err := decode.NewReader(bytes.NewReader(raw), "example").Next()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(read.BaseOffset, read.LeaderEpoch, read.Count, read.Size, read.Valid())
	// Output: 7 3 1 91 true
}

// Damage says where it is and what was expected there.
func ExampleReader_Next_damage() {
	raw := make([]byte, 100) // a length of 0 cannot be
	_, err := decode.NewReader(bytes.NewReader(raw), "00000000000000000000.log").Next()
	var damage *corrupt.Error
	if errors.As(err, &damage) {
		fmt.Println(damage)
	}
	// Output: 00000000000000000000.log: at byte 0: batch length: expected at least 14, found 0: record size below the minimum
}

// Find the next good batch behind damage.
func ExampleFindBatch() {
	batch := decode.NewBatch(0, 1, 1700000000000)
	good, err := decode.AppendBatch(nil, &batch, []decode.Record{{Value: []byte("v")}})
	if err != nil {
		fmt.Println(err)
		return
	}
	damaged := append([]byte("thirteen bytes of garbage"), good...)
	pos, ok, err := decode.FindBatch(context.Background(), bytes.NewReader(damaged), 0, int64(len(damaged)))
	fmt.Println(pos, ok, err)
	// Output: 25 true <nil>
}
