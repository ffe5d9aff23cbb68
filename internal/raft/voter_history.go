package raft

import "slices"

// VotersAt is a voter set and where it comes from.
type VotersAt struct {
	// Offset is that of the KRaftVoters record; for a snapshot the last offset that
	// it stands for, which is -1 for the one that format wrote.
	Offset int64
	Voters VoterSet
}

// VersionAt is a level of kraft.version and where it comes from, as in VotersAt.
type VersionAt struct {
	Offset int64
	Level  int16
}

// voterHistory is which voters, and which level of kraft.version, the log and the
// snapshots give at each offset (section 8). A set counts as soon as its record is in
// the log, committed or not: that is what makes one change at a time safe. Truncation
// takes it back.
type voterHistory struct {
	static   VoterSet // from the configuration: kraft.version 0
	voters   []VotersAt
	versions []VersionAt
	// visible is the offset below which records count: all of them, but for
	// BreakVotersAtAppend.
	visible int64
}

// current is the voter set that counts now.
func (h *voterHistory) current() VoterSet {
	for i := len(h.voters) - 1; i >= 0; i-- {
		if h.voters[i].Offset < h.visible {
			return h.voters[i].Voters
		}
	}
	return h.static
}

// previous is the voter set before the current one, while it is remembered.
func (h *voterHistory) previous() (VoterSet, bool) {
	switch n := len(h.voters); {
	case n > 1:
		return h.voters[n-2].Voters, true
	case n == 1:
		return h.static, h.static.Len() > 0
	}
	return VoterSet{}, false
}

// currentAt is the offset of the current set's record: -1 from the bootstrap snapshot;
// ok is false when the set is that of the configuration.
func (h *voterHistory) currentAt() (offset int64, ok bool) {
	if n := len(h.voters); n > 0 {
		return h.voters[n-1].Offset, true
	}
	return Unknown, false
}

// level is the level of kraft.version that counts now.
func (h *voterHistory) level() int16 {
	if n := len(h.versions); n > 0 {
		return h.versions[n-1].Level
	}
	return 0
}

// at gives set and level as they were after the record at an offset, for the header
// of a snapshot; ok is false when there was no set in log or snapshot by then.
func (h *voterHistory) at(offset int64) (set VoterSet, level int16, ok bool) {
	for _, v := range h.voters {
		if v.Offset <= offset {
			set, ok = v.Voters, true
		}
	}
	for _, v := range h.versions {
		if v.Offset <= offset {
			level = v.Level
		}
	}
	return set, level, ok
}

// add takes the records of an appended batch.
func (h *voterHistory) add(b *Batch) {
	for i, c := range b.Control {
		switch offset := b.Base + int64(i); c.Type {
		case ControlVoters:
			h.voters = append(h.voters, VotersAt{offset, c.Voters})
		case ControlVersion:
			h.versions = append(h.versions, VersionAt{offset, c.Level})
		}
	}
}

// truncate forgets what came from records at end and behind.
func (h *voterHistory) truncate(end int64) {
	h.voters = slices.DeleteFunc(h.voters, func(v VotersAt) bool { return v.Offset >= end })
	h.versions = slices.DeleteFunc(h.versions, func(v VersionAt) bool { return v.Offset >= end })
}

// reset replaces everything by what a snapshot says.
func (h *voterHistory) reset(end int64, level int16, set *VoterSet) {
	h.voters, h.versions = nil, nil
	if level > 0 {
		h.versions = []VersionAt{{end - 1, level}}
	}
	if set != nil {
		h.voters = []VotersAt{{end - 1, *set}}
	}
}

// trim forgets what no snapshot at or behind an offset can be asked for.
func (h *voterHistory) trim(offset int64) {
	for len(h.voters) > 1 && h.voters[1].Offset <= offset {
		h.voters = h.voters[1:]
	}
	for len(h.versions) > 1 && h.versions[1].Offset <= offset {
		h.versions = h.versions[1:]
	}
}
