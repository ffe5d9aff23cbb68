package raft

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"time"
)

// Raft is a replica. Its methods must not be called at the same time.
type Raft struct {
	cfg Config
	now Time // of the current call
	err error

	epoch int32
	role  role
	// saved is the election state on disk.
	saved ElectionState

	log    logState
	voters voterHistory
	// highWatermark is what is known to be committed, Unknown at first. A leader that
	// has not committed anything in its epoch has told nobody of it.
	highWatermark int64
	announced     LeaderChanged // the last one

	flushing  bool
	flushSeq  uint64
	flushGoal int64 // what the flush that runs makes durable; truncation lowers it

	// installing is set from InstallSnapshot to SnapshotInstalled.
	installing bool

	nodes       map[int32]*node
	askAgain    Time // when bootstrap servers may be asked again
	correlation uint64

	stopping bool // Shutdown was asked for
	stopBy   Time
	stopped  bool

	acts []Action
	late []Action // see BreakSyncVote
}

// New makes a replica from what its disk holds (section 3). The first Ready may have
// actions already.
func New(cfg Config, boot Boot, now Time) (*Raft, error) {
	cfg.Defaults()
	if err := cfg.check(); err != nil {
		return nil, err
	}
	r := &Raft{
		cfg: cfg, now: now, highWatermark: Unknown, announced: LeaderChanged{Leader: None},
		voters: voterHistory{static: boot.Static, voters: slices.Clone(boot.Voters), versions: slices.Clone(boot.Versions), visible: math.MaxInt64},
		log:    logState{start: boot.Start, end: boot.End, flushed: boot.End, epochs: slices.Clone(boot.Epochs)},
		nodes:  map[int32]*node{},
		saved:  boot.Election,
	}
	for _, s := range boot.Snapshots {
		r.log.addSnapshot(s)
	}
	if err := r.log.check(); err != nil {
		return nil, err
	}
	if r.broken(BreakVotersAtAppend) {
		r.voters.visible = r.log.start
	}
	return r, r.restart(boot.Election)
}

// restart finds the state to begin in: section 3, "start-up".
func (r *Raft) restart(e ElectionState) error {
	last := r.log.lastEpoch()
	self := r.cfg.Self
	r.epoch = max(e.Epoch, last)
	switch leader, known := r.endpointsOf(e.Leader); {
	case e.Epoch < last:
		r.enter(&unattached{leader: None, vote: nobody, election: r.electionTimer()})
	case e.Voted.ID != None && self.ID == None:
		return fmt.Errorf("the election state says that this replica voted for %v, and it has no node id", e.Voted)
	case e.Leader == self.ID && self.ID != None && r.broken(BreakResign):
		r.lead(nil)
	case e.Leader == self.ID && self.ID != None:
		r.enter(r.newResigned(nil))
	case e.Voted == self && r.mayCampaign():
		r.enter(r.newCandidate())
		r.maybeLead()
	case e.Leader != None && known:
		r.enter(r.newFollower(e.Leader, leader, e.Voted))
	default:
		r.enter(&unattached{leader: e.Leader, vote: e.Voted, election: r.electionTimer()})
	}
	if _, leads := r.role.(*leader); leads || !r.isVoter() || r.voters.current().majority() > 1 {
		return nil
	}
	// The only voter has nobody to wait for.
	switch r.role.(type) {
	case *unattached, *follower, *resigned:
		r.campaign()
	}
	return nil
}

// nobody is the vote of one who has not voted.
var nobody = ReplicaKey{ID: None}

// ErrStopped is returned by a replica that has stopped, or failed before.
var ErrStopped = errors.New("the replica has stopped")

// Fatal is a contradiction that a replica must not live with: what it was told would
// undo what is committed. The process has to end, and a person to look.
type Fatal struct{ Problem string }

// Error says what the contradiction is.
func (f *Fatal) Error() string { return "the replica stops: " + f.Problem }

func (r *Raft) fatalf(format string, args ...any) {
	if r.err == nil {
		r.err = &Fatal{fmt.Sprintf(format, args...)}
	}
}

// Step takes an event. Requests and answers that make no sense are refused or ignored;
// an error, a [*Fatal], ends the replica.
func (r *Raft) Step(now Time, ev Event) error {
	if r.err != nil {
		return r.err
	}
	r.now = max(r.now, now)
	switch ev := ev.(type) {
	case Received:
		r.receive(&ev)
	case Answered:
		r.answered(&ev)
	case Failed:
		r.failed(&ev)
	case Flushed:
		r.flushed(ev.Seq)
	case SnapshotInstalled:
		r.snapshotInstalled(&ev)
	case SnapshotCreated:
		r.log.addSnapshot(Snapshot(ev))
		r.voters.trim(ev.ID.EndOffset - 1)
	case LogStartMoved:
		r.log.moveStart(ev.Start)
	case Shutdown:
		r.shutdown(ev.Timeout)
	case Resign:
		if l, leads := r.role.(*leader); leads && ev.Epoch == r.epoch {
			l.resigning = true
		}
	}
	return r.err
}

