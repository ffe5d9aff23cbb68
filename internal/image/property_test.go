package image_test

import (
	"errors"
	"testing"

	"pgregory.net/rapid"

	"kraftctl/decode"
	"kraftctl/decode/kbin"
	"kraftctl/decode/metadata"
	"kraftctl/internal/feature"
	"kraftctl/internal/image"
)

// anyRecord draws a record about a few brokers, topics and users, so that records
// meet. Many do not fit what is there, which is part of it.
func anyRecord(t *rapid.T) kbin.Message {
	number := func(high int) int { return rapid.IntRange(0, high).Draw(t, "n") }
	ids := func() []int32 {
		return rapid.SliceOfN(rapid.Int32Range(0, 4), 0, 3).Draw(t, "ids")
	}
	nullable := func() []int32 {
		if rapid.Bool().Draw(t, "null") {
			return nil
		}
		return append([]int32{}, ids()...)
	}
	dirs := func(n int) []kbin.UUID {
		if rapid.Bool().Draw(t, "migrating") {
			return make([]kbin.UUID, n)
		}
		out := make([]kbin.UUID, n)
		for i := range out {
			out[i] = id(1000 + number(3))
		}
		return out
	}
	topic := id(number(3))
	name := string(rune('a' + number(3)))
	text := func() *string { return rapid.Ptr(rapid.SampledFrom([]string{"", "x", "ü"}), true).Draw(t, "text") }
	switch rapid.IntRange(0, 27).Draw(t, "kind") {
	case 0, 1, 2:
		return &metadata.TopicRecord{Name: name, TopicID: topic}
	case 3, 4, 5, 6:
		m := metadata.NewPartitionRecord()
		m.TopicID, m.PartitionID = topic, int32(number(3))
		m.Replicas, m.ISR, m.RemovingReplicas, m.AddingReplicas = ids(), ids(), ids(), ids()
		m.Leader, m.LeaderEpoch, m.PartitionEpoch = int32(number(3))-1, int32(number(9)), int32(number(9))
		m.LeaderRecoveryState = int8(number(1))
		m.Directories = dirs(len(m.Replicas))
		m.EligibleLeaderReplicas, m.LastKnownELR = nullable(), nullable()
		return m
	case 7, 8, 9, 10:
		m := metadata.NewPartitionChangeRecord()
		m.TopicID, m.PartitionID = topic, int32(number(3))
		m.ISR, m.Replicas, m.RemovingReplicas, m.AddingReplicas = nullable(), nullable(), nullable(), nullable()
		m.EligibleLeaderReplicas, m.LastKnownELR = nullable(), nullable()
		m.Leader = int32(number(4)) - 2
		m.LeaderRecoveryState = int8(number(2)) - 1
		if rapid.Bool().Draw(t, "directories") {
			m.Directories = dirs(number(3))
		}
		return m
	case 11:
		return &metadata.RemoveTopicRecord{TopicID: topic}
	case 12:
		return &metadata.ClearElrRecord{TopicName: *rapid.Ptr(rapid.SampledFrom([]string{"", name}), false).Draw(t, "topic")}
	case 13, 14:
		return &metadata.ConfigRecord{ResourceType: int8(2 * (1 + number(1))), ResourceName: name, Name: string(rune('k' + number(2))), Value: text()}
	case 15:
		return &metadata.ClientQuotaRecord{Entity: []metadata.EntityData{{EntityType: "user", EntityName: text()}}, Key: name,
			Value: rapid.Float64().Draw(t, "limit"), Remove: rapid.Bool().Draw(t, "remove")}
	case 16, 17:
		b := &metadata.RegisterBrokerRecord{BrokerID: int32(number(3)), BrokerEpoch: int64(number(3)), IncarnationID: id(number(3)),
			Rack: text(), Fenced: rapid.Bool().Draw(t, "fenced"), InControlledShutdown: rapid.Bool().Draw(t, "down"), LogDirs: dirs(number(2))}
		if rapid.Bool().Draw(t, "cordoned") {
			b.CordonedLogDirs = append([]kbin.UUID{}, dirs(number(2))...)
		}
		for range number(2) {
			b.EndPoints = append(b.EndPoints, metadata.BrokerEndpoint{Name: string(rune('A' + number(2))), Host: "h", Port: uint16(number(9))})
		}
		for range number(2) {
			b.Features = append(b.Features, metadata.BrokerFeature{Name: string(rune('f' + number(2))), MaxSupportedVersion: int16(number(3))})
		}
		return b
	case 18:
		return &metadata.UnregisterBrokerRecord{BrokerID: int32(number(3))}
	case 19:
		m := metadata.NewBrokerRegistrationChangeRecord()
		m.BrokerID, m.BrokerEpoch, m.Fenced, m.InControlledShutdown = int32(number(3)), int64(number(3)), int8(number(2)-1), int8(number(1))
		m.LogDirs = dirs(number(2))
		return m
	case 20:
		return &metadata.RegisterControllerRecord{ControllerID: int32(number(3)), IncarnationID: id(number(3)),
			EndPoints: []metadata.ControllerEndpoint{{Name: "C", Host: name, Port: 1, SecurityProtocol: int16(number(4))}}}
	case 21:
		return &metadata.UnregisterControllerRecord{ControllerID: int32(number(3))}
	case 22:
		return &metadata.FeatureLevelRecord{Name: rapid.SampledFrom([]string{feature.ELRName, feature.GroupName, feature.MetadataName, feature.KRaftName}).Draw(t, "feature"), FeatureLevel: int16(number(1)) * 33}
	case 23:
		return &metadata.ProducerIdsRecord{BrokerID: int32(number(3)), NextProducerID: int64(number(3)) - 1}
	case 24:
		if rapid.Bool().Draw(t, "remove") {
			return &metadata.RemoveAccessControlEntryRecord{ID: id(number(3))}
		}
		return &metadata.AccessControlEntryRecord{ID: id(number(3)), ResourceType: 2, ResourceName: name, PatternType: 3, Principal: "User:" + name, Host: "*", Operation: int8(number(15)), PermissionType: 3}
	case 25:
		if rapid.Bool().Draw(t, "remove") {
			return &metadata.RemoveUserScramCredentialRecord{Name: name, Mechanism: int8(1 + number(1))}
		}
		return &metadata.UserScramCredentialRecord{Name: name, Mechanism: int8(1 + number(1)), Salt: []byte(name), Iterations: int32(number(3))}
	case 26:
		if rapid.Bool().Draw(t, "remove") {
			return &metadata.RemoveDelegationTokenRecord{TokenID: name}
		}
		return &metadata.DelegationTokenRecord{TokenID: name, Owner: "User:" + name, Renewers: []string{name}, MaxTimestamp: int64(number(3))}
	}
	return &metadata.NoOpRecord{}
}

