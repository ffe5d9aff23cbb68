package metadata

import (
	"bytes"
	"encoding/hex"
	"testing"

	"kraftctl/decode/kbin"
)

// Whole record values, frame included, as Kafka 4.4.0's serializer wrote them,
// and their JSON. T is topic 3ZyWV8mQTn6mnkXAA6xLXA.
var golden = []struct{ name, value, json string }{
	{"FeatureLevel v0 group.version=1",
		`010c000e67726f75702e76657273696f6e000100`,
		`{"name":"group.version","featureLevel":1}`},
	{"RegisterBroker v4 id 2, epoch 17, PLAINTEXT://localhost:9092 + EXT h:40000 SASL_SSL, features metadata.version 7-30, group.version 1-1, rack r1, unfenced, LogDirs [T], cordoned null",
		`0100040000000200000000000000000000000000000002000000000000000011030a504c41494e544558540a6c6f63616c686f737423840000000445585402689c4000030003116d657461646174612e76657273696f6e0007001e000e67726f75702e76657273696f6e0001000100037231000001001102dd9c9657c9904e7ea69e45c003ac4b5c`,
		`{"brokerId":2,"isMigratingZkBroker":false,"incarnationId":"AAAAAAAAAAAAAAAAAAACAA","brokerEpoch":17,"endPoints":[{"name":"PLAINTEXT","host":"localhost","port":9092,"securityProtocol":0},{"name":"EXT","host":"h","port":40000,"securityProtocol":3}],"features":[{"name":"metadata.version","minSupportedVersion":7,"maxSupportedVersion":30},{"name":"group.version","minSupportedVersion":1,"maxSupportedVersion":1}],"rack":"r1","fenced":false,"inControlledShutdown":false,"logDirs":["3ZyWV8mQTn6mnkXAA6xLXA"]}`},
	{"RegisterBroker v3 id 10, epoch 18, no endpoints/features/rack, fenced",
		`0100030000000a00000000000000000000000000000002000000000000000012010100010000`,
		`{"brokerId":10,"isMigratingZkBroker":false,"incarnationId":"AAAAAAAAAAAAAAAAAAACAA","brokerEpoch":18,"endPoints":[],"features":[],"rack":null,"fenced":true,"inControlledShutdown":false}`},
	{"RegisterController v0 id 1, CONTROLLER localhost:9093",
		`011b00000000010000000000000000000000000000020000020b434f4e54524f4c4c45520a6c6f63616c686f737423850000000100`,
		`{"controllerId":1,"incarnationId":"AAAAAAAAAAAAAAAAAAACAA","zkMigrationReady":false,"endPoints":[{"name":"CONTROLLER","host":"localhost","port":9093,"securityProtocol":0}],"features":[]}`},
	{"Topic v0 foo T",
		`01020004666f6fdd9c9657c9904e7ea69e45c003ac4b5c00`,
		`{"name":"foo","topicId":"3ZyWV8mQTn6mnkXAA6xLXA"}`},
	{"Partition v2 p0 replicas 2,10 isr 2 leader 2 le 3 pe 4 dirs [T, UNASSIGNED] elr [10]",
		`01030200000000dd9c9657c9904e7ea69e45c003ac4b5c03000000020000000a0200000002010100000002000000030000000403dd9c9657c9904e7ea69e45c003ac4b5c00000000000000000000000000000001010105020000000a`,
		`{"partitionId":0,"topicId":"3ZyWV8mQTn6mnkXAA6xLXA","replicas":[2,10],"isr":[2],"removingReplicas":[],"addingReplicas":[],"leader":2,"leaderEpoch":3,"partitionEpoch":4,"directories":["3ZyWV8mQTn6mnkXAA6xLXA","AAAAAAAAAAAAAAAAAAAAAQ"],"eligibleLeaderReplicas":[10]}`},
	{"Partition v0 p11 replicas 2 isr 2 leader 2 le 0 pe 0",
		`0103000000000bdd9c9657c9904e7ea69e45c003ac4b5c02000000020200000002010100000002000000000000000000`,
		`{"partitionId":11,"topicId":"3ZyWV8mQTn6mnkXAA6xLXA","replicas":[2],"isr":[2],"removingReplicas":[],"addingReplicas":[],"leader":2,"leaderEpoch":0,"partitionEpoch":0}`},
	{"Partition v0 p2, leader -1, RECOVERING",
		`01030000000002dd9c9657c9904e7ea69e45c003ac4b5c020000000202000000020101ffffffff000000000000000001000101`,
		`{"partitionId":2,"topicId":"3ZyWV8mQTn6mnkXAA6xLXA","replicas":[2],"isr":[2],"removingReplicas":[],"addingReplicas":[],"leader":-1,"leaderRecoveryState":1,"leaderEpoch":0,"partitionEpoch":0}`},
	{"PartitionChange v2 p0 isr [2] leader 2 dirs [T] elr [10] lastKnown []",
		`01050200000000dd9c9657c9904e7ea69e45c003ac4b5c05000502000000020104000000020605020000000a070101081102dd9c9657c9904e7ea69e45c003ac4b5c`,
		`{"partitionId":0,"topicId":"3ZyWV8mQTn6mnkXAA6xLXA","isr":[2],"leader":2,"directories":["3ZyWV8mQTn6mnkXAA6xLXA"],"eligibleLeaderReplicas":[10],"lastKnownElr":[]}`},
	{"Config v0 TOPIC foo cleanup.policy=compact",
		`0104000204666f6f0f636c65616e75702e706f6c69637908636f6d7061637400`,
		`{"resourceType":2,"resourceName":"foo","name":"cleanup.policy","value":"compact"}`},
	{"Config v0 BROKER \"\" log.retention.ms=1000",
		`0104000401116c6f672e726574656e74696f6e2e6d73053130303000`,
		`{"resourceType":4,"resourceName":"","name":"log.retention.ms","value":"1000"}`},
	{"ClientQuota v0 user u request_percentage 12.5",
		`010e0002057573657202750013726571756573745f70657263656e7461676540290000000000000000`,
		`{"entity":[{"entityType":"user","entityName":"u"}],"key":"request_percentage","value":12.5,"remove":false}`},
	{"ProducerIds v0 broker 2 epoch 17 next 5000",
		`010f00000000020000000000000011000000000000138800`,
		`{"brokerId":2,"brokerEpoch":17,"nextProducerId":5000}`},
	{"ACL v0 id ..0100, TOPIC foo LITERAL User:alice * READ ALLOW",
		`011200000000000000000000000000000001000204666f6f030b557365723a616c696365022a030300`,
		`{"id":"AAAAAAAAAAAAAAAAAAABAA","resourceType":2,"resourceName":"foo","patternType":3,"principal":"User:alice","host":"*","operation":3,"permissionType":3}`},
	{"SCRAM v0 alice mech 1 salt 0102ff stored 04 server 05 iter 4096",
		`010b0006616c69636501040102ff020402050000100000`,
		`{"name":"alice","mechanism":1,"salt":"AQL/","storedKey":"BA==","serverKey":"BQ==","iterations":4096}`},
	{"DelegationToken v0 alice/bob/[c,d] 1,2,3 tok1",
		`010a000b557365723a616c69636509557365723a626f620307557365723a6307557365723a6400000000000000010000000000000002000000000000000305746f6b3100`,
		`{"owner":"User:alice","requester":"User:bob","renewers":["User:c","User:d"],"issueTimestamp":1,"maxTimestamp":2,"expirationTimestamp":3,"tokenId":"tok1"}`},
	{"BrokerRegistrationChange v0 id 2 epoch 17 unfence",
		`011100000000020000000000000011010001ff`,
		`{"brokerId":2,"brokerEpoch":17,"fenced":-1}`},
	{"BrokerRegistrationChange v1 InControlledShutdown=1",
		`01110100000002000000000000001101010101`,
		`{"brokerId":2,"brokerEpoch":17,"inControlledShutdown":1}`},
	{"BrokerRegistrationChange v3 CordonedLogDirs=[]",
		`01110300000002000000000000001101030101`,
		`{"brokerId":2,"brokerEpoch":17,"cordonedLogDirs":[]}`},
	{"NoOp",
		`01140000`,
		`{}`},
	{"EndTransaction",
		`01180000`,
		`{}`},
	{"AbortTransaction(null)",
		`01190000`,
		`{}`},
	{"BeginTransaction \"Bootstrap records\"",
		`01170001001212426f6f747374726170207265636f726473`,
		`{"name":"Bootstrap records"}`},
	{"RemoveTopic T",
		`010900dd9c9657c9904e7ea69e45c003ac4b5c00`,
		`{"topicId":"3ZyWV8mQTn6mnkXAA6xLXA"}`},
	{"ClearElr all",
		`011c000100`,
		`{"topicName":""}`},
	{"UnregisterController 3",
		`011d000000000300`,
		`{"controllerId":3}`},
}

func TestGolden(t *testing.T) {
	for _, g := range golden {
		t.Run(g.name, func(t *testing.T) {
			value, err := hex.DecodeString(g.value)
			if err != nil {
				t.Fatal(err)
			}
			r := kbin.Reader{Src: value}
			frame, apiKey, version := r.Uvarint(), int16(r.Uvarint()), int16(r.Uvarint())
			body := value[r.Pos:]
			m := New(apiKey)
			if frame != 1 || m == nil {
				t.Fatalf("frame %d, api key %d", frame, apiKey)
			}
			if err := m.Read(&r, version); err != nil || r.Remaining() != 0 {
				t.Fatalf("read: %v, %d bytes left", err, r.Remaining())
			}
			if got := m.AppendJSON(nil, version); string(got) != g.json {
				t.Errorf("JSON\n%s\nwant\n%s", got, g.json)
			}
			if got, err := m.Append(nil, version); err != nil || !bytes.Equal(got, body) {
				t.Errorf("encoded %x, %v\nwant %x", got, err, body)
			}
		})
	}
}
