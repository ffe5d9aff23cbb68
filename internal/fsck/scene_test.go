package fsck

import (
	"encoding/binary"
	"testing"

	"kraftctl/decode"
	"kraftctl/decode/index"
	"kraftctl/decode/kbin"
	"kraftctl/internal/vfs"
)

const orders = "/n/d1/orders-0"

// scene is a sound log directory /n/d1 that a test damages.
type scene struct {
	t   testing.TB
	fs  vfs.FS
	b   *logBuilder
	seg []string // names of the segments of orders-0, without suffix
	// paths to check.
	paths []string
	deep  bool
}

func newScene(t testing.TB) *scene {
	m := vfs.NewMem()
	s := &scene{t: t, fs: m, b: sampleDir(t, m, "/n/d1", 1), paths: []string{"/n/d1"}}
	for _, g := range s.b.segs {
		s.seg = append(s.seg, orders+"/"+string(index.AppendOffsetName(nil, g.base)))
	}
	return s
}

func (s *scene) edit(name string, change func(data []byte) []byte) {
	s.t.Helper()
	edit(s.t, s.fs, name, change)
}
func (s *scene) put(name string, data []byte) { s.t.Helper(); put(s.t, s.fs, name, data) }
func (s *scene) remove(name string) {
	s.t.Helper()
	if err := s.fs.Remove(name); err != nil {
		s.t.Fatal(err)
	}
}

func (s *scene) rename(from, to string) {
	s.t.Helper()
	if err := s.fs.Rename(from, to); err != nil {
		s.t.Fatal(err)
	}
}

// set writes bytes at a position.
func (s *scene) set(name string, at int, b ...byte) {
	s.t.Helper()
	s.edit(name, func(data []byte) []byte { copy(data[at:], b); return data })
}

func (s *scene) grow(name string, b ...byte) {
	s.t.Helper()
	s.edit(name, func(data []byte) []byte { return append(data, b...) })
}

func (s *scene) cut(name string, n int) {
	s.t.Helper()
	s.edit(name, func(data []byte) []byte { return data[:len(data)-n] })
}

func u32(n uint32) []byte { return binary.BigEndian.AppendUint32(nil, n) }
func u64(n uint64) []byte { return binary.BigEndian.AppendUint64(nil, n) }

// rebatch replaces the bytes of a batch after a change of its header, with the
// right checksum.
func (s *scene) rebatch(segment, batch int, change func(raw []byte)) {
	s.t.Helper()
	at := s.b.segs[segment].batches[batch]
	s.edit(s.seg[segment]+".log", func(data []byte) []byte {
		size := int(binary.BigEndian.Uint32(data[at+8:])) + decode.LogOverhead
		raw := data[at : at+size]
		change(raw)
		b, err := decode.ParseBatch(raw, 0)
		if err != nil {
			s.t.Fatal(err)
		}
		binary.BigEndian.PutUint32(raw[17:], b.Checksum())
		return data
	})
}

func (s *scene) checkpoint(name string, list ...index.PartitionOffset) {
	s.t.Helper()
	s.put("/n/d1/"+name, index.AppendOffsetCheckpoint(nil, list))
}

func (s *scene) appendOld(magic int8) {
	raw, err := decode.AppendBatch(nil, &decode.Batch{BaseOffset: s.b.next, Magic: magic, MaxTimestamp: s.b.tick()}, []decode.Record{{Offset: s.b.next, Value: []byte("v")}})
	if err != nil {
		s.t.Fatal(err)
	}
	s.grow(s.seg[2]+".log", raw...)
}

func (s *scene) appendBatch(h decode.Batch, records ...decode.Record) {
	h.BaseOffset, h.LeaderEpoch = s.b.next, 5
	for i := range records {
		if records[i].Offset == 0 {
			records[i].Offset = s.b.next + int64(i)
		}
		records[i].Timestamp = h.MaxTimestamp
	}
	raw, err := decode.AppendBatch(nil, &h, records)
	if err != nil {
		s.t.Fatal(err)
	}
	s.grow(s.seg[2]+".log", raw...)
}

func (s *scene) at(offset int64) index.PartitionOffset {
	return index.PartitionOffset{Topic: "orders", Offset: offset}
}

func (s *scene) producers(name string, list []index.ProducerState, trailing ...byte) {
	s.t.Helper()
	data := index.AppendProducerSnapshot(nil, list)
	data = append(data, trailing...)
	if len(trailing) > 0 { // the checksum covers them
		copy(data[2:], u32(crc(data[6:])))
	}
	s.put(name, data)
}

func (s *scene) epochs(list ...index.EpochEntry) {
	s.t.Helper()
	s.put(orders+"/leader-epoch-checkpoint", index.AppendEpochCheckpoint(nil, list))
}

// firstBatch is the size of the first batch.
func (s *scene) firstBatch(d []byte) int {
	return int(binary.BigEndian.Uint32(d[8:])) + decode.LogOverhead
}

// moreOf adds a batch behind the end of the first segment.
func (s *scene) moreOf(d []byte) []byte {
	return metadataBatch(d, s.b.segs[1].base, 0, false, decode.Record{Value: []byte("v")})
}

func (s *scene) metadataRecord(value []byte) {
	s.edit(metadataDir+"/00000000000000000005.log", func(d []byte) []byte {
		return metadataBatch(d, 9, 2, false, decode.Record{Value: value})
	})
}

// second adds a log directory /n/d2.
func (s *scene) second(cluster string, node int32, id byte) {
	mkdir(s.t, s.fs, "/n/d2")
	m := index.MetaProperties{Version: 1, ClusterID: cluster, HasClusterID: true, NodeID: node, HasNodeID: true,
		DirectoryID: kbin.UUID{0: id, 9: 1}, HasDirectoryID: true}
	s.put("/n/d2/meta.properties", index.AppendMetaProperties(nil, &m, index.MetaLayout{}))
	s.paths = []string{"/n/d1", "/n/d2"}
}
