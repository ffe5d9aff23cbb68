package fsck

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"

	"kraftctl/decode"
	"kraftctl/decode/index"
)

const epochFileName = "leader-epoch-checkpoint"

// maxEpochs bounds the changes of the leader epoch that are kept of one segment.
const maxEpochs = 1 << 16

// epochRun is a run of batches of one leader epoch.
type epochRun struct {
	epoch int32
	first int64 // offset of its first batch
	pos   int64 // of that batch
	file  string
	// blind: there is damage before the first batch, which may not be the first.
	blind bool
}

// epochVisitor gathers the leader epochs of a segment.
type epochVisitor struct {
	w     *walker
	runs  []epochRun
	cut   bool // there are more than were kept
	blind bool
}

func (v *epochVisitor) batch(b *decode.Batch) {
	blind := v.blind
	v.blind = false
	if b.Magic < 2 || b.LeaderEpoch == -1 {
		return // messages before epochs came into use
	}
	if b.LeaderEpoch < 0 {
		v.w.s.add(epochFell(-1, epochRun{b.LeaderEpoch, b.BaseOffset, b.Position, v.w.file, false}))
		v.blind = true
		return
	}
	n := len(v.runs)
	if n > 0 && v.runs[n-1].epoch == b.LeaderEpoch {
		return
	}
	if n > 0 && v.runs[n-1].epoch > b.LeaderEpoch {
		v.w.s.add(epochFell(v.runs[n-1].epoch, epochRun{b.LeaderEpoch, b.BaseOffset, b.Position, v.w.file, false}))
	}
	if n >= maxEpochs {
		v.cut = true
		v.runs = v.runs[:n-1]
	}
	v.runs = append(v.runs, epochRun{b.LeaderEpoch, b.BaseOffset, b.Position, v.w.file, blind})
}

func epochFell(before int32, r epochRun) Finding {
	return Finding{Rule: epochDecreasing, File: r.file, Position: r.pos, Offset: r.first,
		Message: fmt.Sprintf("leader epoch %d after %d", r.epoch, before),
		Want:    "at least " + itoa(before), Got: itoa(r.epoch)}
}

func (v *epochVisitor) damaged(int64, int64) { v.blind = true }
func (v *epochVisitor) end(int64)            {}

// epochHistory is what the segments of a partition say about its epochs.
type epochHistory struct {
	runs      []epochRun // one for each epoch, unless they decrease
	end       int64      // log end offset
	endKnown  bool
	compacted bool
}

// add takes over the epochs of the next segment. blind says that something is
// missing before it.
func (h *epochHistory) add(s *sink, runs []epochRun, blind bool) {
	for i, r := range runs {
		r.blind = r.blind || blind && i == 0
		n := len(h.runs)
		if n > 0 && h.runs[n-1].epoch == r.epoch {
			continue
		}
		if i == 0 && n > 0 && h.runs[n-1].epoch > r.epoch {
			s.add(epochFell(h.runs[n-1].epoch, r))
		}
		h.runs = append(h.runs, r)
	}
}

// at gives the epoch of the record at an offset; ok is false if it is not known.
func (h *epochHistory) at(offset int64) (epoch int32, ok bool) {
	i, exact := slices.BinarySearchFunc(h.runs, offset, func(r epochRun, o int64) int { return cmp.Compare(r.first, o) })
	if !exact {
		i--
	}
	if i < 0 || offset >= h.end || i+1 < len(h.runs) && h.runs[i+1].blind {
		return 0, false
	}
	return h.runs[i].epoch, true
}

