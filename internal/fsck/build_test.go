package fsck

import (
	"hash/crc32"
	"path"
	"slices"
	"testing"

	"kraftctl/decode"
	"kraftctl/decode/compress"
	"kraftctl/decode/index"
	"kraftctl/decode/kbin"
	"kraftctl/internal/vfs"
)

// logBuilder appends to a partition as a broker of Kafka 4 does, and builds
// what stands around the segments on the way.
type logBuilder struct {
	t        testing.TB
	interval int // index.interval.bytes
	next     int64
	epoch    int32
	clock    int64

	segs      []*segBuilder
	epochs    []index.EpochEntry
	producers map[int64]*index.ProducerState
	sequences map[int64]int32
	ongoing   []ongoingTxn
	snapshots map[int64][]byte
	topicID   kbin.UUID
}

type segBuilder struct {
	base               int64
	log                []byte
	index, times, txns []byte
	sinceEntry         int
	latest             index.TimeEntry // largest timestamp so far
	lastTime           int64           // of the time index
	batches            []int           // positions
}

type ongoingTxn struct{ producer, first int64 }

func newLog(t testing.TB) *logBuilder {
	b := &logBuilder{t: t, interval: 300, clock: 1_700_000_000_000, producers: make(map[int64]*index.ProducerState),
		sequences: make(map[int64]int32), snapshots: make(map[int64][]byte), topicID: kbin.UUID{1: 7}}
	b.openSegment()
	b.leader(0)
	return b
}

func (b *logBuilder) seg() *segBuilder { return b.segs[len(b.segs)-1] }

func (b *logBuilder) openSegment() {
	b.segs = append(b.segs, &segBuilder{base: b.next, latest: index.TimeEntry{Timestamp: -1}, lastTime: -1})
}

// leader starts a leader epoch.
func (b *logBuilder) leader(epoch int32) {
	b.epoch = epoch
	if n := len(b.epochs); n > 0 && b.epochs[n-1].StartOffset == b.next {
		b.epochs = b.epochs[:n-1]
	}
	b.epochs = append(b.epochs, index.EpochEntry{Epoch: epoch, StartOffset: b.next})
}

// append writes a batch and what follows from it. The header has its producer
// and attributes.
func (b *logBuilder) append(h decode.Batch, records []decode.Record) {
	b.t.Helper()
	s := b.seg()
	h.BaseOffset, h.LeaderEpoch, h.LastOffsetDelta = b.next, b.epoch, int32(len(records))-1
	for i := range records {
		records[i].Offset = b.next + int64(i)
		records[i].Timestamp = h.MaxTimestamp
	}
	position := len(s.log)
	raw, err := decode.AppendBatch(s.log, &h, records)
	if err != nil {
		b.t.Fatal(err)
	}
	s.log = raw
	s.batches = append(s.batches, position)
	last := h.LastOffset()
	if h.MaxTimestamp > s.latest.Timestamp {
		s.latest = index.TimeEntry{Timestamp: h.MaxTimestamp, Offset: last}
	}
	if s.sinceEntry > b.interval {
		s.index = must(index.AppendOffsetEntry(s.index, s.base, index.OffsetEntry{Offset: last, Position: int32(position)}))
		s.timeEntry()
		s.sinceEntry = 0
	}
	s.sinceEntry += len(s.log) - position
	b.next = last + 1
}