// TestReplayInAnyPieces replays records in one delta and in many with all images
// kept, and leads from any of the images to any other.
func TestReplayInAnyPieces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		version := &metadata.FeatureLevelRecord{Name: feature.MetadataName, FeatureLevel: int16(feature.LatestProduction)}
		one, many := image.NewDelta(image.Empty()), image.NewDelta(image.Empty())
		_, _ = one.Replay(version), many.Replay(version)
		images := []*image.Image{many.Image(image.Provenance{})}
		hashes := []image.Hash{images[0].Hash()}
		frames := newFrames()
		for range rapid.IntRange(0, 120).Draw(t, "records") {
			m := anyRecord(t)
			if f, ok := m.(*metadata.FeatureLevelRecord); ok && f.Name == feature.MetadataName {
				continue
			}
			key := m.(interface{ APIKey() int16 }).APIKey()
			_, highest := m.Versions()
			m = frames.pass(t, key, highest, m)
			before := one.Image(image.Provenance{}).Hash()
			err1, err2 := one.Replay(m), many.Replay(m)
			if (err1 == nil) != (err2 == nil) {
				t.Fatalf("%v, %v", err1, err2)
			}
			if err1 != nil {
				if one.Image(image.Provenance{}).Hash() != before {
					t.Fatalf("a record that was refused has changed something: %v", err1)
				}
				if _, ok := errors.AsType[*image.ReplayError](err1); !ok {
					t.Fatalf("%T", err1)
				}
			}
			if rapid.IntRange(0, 9).Draw(t, "publish") == 0 {
				images = append(images, many.Image(image.Provenance{Offset: int64(len(images))}))
				hashes = append(hashes, images[len(images)-1].Hash())
			}
		}
		last := many.Image(image.Provenance{})
		if one.Image(image.Provenance{}).Hash() != last.Hash() {
			t.Fatalf("one delta and many lead to different images")
		}
		images, hashes = append(images, last), append(hashes, last.Hash())
		checkCounts(t, last)
		a := images[rapid.IntRange(0, len(images)-1).Draw(t, "from")]
		b := images[rapid.IntRange(0, len(images)-1).Draw(t, "to")]
		checkBetween(t, a, b)
		checkRecords(t, b)
		for i, img := range images {
			if img.Hash() != hashes[i] {
				t.Fatalf("image %d has changed", i)
			}
		}
	})
}

// checkCounts compares counters and indexes with what they count.
func checkCounts(t *rapid.T, img *image.Image) {
	n := 0
	for id, topic := range img.Topics().All() {
		n += topic.Len()
		if got, ok := img.Topic(topic.Name()); !ok || got != topic || topic.ID() != id {
			t.Fatalf("topic %s is not found by its name", topic.Name())
		}
	}
	if n != img.PartitionCount() || img.Topics().Len() != img.TopicIDs().Len() {
		t.Fatalf("%d partitions counted, %d there; %d topics, %d names", img.PartitionCount(), n, img.Topics().Len(), img.TopicIDs().Len())
	}
}

