package rafttest

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"kraftctl/internal/raft"
)

// entry is a batch in a log, with a hash over it and all before it: two logs that have
// the same hash at an offset are the same up to there.
type entry struct {
	batch raft.Batch
	chain uint64
}

// snapshotFile is a snapshot: the hash of all that it stands for, and its header.
type snapshotFile struct {
	id     raft.SnapshotID
	chain  uint64
	level  int16
	voters *raft.VoterSet
	size   int64
}

// disk is what a replica has on its disk. Everything is durable but the log behind
// synced.
type disk struct {
	directory  raft.UUID
	election   raft.ElectionState
	start      int64
	startChain uint64
	entries    []entry
	synced     int64
	// truncations are the offsets that it was cut at, for flushes that run meanwhile.
	truncations []int64
	snapshots   []snapshotFile
	part        raft.SnapshotID // being fetched
	partSize    int64
	// bootLevel and bootVoters are in the snapshot 0-0 that format wrote.
	bootLevel  int16
	bootVoters *raft.VoterSet
}

func newDisk(directory raft.UUID) *disk {
	return &disk{directory: directory, election: raft.NoElection(), startChain: chainStart}
}

const chainStart uint64 = 14695981039346656037

// link hashes a batch on top of what is before it.
func link(chain uint64, b *raft.Batch) uint64 {
	mix := func(v uint64) { chain = (chain ^ v) * 1099511628211; chain ^= chain >> 29 }
	mix(uint64(b.Base))
	mix(uint64(b.Count))
	mix(uint64(b.Epoch))
	for _, v := range b.Values {
		for _, c := range v {
			mix(uint64(c))
		}
	}
	for _, c := range b.Control {
		mix(uint64(c.Type))
		mix(uint64(c.Leader))
		mix(uint64(c.Level))
		for _, v := range c.Voters.All() {
			mix(uint64(v.Key.ID))
			mix(uint64(v.Key.Directory[15]) | uint64(v.Key.Directory[14])<<8)
		}
	}
	return chain
}

func (d *disk) end() int64 {
	if n := len(d.entries); n > 0 {
		return d.entries[n-1].batch.End()
	}
	return d.start
}

// chainAt gives the hash of the log up to an offset between two batches.
func (d *disk) chainAt(end int64) (uint64, bool) {
	if end == d.start {
		return d.startChain, true
	}
	i, ok := slices.BinarySearchFunc(d.entries, end, func(e entry, end int64) int { return cmp.Compare(e.batch.End(), end) })
	if !ok {
		return 0, false
	}
	return d.entries[i].chain, true
}

// has reports whether log or snapshot hold what is committed up to a point; durable
// asks for what a crash would leave.
func (d *disk) has(p point, durable bool) bool {
	if p.end <= d.start {
		return true // in a snapshot, which was compared when it came
	}
	chain, ok := d.chainAt(p.end)
	return ok && chain == p.chain && (!durable || d.synced >= p.end)
}

func (d *disk) append(b raft.Batch) *entry {
	chain := d.startChain
	if n := len(d.entries); n > 0 {
		chain = d.entries[n-1].chain
	}
	d.entries = append(d.entries, entry{b, link(chain, &b)})
	return &d.entries[len(d.entries)-1]
}

func (d *disk) truncate(end int64) {
	d.truncations = append(d.truncations, end)
	for n := len(d.entries); n > 0 && d.entries[n-1].batch.Base >= end; n-- {
		d.entries = d.entries[:n-1]
	}
	d.synced = min(d.synced, d.end())
}

// restartAt empties the log behind a snapshot.
func (d *disk) restartAt(s snapshotFile) {
	d.start, d.startChain, d.entries, d.synced = s.id.EndOffset, s.chain, nil, s.id.EndOffset
	d.snapshots = []snapshotFile{s}
}

