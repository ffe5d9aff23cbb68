package raft

import (
	"cmp"
	"slices"
	"strings"
)

// Voter is a member of a voter set.
type Voter struct {
	Key       ReplicaKey
	Endpoints []Endpoint
	// MinVersion and MaxVersion are the levels of kraft.version that it supports.
	MinVersion, MaxVersion int16
}

func (v Voter) equal(o Voter) bool {
	return v.Key == o.Key && v.MinVersion == o.MinVersion && v.MaxVersion == o.MaxVersion && slices.Equal(v.Endpoints, o.Endpoints)
}

// supports reports whether the voter can run at a level of kraft.version.
func (v Voter) supports(level int16) bool { return v.MinVersion <= level && level <= v.MaxVersion }

// VoterSet is a set of voters with different ids. It is never changed once made, so
// that copies may share it. The zero value is the empty set.
type VoterSet struct {
	voters []Voter // by id
}

// NewVoterSet makes a set; of voters with the same id the last one counts.
func NewVoterSet(voters ...Voter) VoterSet {
	var s VoterSet
	for _, v := range voters {
		s = s.with(v)
	}
	return s
}

// All gives the voters by ascending id. The slice must not be changed.
func (s VoterSet) All() []Voter { return s.voters }

// Len is the number of voters.
func (s VoterSet) Len() int { return len(s.voters) }

// majority is the number of voters that decide.
func (s VoterSet) majority() int { return len(s.voters)/2 + 1 }

func byVoterID(v Voter, id int32) int { return cmp.Compare(v.Key.ID, id) }

// byID finds the voter with an id.
func (s VoterSet) byID(id int32) (Voter, bool) {
	i, ok := slices.BinarySearchFunc(s.voters, id, byVoterID)
	if !ok {
		return Voter{}, false
	}
	return s.voters[i], true
}

// Contains reports whether a replica is a voter: by its id and, where the set knows
// it, its directory.
func (s VoterSet) Contains(k ReplicaKey) bool {
	v, ok := s.byID(k.ID)
	return ok && v.Key.Matches(k)
}

// with adds a voter, or replaces the one with its id.
func (s VoterSet) with(v Voter) VoterSet {
	out := s.without(v.Key.ID).voters
	i, _ := slices.BinarySearchFunc(out, v.Key.ID, byVoterID)
	return VoterSet{voters: slices.Insert(out, i, v)}
}

// without takes the voter with an id away.
func (s VoterSet) without(id int32) VoterSet {
	out := make([]Voter, 0, len(s.voters)+1)
	for _, v := range s.voters {
		if v.Key.ID != id {
			out = append(out, v)
		}
	}
	return VoterSet{voters: out}
}

// Equal reports whether two sets are the same, endpoints and all.
func (s VoterSet) Equal(o VoterSet) bool {
	return slices.EqualFunc(s.voters, o.voters, Voter.equal)
}

// OneStep reports whether two sets differ by one voter at most, so that every majority
// of one has a voter in common with every majority of the other.
func (s VoterSet) OneStep(o VoterSet) bool {
	return s.missingIn(o)+o.missingIn(s) <= 1
}

// missingIn counts the voters of s that o does not have, by key.
func (s VoterSet) missingIn(o VoterSet) int {
	n := 0
	for _, v := range s.voters {
		if w, ok := o.byID(v.Key.ID); !ok || w.Key != v.Key && !v.Key.Directory.IsZero() && !w.Key.Directory.IsZero() {
			n++
		}
	}
	return n
}

// String lists the keys.
func (s VoterSet) String() string {
	var b strings.Builder
	b.WriteByte('[')
	for i, v := range s.voters {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(v.Key.String())
	}
	b.WriteByte(']')
	return b.String()
}