// checkEpochs holds leader-epoch-checkpoint against the batches. On a running
// node the file is read before and after the log, and what is wrong with both
// is wrong.
func (p *partition) checkEpochs(s *sink, h *epochHistory) {
	path := filepath.Join(p.dir, epochFileName)
	if !p.epochsRead {
		if p.named && len(h.runs) > 0 && !p.has(epochFileName) {
			s.add(Finding{Rule: epochNoFile, File: p.dir, Position: -1, Offset: -1, Message: "there is no " + epochFileName})
		}
		return
	}
	found := p.c.newSink()
	compareEpochs(found, path, p.epochs, h)
	if found.alarming() {
		again := p.c.newSink()
		if late, ok := p.readEpochs(p.c.newSink()); ok {
			compareEpochs(again, path, late, h)
		}
		found.keepSame(again)
	}
	s.addAll(found.list)
}

// readEpochs reads the checkpoint; ok is false if there is nothing to compare.
func (p *partition) readEpochs(s *sink) (list []index.EpochEntry, ok bool) {
	path := filepath.Join(p.dir, epochFileName)
	data, ok := p.c.readSmall(s, path)
	if !ok {
		return nil, false
	}
	list, err := checkEpochFile(s, data, path)
	return list, err == nil
}

// checkEpochFile checks the file by itself.
func checkEpochFile(s *sink, data []byte, path string) ([]index.EpochEntry, error) {
	list, err := index.ParseEpochCheckpoint(data, path)
	if err != nil {
		s.add(damage(epochBad, path, err))
		return nil, err
	}
	if err := index.VerifyEpochs(list, path); err != nil {
		s.add(damage(epochOrder, path, err))
		return nil, err
	}
	return list, nil
}

// compareEpochs holds entries that are in order against the batches.
func compareEpochs(s *sink, path string, entries []index.EpochEntry, h *epochHistory) {
	listed := make(map[int32]int, len(entries))
	for i, e := range entries {
		listed[e.Epoch] = i
	}
	met := make(map[int32]bool, len(h.runs))
	for k, r := range h.runs {
		if met[r.epoch] {
			continue // it came back, which is reported as decreasing
		}
		met[r.epoch] = true
		i, ok := listed[r.epoch]
		if !ok {
			if len(entries) == 0 || r.epoch > entries[0].Epoch || r.first >= entries[0].StartOffset {
				s.add(Finding{Rule: epochUnlisted, File: path, Position: -1, Offset: r.first,
					Message: fmt.Sprintf("the batch at offset %d has epoch %d, which the checkpoint does not have", r.first, r.epoch), Got: itoa(r.epoch)})
			}
			continue
		}
		start := entries[i].StartOffset
		switch {
		case r.first == start || r.blind:
			continue
		case r.first < start && i == 0 && (k+1 == len(h.runs) || start < h.runs[k+1].first):
			continue // the start of the log moved on inside the segment
		case r.first > start && (k == 0 || h.compacted):
			continue // the first records of the epoch are gone
		}
		f := Finding{Rule: epochStartBad, File: path, Position: -1, Offset: start,
			Message: fmt.Sprintf("epoch %d starts at offset %d, the batches say %d", r.epoch, start, r.first)}
		f.Want, f.Got = itoa(r.first), itoa(start)
		s.add(f)
	}
	for _, e := range entries {
		f := Finding{File: path, Position: -1, Offset: e.StartOffset}
		switch {
		case h.endKnown && e.StartOffset > h.end:
			f.Rule, f.Message = epochBeyond, fmt.Sprintf("epoch %d starts at offset %d, the log ends at %d", e.Epoch, e.StartOffset, h.end)
			f.Want, f.Got = "at most "+itoa(h.end), itoa(e.StartOffset)
		case !met[e.Epoch] && !h.compacted && e.StartOffset < h.end && len(h.runs) > 0 && e.StartOffset > h.runs[0].first && !h.blind():
			f.Rule, f.Message = epochStartBad, fmt.Sprintf("epoch %d starts at offset %d, but no batch has it", e.Epoch, e.StartOffset)
		default:
			continue
		}
		s.add(f)
	}
}

func (h *epochHistory) blind() bool {
	return slices.ContainsFunc(h.runs, func(r epochRun) bool { return r.blind })
}