// clean moves the start of the log to a snapshot.
func (d *disk) clean(s snapshotFile) {
	i := 0
	for i < len(d.entries) && d.entries[i].batch.End() <= s.id.EndOffset {
		i++
	}
	d.entries = slices.Clone(d.entries[i:])
	d.start, d.startChain = s.id.EndOffset, s.chain
	d.synced = max(d.synced, d.start)
	d.snapshots = slices.DeleteFunc(d.snapshots, func(o snapshotFile) bool { return o.id.EndOffset < s.id.EndOffset })
}

// crash leaves what is durable, and of the rest the beginning, as far as the disk has
// written it by itself: a batch that is torn, or behind one that is missing, is cut
// when the log is opened.
func (d *disk) crash(rng *rand.Rand) {
	for len(d.entries) > 0 && d.entries[len(d.entries)-1].batch.Base >= d.synced && rng.IntN(3) > 0 {
		d.entries = d.entries[:len(d.entries)-1]
	}
	d.synced = d.end()
	d.part, d.partSize = raft.SnapshotID{}, 0
	// A snapshot may be of records that were committed before they were durable here:
	// it takes the place of a log that ends before it, when that is opened.
	if n := len(d.snapshots); n > 0 && d.snapshots[n-1].id.EndOffset > d.end() {
		d.restartAt(d.snapshots[n-1])
	}
}

// read gives the batches of a fetch.
func (d *disk) read(from int64, maxBytes int32) []raft.Batch {
	i, _ := slices.BinarySearchFunc(d.entries, from, func(e entry, from int64) int {
		if e.batch.End() <= from {
			return -1
		}
		return 1
	})
	var out []raft.Batch
	for bytes := int32(0); i < len(d.entries) && (len(out) == 0 || bytes < maxBytes); i++ {
		out = append(out, d.entries[i].batch)
		bytes += 61 + 20*d.entries[i].batch.Count
	}
	return out
}

// voters are what log and snapshot say of the voters, as a replica finds it when it
// opens them.
func (d *disk) voters() (sets []raft.VotersAt, levels []raft.VersionAt) {
	from := int64(0)
	if d.bootLevel > 0 {
		levels = append(levels, raft.VersionAt{Offset: -1, Level: d.bootLevel})
	}
	if d.bootVoters != nil {
		sets = append(sets, raft.VotersAt{Offset: -1, Voters: *d.bootVoters})
	}
	if n := len(d.snapshots); n > 0 {
		s := d.snapshots[n-1]
		from = s.id.EndOffset
		sets, levels = nil, nil
		if s.level > 0 {
			levels = append(levels, raft.VersionAt{Offset: from - 1, Level: s.level})
		}
		if s.voters != nil {
			sets = append(sets, raft.VotersAt{Offset: from - 1, Voters: *s.voters})
		}
	}
	for _, e := range d.entries {
		for i, c := range e.batch.Control {
			at := e.batch.Base + int64(i)
			switch {
			case at < from:
			case c.Type == raft.ControlVoters:
				sets = append(sets, raft.VotersAt{Offset: at, Voters: c.Voters})
			case c.Type == raft.ControlVersion:
				levels = append(levels, raft.VersionAt{Offset: at, Level: c.Level})
			}
		}
	}
	return sets, levels
}

// boot is what a replica finds.
func (d *disk) boot(static raft.VoterSet) raft.Boot {
	b := raft.Boot{Election: d.election, Start: d.start, End: d.end(), Static: static}
	b.Voters, b.Versions = d.voters()
	for _, e := range d.entries {
		if n := len(b.Epochs); n == 0 || b.Epochs[n-1].Epoch < e.batch.Epoch {
			b.Epochs = append(b.Epochs, raft.EpochStart{Epoch: e.batch.Epoch, Start: e.batch.Base})
		}
	}
	for _, s := range d.snapshots {
		b.Snapshots = append(b.Snapshots, raft.Snapshot{ID: s.id, Size: s.size})
	}
	return b
}

// cuts numbers the truncations so far.
func (d *disk) cuts() int { return len(d.truncations) }

// uncutSince is the offset below which nothing was cut off after a number of
// truncations.
func (d *disk) uncutSince(cuts int) int64 {
	end := int64(math.MaxInt64)
	for _, t := range d.truncations[cuts:] {
		end = min(end, t)
	}
	return end
}
