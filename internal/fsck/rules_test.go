package fsck

import (
	"bytes"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"
	"testing"

	"kraftctl/decode"
	"kraftctl/decode/compress"
	"kraftctl/decode/index"
	"kraftctl/decode/kbin"
	"kraftctl/internal/vfs"
)

// cases: what is done to a sound directory, and the rules that it triggers,
// all of them.
var cases = []struct {
	name   string
	damage func(s *scene)
	want   string
}{
	{"nothing", func(*scene) {}, ""},

	// Bytes and batches.
	{"bit in a record", func(s *scene) { s.edit(s.seg[1]+".log", func(d []byte) []byte { d[70] ^= 1; return d }) }, "batch-crc"},
	{"magic 9", func(s *scene) { s.set(s.seg[1]+".log", 16, 9) }, "batch-magic"},
	{"negative delta", func(s *scene) { s.rebatch(0, 1, func(raw []byte) { copy(raw[23:], u32(0xffffffff)) }) }, "batch-header"},
	{"more records than offsets", func(s *scene) { s.rebatch(0, 1, func(raw []byte) { copy(raw[57:], u32(99)) }) }, "batch-header"},
	{"codec 7", func(s *scene) { s.rebatch(0, 1, func(raw []byte) { raw[22] |= 7 }) }, "batch-codec"},
	{"attribute bit 15", func(s *scene) { s.rebatch(0, 1, func(raw []byte) { raw[21] |= 0x80 }) }, "batch-attributes"},
	{"old message", func(s *scene) { s.appendOld(1) }, "batch-old-format"},
	{"hole", func(s *scene) {
		at := s.b.segs[1].batches[2]
		s.edit(s.seg[1]+".log", func(d []byte) []byte { clear(d[at : at+30]); return d })
	}, "log-hole"},
	{"closed segment cut", func(s *scene) { s.cut(s.seg[1]+".log", 5) }, "index-past-end tail-torn timeindex-past-end"},
	{"active segment cut", func(s *scene) { s.grow(s.seg[2]+".log", u64(uint64(s.b.next))...) }, "tail-torn-active"},
	{"closed segment zeros", func(s *scene) { s.grow(s.seg[1]+".log", make([]byte, 100)...) }, "tail-zeros"},
	{"active segment zeros", func(s *scene) { s.grow(s.seg[2]+".log", make([]byte, 100)...) }, "tail-zeros-active"},
	{"preallocated", func(s *scene) {
		s.edit(s.seg[2]+".log", func(d []byte) []byte { return append(d, make([]byte, allocationUnit-len(d))...) })
	}, "tail-preallocated"},
	{"text behind the log", func(s *scene) { s.grow(s.seg[2]+".log", []byte("this is no batch, but long enough to be one")...) }, "tail-garbage"},
	{"batch twice", func(s *scene) {
		last := s.b.segs[2].batches[7]
		s.edit(s.seg[2]+".log", func(d []byte) []byte { return append(d, d[last:]...) })
	}, "offset-order"},
	{"offset too high", func(s *scene) {
		at := s.b.segs[2].batches[7]
		s.set(s.seg[2]+".log", at, u64(uint64(s.b.next+5))...)
	}, "offset-gap timeindex-offset"},
	{"epoch falls", func(s *scene) { s.set(s.seg[2]+".log", s.b.segs[2].batches[3]+12, u32(4)...) }, "epoch-decreasing epoch-missing"},
	{"marker without value", func(s *scene) {
		h := decode.NewBatch(0, 0, s.b.tick())
		h.Attributes, h.ProducerID = 0x30, 1
		s.appendBatch(h, decode.Record{Key: []byte{0, 0, 0, 1}, Value: []byte{0}})
	}, "control-malformed"},
	{"control record 99", func(s *scene) {
		h := decode.NewBatch(0, 0, s.b.tick())
		h.Attributes = 0x20
		s.appendBatch(h, decode.Record{Key: []byte{0, 0, 0, 99}, Value: []byte{0}})
	}, "control-unknown"},

	// Records.
	{"compressed garbage", func(s *scene) {
		s.deep = true
		s.rebatch(0, 1, func(raw []byte) { raw[22] |= byte(compress.Zstd) })
	}, "records-decompress"},
	{"record too long", func(s *scene) { s.deep = true; s.rebatch(0, 1, func(raw []byte) { raw[61] = 0x7e }) }, "records-malformed"},
	{"offset delta", func(s *scene) { s.deep = true; s.rebatch(0, 1, func(raw []byte) { raw[64] = 0x20 }) }, "records-offsets"},
	{"metadata garbage", func(s *scene) { s.deep = true; s.metadataRecord([]byte{1, 2, 0}) }, "metadata-record"},
	{"metadata from the future", func(s *scene) { s.deep = true; s.metadataRecord([]byte{1, 0xf0, 0x10, 0}) }, "metadata-record-unknown"},
	{"offset commit garbage", func(s *scene) {
		s.deep = true
		dir := "/n/d1/__consumer_offsets-3"
		mkdir(s.t, s.fs, dir)
		s.put(dir+"/00000000000000000000.log", metadataBatch(nil, 0, 0, false, decode.Record{Key: []byte{0, 1, 0}, Value: []byte{0}}))
	}, "coordinator-record epoch-checkpoint-missing index-missing partition-metadata-missing"},

	// Segments and files of a partition.
	{"segment renamed", func(s *scene) {
		for _, suffix := range []string{".log", ".index", ".timeindex"} {
			s.rename(s.seg[2]+suffix, orders+"/00000000000000000090"+suffix)
		}
	}, "index-offset index-past-end producer-snapshot-state segment-base segment-gap timeindex-past-end"},
	{"segment gone", func(s *scene) {
		for _, suffix := range []string{".log", ".index", ".timeindex", ".txnindex"} {
			s.remove(s.seg[1] + suffix)
		}
	}, "producer-snapshot-state segment-gap txn-open"},
	{"segments overlap", func(s *scene) { s.edit(s.seg[0]+".log", func(d []byte) []byte { return s.moreOf(d) }) }, "segment-overlap"},
	{"metadata segment gone", func(s *scene) {
		s.remove(metadataDir + "/00000000000000000000.log")
		s.remove(metadataDir + "/00000000000000000000.index")
		s.remove(metadataDir + "/00000000000000000000.timeindex")
		s.remove(metadataSnapshot)
	}, "snapshot-missing"},
	{"metadata batch gone", func(s *scene) {
		s.put(metadataDir+"/00000000000000000005.log", metadataBatch(metadataBatch(nil, 5, 1, false, topicRecord("d")), 7, 2, false, topicRecord("e")))
	}, "epoch-start metadata-gap"},
	{"open transaction", func(s *scene) {
		h := decode.NewBatch(0, 0, s.b.tick())
		h.Attributes, h.ProducerID, h.BaseSequence = 0x10, 77, 0
		s.appendBatch(h, decode.Record{Value: []byte("v")})
	}, "txn-open"},
	{"x.log", func(s *scene) { s.put(orders+"/x.log", nil) }, "file-name"},
	{"7.log", func(s *scene) { s.put(orders+"/7.log", nil) }, "file-name-odd"},
	{"bootstrap.checkpoint", func(s *scene) { s.put(metadataDir+"/bootstrap.checkpoint", nil) }, "bootstrap-in-partition"},
	{"partition.metadata empty", func(s *scene) { s.put(orders+"/partition.metadata", nil) }, "partition-metadata-malformed"},
	{"partition.metadata gone", func(s *scene) { s.remove(orders + "/partition.metadata") }, "partition-metadata-missing"},
	{"metadata topic id", func(s *scene) {
		s.put(metadataDir+"/partition.metadata", index.AppendPartitionMetadata(nil, index.PartitionMetadata{TopicID: kbin.UUID{3: 3}}))
	}, "metadata-topic-id"},

	// Indexes.
	{"no index", func(s *scene) { s.remove(s.seg[1] + ".index") }, "index-missing"},
	{"index alone", func(s *scene) { s.put(orders+"/00000000000000009999.index", nil) }, "index-orphan"},
	{"odd length", func(s *scene) { s.grow(s.seg[1]+".timeindex", 1, 2) }, "index-length"},
	{"closed index padded", func(s *scene) { s.grow(s.seg[1]+".index", make([]byte, 16)...) }, "index-padded"},
	{"no entries", func(s *scene) {
		for len(s.b.seg().log) < 8*usualInterval {
			s.b.data(-1, false, 9, s.b.tick(), compress.None)
		}
		s.put(s.seg[2]+".log", s.b.seg().log)
		s.put(s.seg[2]+".index", nil)
	}, "index-empty"},
	{"entries swapped", func(s *scene) {
		s.edit(s.seg[1]+".index", func(d []byte) []byte { return slices.Concat(d[8:16], d[:8], d[16:]) })
	}, "index-order"},
	{"position off by one", func(s *scene) { s.edit(s.seg[1]+".index", func(d []byte) []byte { d[7]++; return d }) }, "index-position"},
	{"offset off by one", func(s *scene) { s.edit(s.seg[2]+".index", func(d []byte) []byte { d[3]++; return d }) }, "index-offset"},
	{"position too high", func(s *scene) { s.edit(s.seg[1]+".index", func(d []byte) []byte { d[len(d)-3] = 1; return d }) }, "index-past-end"},
	{"offset of a later batch", func(s *scene) {
		last := s.b.next - 1 - s.b.segs[2].base
		s.edit(s.seg[2]+".index", func(d []byte) []byte { copy(d[len(d)-8:], u32(uint32(last))); return d })
	}, "index-append"},
	{"index of an old cleaner", func(s *scene) {
		// The batch of offsets 0 to 3 has lost its last record, and the entry is for 2.
		h := decode.NewBatch(0, 0, s.b.tick())
		h.LastOffsetDelta = 3
		raw := must(decode.AppendBatch(nil, &h, []decode.Record{{Offset: 2, Timestamp: h.MaxTimestamp, Value: []byte("v")}}))
		h.BaseOffset = 4
		raw = must(decode.AppendBatch(raw, &h, []decode.Record{{Offset: 6, Timestamp: h.MaxTimestamp, Value: []byte("v")}}))
		dir := "/d/t"
		mkdir(s.t, s.fs, dir)
		s.put(dir+"/00000000000000000000.log", raw)
		s.put(dir+"/00000000000000000000.index", must(index.AppendOffsetEntry(nil, 0, index.OffsetEntry{Offset: 6, Position: int32(len(raw) / 2)})))
		s.put(dir+"/00000000000000000000.timeindex", must(index.AppendTimeEntry(nil, 0, index.TimeEntry{Timestamp: h.MaxTimestamp, Offset: 3})))
		s.paths = []string{dir}
	}, ""},
	{"times swapped", func(s *scene) {
		s.edit(s.seg[2]+".timeindex", func(d []byte) []byte { return slices.Concat(d[12:24], d[:12], d[24:]) })
	}, "timeindex-order"},
	{"time off by one", func(s *scene) { s.edit(s.seg[2]+".timeindex", func(d []byte) []byte { d[7]++; return d }) }, "timeindex-timestamp"},
	{"time of an earlier batch", func(s *scene) {
		s.put(s.seg[0]+".timeindex", nil)
		first := s.b.segs[0]
		s.rebatch(0, 0, func(raw []byte) { copy(raw[35:], u64(uint64(s.b.tick()))) })
		s.put(s.seg[0]+".timeindex", must(index.AppendTimeEntry(nil, 0, first.latest)))
	}, "timeindex-not-latest"},
	{"time behind the end", func(s *scene) { s.edit(s.seg[2]+".timeindex", func(d []byte) []byte { d[len(d)-2] = 9; return d }) }, "timeindex-past-end"},
	{"time inside a batch", func(s *scene) { s.edit(s.seg[2]+".timeindex", func(d []byte) []byte { d[len(d)-1]--; return d }) }, "timeindex-inner"},
	{"version of an aborted transaction", func(s *scene) { s.set(s.seg[1]+".txnindex", 0, 0, 9) }, "txnindex-malformed txnindex-missing"},
	{"aborted transactions swapped", func(s *scene) {
		s.edit(s.seg[1]+".txnindex", func(d []byte) []byte { return slices.Concat(d[34:], d[:34]) })
	}, "txnindex-missing txnindex-order"},
	{"producer of an aborted transaction", func(s *scene) { s.edit(s.seg[1]+".txnindex", func(d []byte) []byte { d[9]++; return d }) }, "txnindex-marker"},
	{"start of an aborted transaction", func(s *scene) { s.edit(s.seg[1]+".txnindex", func(d []byte) []byte { d[34+17]++; return d }) }, "txnindex-first-offset"},
	{"start in an earlier segment", func(s *scene) { s.edit(s.seg[1]+".txnindex", func(d []byte) []byte { d[17]--; return d }) }, "txnindex-first-offset"},
	{"stable offset", func(s *scene) { s.edit(s.seg[1]+".txnindex", func(d []byte) []byte { d[34+33]--; return d }) }, "txnindex-stable-offset"},
	{"no transaction index", func(s *scene) { s.remove(s.seg[1] + ".txnindex") }, "txnindex-missing"},

	// Producer snapshots.
	{"snapshot checksum", func(s *scene) { s.set(s.seg[2]+".snapshot", 2, 1, 2, 3, 4) }, "producer-snapshot-malformed"},
	{"snapshot trailing", func(s *scene) { s.producers(s.seg[2]+".snapshot", nil, 0, 0, 0) }, "producer-snapshot-trailing"},
	{"snapshot too new", func(s *scene) {
		s.producers(s.seg[1]+".snapshot", []index.ProducerState{{ProducerID: 9, LastSequence: -1, LastOffset: -1, CurrentTxnFirstOffset: 999}})
	}, "producer-snapshot-offsets"},
	{"snapshot of another log", func(s *scene) {
		s.producers(s.seg[1]+".snapshot", []index.ProducerState{{ProducerID: 9, LastSequence: 3, LastOffset: 10, CurrentTxnFirstOffset: -1}})
	}, "producer-snapshot-state"},
	{"snapshot without a batch", func(s *scene) {
		s.producers(s.seg[1]+".snapshot", []index.ProducerState{{ProducerID: 1, LastSequence: 3, LastOffset: 9, CurrentTxnFirstOffset: -1}})
	}, "producer-snapshot-state"},
	{"snapshot behind the end", func(s *scene) { s.producers(orders+"/00000000000000009999.snapshot", nil) }, "producer-snapshot-beyond-end"},

	// Leader epochs.
	{"epochs malformed", func(s *scene) { s.put(orders+"/leader-epoch-checkpoint", []byte("0\n1\nx y\n")) }, "epoch-checkpoint-malformed"},
	{"no epochs", func(s *scene) { s.remove(orders + "/leader-epoch-checkpoint") }, "epoch-checkpoint-missing"},
	{"epochs out of order", func(s *scene) { s.epochs(index.EpochEntry{Epoch: 5}, index.EpochEntry{StartOffset: 3}) }, "epoch-checkpoint-order"},
	{"epoch starts too early", func(s *scene) { s.epochs(index.EpochEntry{}, index.EpochEntry{Epoch: 5, StartOffset: 10}) }, "epoch-start"},
	{"epoch that never was", func(s *scene) {
		s.epochs(slices.Insert(slices.Clone(s.b.epochs), 1, index.EpochEntry{Epoch: 2, StartOffset: 4})...)
	}, "epoch-start"},
	{"epoch not listed", func(s *scene) { s.epochs(index.EpochEntry{}) }, "epoch-missing"},
	{"epoch behind the end", func(s *scene) {
		s.epochs(append(slices.Clone(s.b.epochs), index.EpochEntry{Epoch: 8, StartOffset: 999})...)
	}, "epoch-beyond-end"},
	{"epoch at the end", func(s *scene) {
		s.epochs(append(slices.Clone(s.b.epochs), index.EpochEntry{Epoch: 8, StartOffset: s.b.next})...)
	}, ""},
	{"log start moved", func(s *scene) { s.epochs(index.EpochEntry{StartOffset: 3}, s.b.epochs[1]) }, ""},

	// KRaft snapshots and quorum-state.
	{"snapshot without header", func(s *scene) { s.edit(metadataSnapshot, func(d []byte) []byte { return d[s.firstBatch(d):] }) }, "snapshot-header"},
	{"snapshot empty", func(s *scene) { s.put(metadataSnapshot, nil) }, "snapshot-header"},
	{"snapshot without footer", func(s *scene) {
		s.edit(metadataSnapshot, func(d []byte) []byte { return d[:bytes.LastIndex(d, u64(3)[4:])-4] })
	}, "snapshot-footer"},
	{"snapshot without its middle", func(s *scene) {
		s.edit(metadataSnapshot, func(d []byte) []byte {
			n := s.firstBatch(d)
			return append(d[:n:n], d[n+s.firstBatch(d[n:]):]...)
		})
	}, "snapshot-offsets"},
	{"snapshot epoch", func(s *scene) { s.put(metadataSnapshot, snapshotBytes(9)) }, "snapshot-epoch"},
	{"snapshot torn", func(s *scene) { s.cut(metadataSnapshot, 3) }, "snapshot-footer snapshot-truncated"},
	{"snapshot of another history", func(s *scene) {
		s.remove(metadataSnapshot)
		s.put(metadataDir+"/00000000000000000005-0000000007.checkpoint", snapshotBytes(7))
	}, "snapshot-log-epoch"},
	{"snapshot behind the log", func(s *scene) { s.put(metadataDir+"/00000000000000000099-0000000002.checkpoint", snapshotBytes(2)) }, "snapshot-beyond-log"},
	{"snapshot before the log", func(s *scene) {
		s.put(metadataDir+"/00000000000000000002-0000000001.checkpoint", snapshotBytes(1))
		for _, suffix := range []string{".log", ".index", ".timeindex"} {
			s.remove(metadataDir + "/00000000000000000000" + suffix)
		}
	}, "snapshot-below-start"},
	{"quorum-state malformed", func(s *scene) { s.put(metadataDir+"/quorum-state", []byte("{")) }, "quorum-state-malformed"},
	{"quorum-state negative", func(s *scene) {
		s.put(metadataDir+"/quorum-state", []byte(`{"leaderId":1,"leaderEpoch":-5,"votedId":-1,"votedDirectoryId":"AAAAAAAAAAAAAAAAAAAAAA","data_version":1}`))
	}, "quorum-state-malformed"},
	{"quorum-state gone", func(s *scene) { s.remove(metadataDir + "/quorum-state") }, "quorum-state-missing"},
	{"quorum-state old", func(s *scene) {
		s.edit(metadataDir+"/quorum-state", func(d []byte) []byte { return bytes.Replace(d, []byte(`Epoch":2`), []byte(`Epoch":1`), 1) })
	}, "quorum-state-behind"},

	// Log directories.
	{"lost+found", func(s *scene) { mkdir(s.t, s.fs, "/n/d1/lost+found") }, "dir-name"},
	{"remote log cache", func(s *scene) { mkdir(s.t, s.fs, "/n/d1/remote-log-index-cache") }, ""},
	{"impossible topic", func(s *scene) { mkdir(s.t, s.fs, "/n/d1/a b-0") }, "topic-name"},
	{"leftover files", func(s *scene) {
		s.put(orders+"/00000000000000000000.log.deleted", nil)
		s.put(orders+"/00000000000000000000.index.cleaned", nil)
		s.put(orders+"/00000000000000000000.log.swap", nil)
		s.put(metadataDir+"/00000000000000000005-0000000003-123.checkpoint.part", nil)
		s.put("/n/d1/meta.properties.tmp", nil)
	}, "leftover-file"},
	{"leftover directories", func(s *scene) {
		for _, suffix := range []string{"-delete", "-future", "-stray"} {
			mkdir(s.t, s.fs, "/n/d1/t-0.0123456789abcdef0123456789abcdef"+suffix)
		}
	}, "leftover-dir"},
	{"checkpoint malformed", func(s *scene) { s.put("/n/d1/cleaner-offset-checkpoint", []byte("0\n7\n")) }, "checkpoint-malformed"},
	{"checkpoint negative", func(s *scene) { s.checkpoint("cleaner-offset-checkpoint", s.at(-4)) }, "checkpoint-malformed"},
	{"checkpoint of a partition that is not there", func(s *scene) {
		s.checkpoint("cleaner-offset-checkpoint", index.PartitionOffset{Topic: "gone", Partition: 3})
	}, "checkpoint-unknown-partition"},
	{"high watermark", func(s *scene) { s.checkpoint("replication-offset-checkpoint", s.at(s.b.next+1)) }, "high-watermark-beyond-end"},
	{"recovery point", func(s *scene) { s.checkpoint("recovery-point-offset-checkpoint", s.at(s.b.next+1)) }, "recovery-point-beyond-end"},
	{"log start", func(s *scene) { s.checkpoint("log-start-offset-checkpoint", s.at(s.b.next+1)) }, "log-start-beyond-end"},
	{"high watermark of the partition before", func(s *scene) {
		s.checkpoint("replication-offset-checkpoint", s.at(s.b.next+1))
		mkdir(s.t, s.fs, "/n/d1/orders-0.0123456789abcdef0123456789abcdef-delete")
	}, "leftover-dir"},
	{"cleaner", func(s *scene) { s.checkpoint("cleaner-offset-checkpoint", s.at(s.b.next+1)) }, "cleaner-offset-beyond-end"},
	{"clean shutdown empty", func(s *scene) { s.put("/n/d1/.kafka_cleanshutdown", nil) }, "clean-shutdown-malformed"},
	{"lock", func(s *scene) { s.put("/n/d1/.lock", nil) }, ""},
	{"no meta.properties", func(s *scene) { s.remove("/n/d1/meta.properties") }, "meta-properties-missing"},
	{"meta.properties malformed", func(s *scene) { s.put("/n/d1/meta.properties", []byte("version=7\n")) }, "meta-properties-malformed"},
	{"meta.properties version 0", func(s *scene) { s.put("/n/d1/meta.properties", []byte("version=0\nbroker.id=1\n")) }, "meta-properties-version"},
	{"no directory id", func(s *scene) { s.put("/n/d1/meta.properties", []byte("version=1\nnode.id=1\ncluster.id=c\n")) }, "directory-id-missing"},
	{"reserved directory id", func(s *scene) {
		s.put("/n/d1/meta.properties", []byte("version=1\nnode.id=1\ncluster.id=c\ndirectory.id=AAAAAAAAAAAAAAAAAAAAAg\n"))
	}, "directory-id-reserved"},
	{"empty directory", func(s *scene) { mkdir(s.t, s.fs, "/empty"); s.paths = []string{"/empty"} }, "nothing-found"},

	// Several log directories.
	{"two directories", func(s *scene) { s.second("c", 1, 2) }, ""},
	{"parent of two directories", func(s *scene) { s.second("c", 1, 2); s.paths = []string{"/n"} }, ""},
	{"parent of two nodes", func(s *scene) { s.second("other", 2, 2); s.paths = []string{"/n"} }, ""},
	{"directory id twice", func(s *scene) { s.second("c", 1, 1) }, "directory-id-duplicate"},
	{"two clusters", func(s *scene) { s.second("other", 1, 2) }, "cluster-id-mismatch"},
	{"two nodes", func(s *scene) { s.second("c", 2, 2) }, "node-id-mismatch"},
	{"partition twice", func(s *scene) { s.second("c", 1, 2); s.b.save(s.fs, "/n/d2/orders-0", false) }, "partition-duplicate"},
	{"metadata log twice", func(s *scene) { s.second("c", 1, 2); saveMetadataLog(s.t, s.fs, "/n/d2/__cluster_metadata-0") }, "metadata-log-twice"},
	{"topic id", func(s *scene) {
		s.second("c", 1, 2)
		s.b.topicID = kbin.UUID{2: 2}
		s.b.save(s.fs, "/n/d2/orders-1", false)
	}, "topic-id-mismatch"},
	{"topic id of a stray directory", func(s *scene) {
		s.b.topicID = kbin.UUID{2: 2}
		s.b.save(s.fs, "/n/d1/orders-1.0123456789abcdef0123456789abcdef-stray", false)
	}, "leftover-dir"},

	{"unreadable", func(s *scene) {
		s.fs = vfs.Inject(s.fs, func(op vfs.Op, name string) error {
			if op == vfs.OpRead && name == s.seg[1]+".log" {
				return &fs.PathError{Op: "read", Path: name, Err: errors.New("input/output error")}
			}
			return nil
		})
	}, "file-unreadable"},
}

func TestRules(t *testing.T) {
	triggered := make(map[string]bool)
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s := newScene(t)
			c.damage(s)
			r := check(t, s.fs, Options{Deep: s.deep}, s.paths...)
			if got := rulesOf(r.Findings); got != c.want {
				showAll(t, r.Findings)
				t.Errorf("rules %q\nwant %q", got, c.want)
			}
			for _, id := range strings.Fields(c.want) {
				triggered[id] = true
			}
			for _, f := range r.Findings {
				if !strings.HasPrefix(f.File, path.Dir(s.paths[0])) || f.Message == "" {
					t.Errorf("finding without place or message: %+v", f)
				}
			}
		})
	}
	for _, r := range Catalogue() {
		if !triggered[string(r.ID)] {
			t.Errorf("no test triggers %s", r.ID)
		}
	}
}