func (s *segBuilder) timeEntry() {
	if s.latest.Timestamp > s.lastTime {
		s.times = must(index.AppendTimeEntry(s.times, s.base, s.latest))
		s.lastTime = s.latest.Timestamp
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// data appends a batch of a producer (-1: none), n records at a time.
func (b *logBuilder) data(producer int64, txn bool, n int, timestamp int64, codec compress.Codec) {
	h := decode.NewBatch(b.next, b.epoch, timestamp)
	h.Attributes = int16(codec)
	if producer >= 0 {
		h.ProducerID, h.ProducerEpoch, h.BaseSequence = producer, 3, b.sequences[producer]
		b.sequences[producer] += int32(n)
	}
	first := b.next
	if txn {
		h.Attributes |= 0x10
		if !slices.ContainsFunc(b.ongoing, func(o ongoingTxn) bool { return o.producer == producer }) {
			b.ongoing = append(b.ongoing, ongoingTxn{producer, first})
		}
	}
	records := make([]decode.Record, n)
	for i := range records {
		records[i].Value = []byte("some value that takes a few bytes")
	}
	b.append(h, records)
	if producer < 0 {
		return
	}
	p := b.producers[producer]
	if p == nil {
		p = &index.ProducerState{ProducerID: producer, CoordinatorEpoch: -1, CurrentTxnFirstOffset: -1}
		b.producers[producer] = p
	}
	p.Epoch, p.LastSequence, p.LastOffset, p.OffsetDelta, p.Timestamp = 3, h.BaseSequence+int32(n)-1, b.next-1, int32(n)-1, timestamp
	if txn && p.CurrentTxnFirstOffset < 0 {
		p.CurrentTxnFirstOffset = first
	}
}

// marker ends the transaction of a producer, if it has one.
func (b *logBuilder) marker(producer int64, commit bool) {
	h := decode.NewBatch(b.next, b.epoch, b.clock)
	h.ProducerID, h.ProducerEpoch, h.Attributes = producer, 3, 0x30
	kind := byte(0)
	if commit {
		kind = 1
	}
	at := b.next
	b.append(h, []decode.Record{{Key: []byte{0, 0, 0, kind}, Value: []byte{0, 0, 0, 0, 0, 2}}})
	i := slices.IndexFunc(b.ongoing, func(o ongoingTxn) bool { return o.producer == producer })
	if i < 0 {
		return
	}
	first := b.ongoing[i].first
	b.ongoing = slices.Delete(b.ongoing, i, i+1)
	stable := b.next
	if len(b.ongoing) > 0 {
		stable = b.ongoing[0].first
	}
	if !commit {
		b.seg().txns = index.AppendAbortedTxn(b.seg().txns, index.AbortedTxn{ProducerID: producer, FirstOffset: first, LastOffset: at, LastStableOffset: stable})
	}
	p := b.producers[producer]
	p.CurrentTxnFirstOffset, p.CoordinatorEpoch = -1, 2
}

func (b *logBuilder) snapshot() {
	var list []index.ProducerState
	for _, p := range b.producers {
		list = append(list, *p)
	}
	slices.SortFunc(list, func(x, y index.ProducerState) int { return int(x.ProducerID - y.ProducerID) })
	b.snapshots[b.next] = index.AppendProducerSnapshot(nil, list)
}

// roll closes the segment and opens the next one.
func (b *logBuilder) roll() {
	if len(b.seg().log) == 0 {
		return
	}
	b.seg().timeEntry()
	b.snapshot()
	b.openSegment()
}

// save writes the partition. The last segment is closed as by a clean shutdown,
// or padded as on a running node.
func (b *logBuilder) save(fsys vfs.FS, dir string, padded bool) {
	if !padded {
		b.seg().timeEntry()
		b.snapshot()
	}
	mkdir(b.t, fsys, dir)
	for i, s := range b.segs {
		idx, times := s.index, s.times
		if padded && i == len(b.segs)-1 {
			idx = append(slices.Clone(idx), make([]byte, 64*index.OffsetEntrySize)...)
			times = append(slices.Clone(times), make([]byte, 64*index.TimeEntrySize)...)
		}
		name := path.Join(dir, string(index.AppendOffsetName(nil, s.base)))
		put(b.t, fsys, name+".log", s.log)
		put(b.t, fsys, name+".index", idx)
		put(b.t, fsys, name+".timeindex", times)
		if len(s.txns) > 0 {
			put(b.t, fsys, name+".txnindex", s.txns)
		}
	}
	for offset, data := range b.snapshots {
		put(b.t, fsys, path.Join(dir, string(index.AppendOffsetName(nil, offset))+".snapshot"), data)
	}
	put(b.t, fsys, path.Join(dir, "leader-epoch-checkpoint"), index.AppendEpochCheckpoint(nil, b.epochs))
	put(b.t, fsys, path.Join(dir, "partition.metadata"), index.AppendPartitionMetadata(nil, index.PartitionMetadata{TopicID: b.topicID}))
}

func mkdir(t testing.TB, fsys vfs.FS, dir string) {
	t.Helper()
	if err := fsys.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
}

// put writes a file.
func put(t testing.TB, fsys vfs.FS, name string, data []byte) {
	t.Helper()
	f, err := fsys.Create(name, 0o644)
	if err == nil {
		_, err = f.Write(data)
	}
	if err == nil {
		err = f.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
}

func get(t testing.TB, fsys vfs.FS, name string) []byte {
	t.Helper()
	data, err := vfs.ReadFile(fsys, name, 1<<30)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// edit changes a file.
func edit(t testing.TB, fsys vfs.FS, name string, change func(data []byte) []byte) {
	t.Helper()
	put(t, fsys, name, change(get(t, fsys, name)))
}

// sampleLog has three segments, two epochs, a transaction of each kind that
// spans segments, and an idempotent producer.
func sampleLog(t testing.TB) *logBuilder {
	b := newLog(t)
	for range 4 {
		b.data(-1, false, 2, b.tick(), compress.None)
	}
	b.data(1, false, 3, b.tick(), compress.None)
	b.data(2, true, 2, b.tick(), compress.None) // spans the first segment's end
	b.roll()
	b.data(3, true, 1, b.tick(), compress.None)
	b.marker(2, false)
	b.data(4, true, 1, b.tick(), compress.None)
	b.leader(5)
	b.marker(3, true)
	b.data(1, false, 3, b.tick(), compress.LZ4)
	b.marker(4, false)
	b.data(-1, false, 4, b.tick(), compress.Gzip)
	for range 5 {
		b.data(-1, false, 4, b.tick(), compress.None)
	}
	b.roll()
	for range 8 {
		b.data(1, false, 2, b.tick(), compress.None)
	}
	return b
}

func (b *logBuilder) tick() int64 {
	b.clock += 1000
	return b.clock
}

// sampleDir writes a sound log directory of a node: the sample log as orders-0,
// a metadata log, and the checkpoints.
func sampleDir(t testing.TB, fsys vfs.FS, dir string, directoryID byte) *logBuilder {
	t.Helper()
	b := sampleLog(t)
	b.save(fsys, path.Join(dir, "orders-0"), false)
	saveMetadataLog(t, fsys, path.Join(dir, "__cluster_metadata-0"))
	m := index.MetaProperties{Version: 1, ClusterID: "c", HasClusterID: true, NodeID: 1, HasNodeID: true,
		DirectoryID: kbin.UUID{0: directoryID, 9: 1}, HasDirectoryID: true}
	put(t, fsys, path.Join(dir, "meta.properties"), index.AppendMetaProperties(nil, &m, index.MetaLayout{}))
	for _, name := range []string{"recovery-point-offset-checkpoint", "replication-offset-checkpoint"} {
		put(t, fsys, path.Join(dir, name), index.AppendOffsetCheckpoint(nil, []index.PartitionOffset{{Topic: "orders", Offset: b.next}}))
	}
	put(t, fsys, path.Join(dir, "log-start-offset-checkpoint"), index.AppendOffsetCheckpoint(nil, nil))
	put(t, fsys, path.Join(dir, "cleaner-offset-checkpoint"), index.AppendOffsetCheckpoint(nil, nil))
	put(t, fsys, path.Join(dir, ".kafka_cleanshutdown"), index.AppendCleanShutdown(nil, index.CleanShutdown{BrokerEpoch: 7}))
	return b
}

func crc(data []byte) uint32 { return crc32.Checksum(data, castagnoli) }