// receive hands a request to the file of its name.
func (r *Raft) receive(in *Received) {
	switch q := in.Request.(type) {
	case *VoteRequest:
		r.vote(in, q)
	case *BeginQuorumEpochRequest:
		r.beginQuorumEpoch(in, q)
	case *EndQuorumEpochRequest:
		r.endQuorumEpoch(in, q)
	case *FetchRequest:
		r.fetch(in, q)
	case *FetchSnapshotRequest:
		r.fetchSnapshot(in, q)
	case *DescribeQuorumRequest:
		r.describeQuorum(in, q)
	case *AddVoterRequest:
		r.addVoter(in, q)
	case *RemoveVoterRequest:
		r.removeVoter(in, q)
	case *UpdateVoterRequest:
		r.updateVoter(in, q)
	case *UpgradeRequest:
		r.upgrade(in, q)
	default:
		r.reply(in.ID, &VoterResponse{Error: ErrInvalidRequest})
	}
}

// maxPolls bounds how often the state changes without anything happening in between:
// an election of a single voter takes a few steps.
const maxPolls = 64

// Ready gives what is to be done now. The list is valid until the next call of Ready.
func (r *Raft) Ready(now Time) ([]Action, error) {
	if r.err != nil {
		return nil, r.err
	}
	r.now = max(r.now, now)
	for i := 0; r.poll(); i++ {
		if i == maxPolls {
			r.fatalf("the state does not settle: it is %T in epoch %d", r.role, r.epoch)
			break
		}
	}
	r.completeFetches()
	if !r.flushing && r.log.flushed < r.log.end {
		r.flushing = true
		r.flushGoal = r.log.end
		r.flushSeq++
		r.do(Flush{r.flushSeq})
	}
	if r.err != nil {
		return nil, r.err
	}
	acts := append(r.acts, r.late...)
	r.acts, r.late = nil, nil
	return acts, nil
}

// poll does what the time asks for. It is true if the state has changed, and must be
// looked at again.
func (r *Raft) poll() bool {
	r.maybeStop()
	if r.err != nil || r.stopped || r.installing {
		return false // while a snapshot takes the place of the log, nothing is known of it
	}
	return r.role.poll(r)
}

// Deadline is when Ready must be called again if nothing happens before.
func (r *Raft) Deadline() Time {
	if r.err != nil || r.stopped || r.installing {
		return never
	}
	at := r.role.deadline(r)
	if r.stopping {
		at = min(at, r.stopBy)
	}
	return max(at, r.now+1)
}

func (r *Raft) do(a Action) { r.acts = append(r.acts, a) }

func (r *Raft) reply(id uint64, resp Response) { r.do(Reply{ID: id, Response: resp}) }

// flushed takes the end of a flush.
func (r *Raft) flushed(seq uint64) {
	if !r.flushing || seq != r.flushSeq {
		return
	}
	r.flushing = false
	r.log.flushed = max(r.log.flushed, r.flushGoal)
	if l, leads := r.role.(*leader); leads {
		l.advance(r)
	}
}

// shutdown begins to leave: section 12.
func (r *Raft) shutdown(timeout time.Duration) {
	if r.stopping {
		return
	}
	r.stopping = true
	r.stopBy = r.now.after(timeout)
	if l, leads := r.role.(*leader); leads {
		l.resigning = true
	}
}

// maybeStop ends a replica that is leaving, once nobody needs it: another leads, or
// it is no voter, or the only one.
func (r *Raft) maybeStop() {
	if !r.stopping || r.stopped {
		return
	}
	known := r.role.leaderID(r) != None && r.role.leaderID(r) != r.cfg.Self.ID
	alone := r.voters.current().Len() == 1
	needed := r.isVoter()
	switch r.role.(type) {
	case *leader, *resigned: // whose voters have to be told, even if it is none of them
		needed = true
	}
	if known || alone || !needed || r.now >= r.stopBy {
		r.stopped = true
		r.do(Stopped{})
	}
}

// isVoter reports whether this replica is in the voter set that counts now.
func (r *Raft) isVoter() bool {
	return r.cfg.Self.ID != None && r.voters.current().Contains(r.cfg.Self)
}

// mayCampaign reports whether this replica may be elected: as a voter, or as one that
// its log says is none any more while that is not known to be committed. Perhaps it
// alone has that record of those that are left, and nobody else can be elected by
// those who go by the older set (section 4.2.2 of the Raft dissertation; Kafka's
// replicas stay stuck then). It does not vote for itself, and resigns when the record
// is committed.
func (r *Raft) mayCampaign() bool {
	if r.isVoter() || r.cfg.Self.ID == None {
		return r.cfg.Self.ID != None
	}
	at, known := r.voters.currentAt()
	before, was := r.voters.previous()
	return known && was && at >= r.highWatermark && before.Contains(r.cfg.Self)
}

// randomTimeout is a time between t and 2t from now.
func (r *Raft) randomTimeout(t time.Duration) Time {
	if t <= 0 {
		return r.now
	}
	return r.now.after(t + time.Duration(r.cfg.Rand(int64(t))))
}

// electionTimer is a fresh election timeout: observers have none.
func (r *Raft) electionTimer() Time {
	if !r.mayCampaign() {
		return never
	}
	return r.randomTimeout(r.cfg.ElectionTimeout)
}