// checkRecords writes an image as records and replays those.
func checkRecords(t *rapid.T, img *image.Image) {
	d := image.NewDelta(image.Empty())
	frames := newFrames()
	err := img.Records(feature.LatestProduction, func(apiKey, version int16, m kbin.Message) error {
		return d.Replay(frames.pass(t, apiKey, version, m))
	})
	if lost, ok := errors.AsType[*image.LossError](err); ok && len(lost.Lost) == 1 && lost.Lost[0].Needs == 0 {
		return // eligible leader replicas without the feature
	}
	if err != nil {
		t.Fatal(err)
	}
	if got := d.Image(image.Provenance{}); got.Hash() != img.Hash() {
		t.Fatalf("written and read again it differs: %v", differences(img, got))
	}
}

// TestTransactions compares a loader with deltas: what is in a transaction counts
// at its end, or never (1.3).
func TestTransactions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := image.NewLoader(image.Empty())
		committed, open := image.NewDelta(image.Empty()), (*image.Delta)(nil)
		at := image.Provenance{Offset: -1}
		for range rapid.IntRange(0, 60).Draw(t, "records") {
			at.Offset++
			switch rapid.IntRange(0, 9).Draw(t, "what") {
			case 0:
				if err := l.Record(&metadata.BeginTransactionRecord{}, at); (err == nil) != (open == nil) {
					t.Fatalf("begin: %v", err)
				}
				if open == nil {
					open = image.NewDelta(committed.Image(image.Provenance{}))
				}
			case 1:
				if err := l.Record(&metadata.EndTransactionRecord{}, at); (err == nil) != (open != nil) {
					t.Fatalf("end: %v", err)
				}
				if open != nil {
					committed, open = open, nil
				}
			case 2:
				if err := l.Record(&metadata.AbortTransactionRecord{}, at); (err == nil) != (open != nil) {
					t.Fatalf("abort: %v", err)
				}
				open = nil
			default:
				m := anyRecord(t)
				to := committed
				if open != nil {
					to = open
				}
				if err1, err2 := l.Record(m, at), to.Replay(m); (err1 == nil) != (err2 == nil) {
					t.Fatalf("%v, %v", err1, err2)
				}
			}
			if l.Open() != (open != nil) {
				t.Fatalf("open: %v", l.Open())
			}
			if got, want := l.Image().Hash(), committed.Image(image.Provenance{}).Hash(); got != want {
				t.Fatalf("offset %d: another image", at.Offset)
			}
			if p := l.Image().Provenance(); open == nil && p.Offset > at.Offset {
				t.Fatalf("offset %d, not %d", p.Offset, at.Offset)
			}
		}
	})
}

// FuzzReplay replays any bytes as records on a sound image: it never panics, and
// counts and hash stay true.
func FuzzReplay(f *testing.F) {
	var all []byte
	for _, m := range fullRecords(feature.LatestProduction) {
		_, highest := m.Versions()
		frame, err := decode.AppendFrame(nil, m.(interface{ APIKey() int16 }).APIKey(), highest, m)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(append([]byte{byte(len(frame))}, frame...))
		all = append(append(all, byte(len(frame))), frame...)
	}
	f.Add(all)
	change, _ := decode.AppendFrame(nil, metadata.KeyPartitionChangeRecord, 2, partitionChange(id(1), 0))
	f.Add(append(append(all, byte(len(change))), change...))
	f.Fuzz(func(t *testing.T, data []byte) {
		l := image.NewLoader(full(t, feature.LatestProduction))
		decoder := decode.NewMetadataDecoder()
		for at := int64(0); len(data) > 0; at++ {
			n := min(int(data[0]), len(data)-1)
			frame, err := decoder.Decode(data[1 : 1+n])
			if err == nil {
				_ = l.Record(frame.Message, image.Provenance{Offset: at})
			}
			data = data[1+n:]
		}
		img := l.Image()
		partitions := 0
		for _, topic := range img.Topics().All() {
			for range topic.Partitions() {
				partitions++
			}
		}
		if partitions != img.PartitionCount() {
			t.Fatalf("%d partitions, %d counted", partitions, img.PartitionCount())
		}
		d := image.NewDelta(image.Empty())
		if err := image.RecordsBetween(image.Empty(), img, func(_, _ int16, m kbin.Message) error {
			_ = d.Replay(m)
			return nil
		}); err == nil {
			if got := d.Image(image.Provenance{}); got.Hash() != img.Hash() {
				t.Fatalf("records from nothing lead to something else: %v", differences(got, img))
			}
		}
	})
}
