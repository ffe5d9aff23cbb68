package fsck

import (
	"path"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"kraftctl/decode/compress"
	"kraftctl/decode/index"
	"kraftctl/internal/vfs"
)

// drawLog appends a random history to a partition.
func drawLog(t *testing.T, r *rapid.T) *logBuilder {
	b := newLog(t)
	b.interval = rapid.IntRange(0, 600).Draw(r, "interval")
	used := map[int64]bool{}
	timestamp := func() int64 { // not in order, but no two are the same
		for {
			if ts := 1_700_000_000_000 + rapid.Int64Range(0, 1_000_000).Draw(r, "timestamp"); !used[ts] {
				used[ts] = true
				return ts
			}
		}
	}
	for range rapid.IntRange(1, 60).Draw(r, "steps") {
		producer := rapid.Int64Range(1, 4).Draw(r, "producer")
		b.clock = timestamp()
		switch op := rapid.IntRange(0, 11).Draw(r, "op"); op {
		case 0:
			b.roll()
		case 1:
			b.leader(b.epoch + rapid.Int32Range(1, 3).Draw(r, "epochs"))
		case 2, 3:
			b.marker(producer, op == 2)
		default:
			codec := rapid.SampledFrom([]compress.Codec{compress.None, compress.Gzip, compress.Snappy, compress.LZ4, compress.Zstd}).Draw(r, "codec")
			n := rapid.IntRange(1, 5).Draw(r, "records")
			switch {
			case op < 6:
				b.data(-1, false, n, b.clock, codec)
			case op < 8: // a producer is transactional or not, but never both
				b.data(10+producer, false, n, b.clock, codec)
			default:
				b.data(producer, true, n, b.clock, codec)
			}
		}
	}
	return b
}

// A sound partition has no findings but for its open transactions.
func TestSoundProperty(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		m := vfs.NewMem()
		b := drawLog(t, r)
		b.save(m, "/d/orders-0", rapid.Bool().Draw(r, "running"))
		want := ""
		if len(b.ongoing) > 0 {
			want = "txn-open"
		}
		report := check(t, m, Options{Deep: true, Workers: 2}, "/d/orders-0")
		if got := rulesOf(report.Findings); got != want {
			showAll(t, report.Findings)
			r.Fatalf("rules %q, want %q", got, want)
		}
	})
}

// One damaged byte in a file gives at least one finding, and none that the
// sound partition has not.
func TestDamageProperty(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		m := vfs.NewMem()
		b := drawLog(t, r)
		b.save(m, "/d/orders-0", rapid.Bool().Draw(r, "running"))
		before := check(t, m, Options{}, "/d/orders-0")

		entries, err := m.ReadDir("/d/orders-0")
		if err != nil {
			t.Fatal(err)
		}
		type spot struct {
			file string
			at   int
		}
		var spots []spot
		for _, e := range entries {
			name := path.Join("/d/orders-0", e.Name())
			n, err := index.ParseFileName(e.Name())
			if err != nil {
				t.Fatal(err)
			}
			for at := range get(t, m, name) {
				if damageShows(b, n, at) {
					spots = append(spots, spot{name, at})
				}
			}
		}
		if len(spots) == 0 {
			r.Skip("no bytes")
		}
		x := rapid.SampledFrom(spots).Draw(r, "spot")
		bit := rapid.IntRange(0, 7).Draw(r, "bit")
		edit(t, m, x.file, func(d []byte) []byte { d[x.at] ^= 1 << bit; return d })
		after := check(t, m, Options{}, "/d/orders-0")
		fresh := slices.ContainsFunc(after.Findings, func(f Finding) bool { return !slices.Contains(before.Findings, f) })
		if !fresh {
			for _, g := range b.segs {
				r.Logf("segment %d, batches at %v of %d", g.base, g.batches, len(g.log))
			}
			r.Fatalf("bit %d of byte %d of %s: nothing was found but %s", bit, x.at, x.file, rulesOf(after.Findings))
		}
		if strings.HasSuffix(x.file, "index") {
			f := CheckIndex(m, x.file)
			if len(f) == 0 && !slices.ContainsFunc(after.Findings, func(f Finding) bool { return f.Rule == txnFirst || f.Rule == txnStable }) {
				r.Fatalf("bit %d of byte %d of %s: CheckIndex found nothing", bit, x.at, x.file)
			}
		}
	})
}

// damageShows leaves out the bytes for which any value may be right.
func damageShows(b *logBuilder, n index.FileName, at int) bool {
	switch n.Kind {
	case index.KindPartitionMetadata, index.KindEpochCheckpoint:
		return false // any id may be right, and so may the start of the log
	case index.KindProducerSnapshot:
		return true
	case index.KindTxnIndex:
		// A last stable offset or a start below the first segment is that of a
		// transaction which is older than the log; the sample starts at 0.
		return at%index.AbortedTxnSize < 10 || at%index.AbortedTxnSize >= 18 && at%index.AbortedTxnSize < 26
	case index.KindOffsetIndex:
		g := b.segs[slices.IndexFunc(b.segs, func(g *segBuilder) bool { return g.base == n.Offset })]
		return at < len(g.index) // not the padding
	case index.KindTimeIndex:
		g := b.segs[slices.IndexFunc(b.segs, func(g *segBuilder) bool { return g.base == n.Offset })]
		return at < len(g.times)
	}
	return true
}

// Every field of a transaction index is held against the log.
func TestTxnIndexFields(t *testing.T) {
	s := newScene(t)
	name := s.seg[1] + ".txnindex"
	sound := get(t, s.fs, name)
	for at := range 2 * index.AbortedTxnSize {
		for _, bit := range []int{0, 1, 4, 7} {
			damaged := slices.Clone(sound)
			damaged[at] ^= 1 << bit
			s.put(name, damaged)
			if at == 33 && bit == 1 {
				continue // that is the start of another transaction
			}
			if r := check(t, s.fs, Options{}, orders); r.Errors+r.Warnings == 0 {
				t.Errorf("bit %d of byte %d: nothing was found", bit, at)
			}
		}
	}
}
