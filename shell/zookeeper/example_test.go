package zookeeper_test

import (
	"fmt"
	"os"

	"kraftctl/decode/kbin"
	"kraftctl/decode/metadata"
	"kraftctl/internal/image"
	"kraftctl/shell/zookeeper"
)

// A topic of two partitions, as zkCli would show it.
func Example() {
	d := image.NewDelta(image.Empty())
	topic := kbin.UUID{15: 1}
	for _, r := range []kbin.Message{
		&metadata.TopicRecord{Name: "orders", TopicID: topic},
		&metadata.PartitionRecord{TopicID: topic, PartitionID: 0, Replicas: []int32{1, 2}, ISR: []int32{1}, Leader: 1},
		&metadata.PartitionRecord{TopicID: topic, PartitionID: 1, Replicas: []int32{2, 1}, ISR: []int32{2, 1}, Leader: 2},
	} {
		if err := d.Replay(r); err != nil {
			fmt.Println(err)
		}
	}
	tree := zookeeper.New(zookeeper.Source{Image: d.Image(image.Provenance{Offset: 2, Epoch: 7})})
	zk := &zookeeper.ZkCli{Znodes: tree}
	zk.Ls(os.Stdout, "/brokers", false, false)
	zk.Get(os.Stdout, "/brokers/topics/orders/partitions/0/state", false)
	zk.Ls(os.Stdout, "/brokers/topics", false, true)
	fmt.Println(zk.Get(os.Stdout, "/brokers/topics/payments", false))
	// Output:
	// [ids, seqid, topics]
	// {"controller_epoch":7,"leader":1,"version":1,"leader_epoch":0,"isr":[1]}
	// /brokers/topics
	// /brokers/topics/orders
	// /brokers/topics/orders/partitions
	// /brokers/topics/orders/partitions/0
	// /brokers/topics/orders/partitions/1
	// /brokers/topics/orders/partitions/0/state
	// /brokers/topics/orders/partitions/1/state
	// Node does not exist: /brokers/topics/payments
}
