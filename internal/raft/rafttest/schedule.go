package rafttest

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"kraftctl/internal/raft"
)

// Kind is something that happens to a replica or the network.
type Kind uint8

// The kinds of Op.
const (
	Crash         Kind = iota // Node stops between two actions, and is back after For
	CrashLeader               // the leader does
	Pause                     // Node does nothing for For; its clock goes on
	Stop                      // Node is asked to stop, and is back after For
	Move                      // Node is back at another address after For
	Isolate                   // Node hears and is heard by nobody for For
	IsolateLeader             // the leader and Node are cut off from all others for For
	Deaf                      // Node hears nobody, and is heard, for For
	Mute                      // Node is heard by nobody, and hears, for For
	Split                     // the replicas are split in two by Mask for For
	SlowDisk                  // flushes of Node take For longer, for a while
	FullDisk                  // the next append of Node fails, and Node with it
	Wipe                      // Node loses its disk
	Rot                       // the disk of Node rots, which is noticed: it gets a new one
	Jump                      // the clock of Node jumps ahead by For
	TakeSnapshot              // Node writes a snapshot
	CleanLog                  // Node cleans its log up to its latest snapshot
	AddVoter                  // Node is to be a voter
	RemoveVoter               // Node is to be none
	ResignLeader              // the leader is asked to resign
	Storm                     // the network is bad for For
	kindCount
)

var kindNames = [kindCount]string{
	"crash", "crash-leader", "pause", "stop", "move", "isolate", "isolate-leader", "deaf", "mute", "split", "slow-disk", "full-disk", "wipe",
	"rot", "clock-jump", "snapshot", "clean", "add-voter", "remove-voter", "resign", "storm",
}

// String is the name of the kind.
func (k Kind) String() string { return kindNames[k] }

// Op is a fault, or something an operator does, at a time.
type Op struct {
	At   time.Duration
	Kind Kind
	Node int // index of a replica
	For  time.Duration
	Mask uint
}

// String describes the op on a line.
func (o Op) String() string {
	return fmt.Sprintf("%v %v n%d for %v mask %b", o.At.Round(time.Millisecond), o.Kind, o.Node+1, o.For.Round(time.Millisecond), o.Mask)
}

// Schedule is everything about a run.
type Schedule struct {
	Seed      uint64
	Voters    int // replicas that are voters at first
	Observers int // and others that may become voters
	Level     int16
	Upgrades  bool // kraft.version is to be 1 later
	OldPeers  uint // mask of replicas that know no pre-vote
	Linger    time.Duration
	Loss      float64 // of messages, at calm times
	Duplicate float64
	Late      float64 // of messages that take up to seconds
	Propose   time.Duration
	Faults    time.Duration // how long there are faults
	Ops       []Op
}

// String describes the schedule, an op a line.
func (s *Schedule) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "seed %d: %d voters, %d observers, kraft.version %d, linger %v, loss %.3f, duplicates %.3f, late %.3f, a proposal every %v, faults for %v, without pre-vote %b\n",
		s.Seed, s.Voters, s.Observers, s.Level, s.Linger, s.Loss, s.Duplicate, s.Late, s.Propose, s.Faults, s.OldPeers)
	for _, o := range s.Ops {
		fmt.Fprintf(&b, "  %v\n", o)
	}
	return b.String()
}

// weights are how often each kind comes, of a hundred or so.
var weights = [kindCount]int{
	Crash: 10, CrashLeader: 14, Pause: 5, Stop: 3, Move: 2, Isolate: 6, IsolateLeader: 8, Deaf: 4, Mute: 4, Split: 5, SlowDisk: 5, FullDisk: 2,
	Wipe: 3, Rot: 1, Jump: 3, TakeSnapshot: 12, CleanLog: 8, AddVoter: 6, RemoveVoter: 5, ResignLeader: 4, Storm: 5,
}

// NewSchedule makes the schedule of a seed.
func NewSchedule(seed uint64) *Schedule {
	rng := rand.New(rand.NewPCG(seed, 0x6b72616674))
	s := &Schedule{
		Seed: seed, Voters: []int{1, 2, 3, 3, 3, 3, 4, 5, 5, 7}[rng.IntN(10)], Observers: rng.IntN(3),
		Level: int16(rng.IntN(3) / 2), Linger: []time.Duration{0, 5 * time.Millisecond, 25 * time.Millisecond}[rng.IntN(3)],
		Propose: time.Duration(5+rng.IntN(150)) * time.Millisecond,
		Faults:  time.Duration(5+rng.IntN(20)) * time.Second,
	}
	if rng.IntN(3) > 0 {
		s.Level = 1
	}
	s.Upgrades = s.Level == 0 && rng.IntN(2) == 0
	if rng.IntN(4) == 0 {
		s.OldPeers = uint(rng.IntN(1 << (s.Voters + s.Observers)))
	}
	if rng.IntN(3) > 0 {
		s.Loss, s.Duplicate, s.Late = rng.Float64()*0.1, rng.Float64()*0.1, rng.Float64()*0.05
	}
	n := s.Voters + s.Observers
	total := 0
	for _, w := range weights {
		total += w
	}
	for range 3 + rng.IntN(30) {
		at := rng.IntN(total)
		kind := Kind(0)
		for at >= weights[kind] {
			at -= weights[kind]
			kind++
		}
		s.Ops = append(s.Ops, Op{
			At: time.Duration(rng.Int64N(int64(s.Faults))), Kind: kind, Node: rng.IntN(n), Mask: uint(rng.IntN(1 << n)),
			For: time.Duration(rng.ExpFloat64() * float64(1500*time.Millisecond)),
		})
	}
	return s
}

// Options are how a schedule is run.
type Options struct {
	Break raft.Rules
	// Trace gets a line for everything that happens; nil for none.
	Trace func(line string)
}
