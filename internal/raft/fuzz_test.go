package raft

import (
	"math"
	"testing"
	"time"
)

// input gives numbers from bytes, for as long as there are any.
type input []byte

func (in *input) next(n int) int {
	if len(*in) == 0 {
		return 0
	}
	b := (*in)[0]
	*in = (*in)[1:]
	return int(b) % n
}

// offset is mostly small, and sometimes at the edges of what fits.
func (in *input) offset() int64 {
	switch in.next(12) {
	case 0:
		return -1
	case 1:
		return math.MaxInt64
	case 2:
		return math.MinInt64
	case 3:
		return math.MaxInt64 - int64(in.next(4))
	}
	return int64(in.next(24))
}

func (in *input) epoch() int32 {
	switch in.next(12) {
	case 0:
		return -1
	case 1:
		return math.MaxInt32
	case 2:
		return math.MinInt32
	}
	return int32(in.next(8))
}

func (in *input) key() ReplicaKey {
	id := int32(in.next(6)) - 1
	return ReplicaKey{ID: id, Directory: UUID{15: byte(id+1) + byte(in.next(3)/2)}}
}

func (in *input) endpoints() []Endpoint {
	return []Endpoint{{}, {Listener: "CONTROLLER", Host: "h", Port: uint16(in.next(4))}}[in.next(2):]
}

func (in *input) target() Target {
	names := []string{"c", "other"}
	t := Target{OtherTopic: in.next(16) == 1}
	if in.next(4) > 0 {
		t.ClusterID = &names[in.next(8)/7]
	}
	return t
}

func (in *input) hint() LeaderHint {
	h := LeaderHint{LeaderID: int32(in.next(6)) - 1, Epoch: in.epoch(), HasEndpoint: in.next(3) > 0}
	h.Endpoint = Endpoint{Listener: "CONTROLLER", Host: "h", Port: uint16(in.next(4))}
	return h
}

func (in *input) error() ErrorCode {
	list := []ErrorCode{0, 0, 0, 0, -1, 6, 7, 8, 31, 35, 42, 74, 75, 98, 99, 104, 125, 126, 127}
	return list[in.next(len(list))]
}

func (in *input) batches() (list []Batch) {
	base := in.offset()
	for range in.next(4) {
		b := Batch{Base: base, Count: int32(in.next(6)) - 1, Epoch: in.epoch()}
		switch in.next(6) {
		case 0:
			b.Control = []Control{{Type: ControlVoters, Voters: NewVoterSet(Voter{Key: in.key()}, Voter{Key: in.key()})}}
		case 1:
			b.Control = []Control{{Type: ControlVersion, Level: int16(in.next(3))}, {Type: ControlLeaderChange}}
		}
		list = append(list, b)
		base += int64(b.Count)
	}
	return list
}

func (in *input) place() *SnapshotID {
	if in.next(3) > 0 {
		return nil
	}
	return &SnapshotID{in.offset(), in.epoch()}
}

func (in *input) request() Request {
	switch in.next(10) {
	case 0:
		return &VoteRequest{Target: in.target(), Voter: in.key(), HasVoter: in.next(3) == 0, Epoch: in.epoch(), From: in.key(), Last: SnapshotID{in.offset(), in.epoch()}, PreVote: in.next(2) == 0}
	case 1:
		return &BeginQuorumEpochRequest{Target: in.target(), Voter: in.key(), HasVoter: in.next(3) == 0, Leader: int32(in.next(6)) - 1, Epoch: in.epoch(), Endpoints: in.endpoints()}
	case 2:
		return &EndQuorumEpochRequest{Target: in.target(), Leader: int32(in.next(6)) - 1, Epoch: in.epoch(), Candidates: []ReplicaKey{in.key(), in.key()}[in.next(3):], Endpoints: in.endpoints()}
	case 3:
		return &FetchRequest{Target: in.target(), From: in.key(), Epoch: in.epoch(), Offset: in.offset(), LastEpoch: in.epoch(), MaxWait: time.Duration(in.offset()), MaxBytes: int32(in.next(3)), HighWatermark: in.offset()}
	case 4:
		return &FetchSnapshotRequest{Target: in.target(), From: in.key(), Epoch: in.epoch(), ID: SnapshotID{in.offset(), in.epoch()}, Position: in.offset(), MaxBytes: int32(in.next(3)) - 1}
	case 5:
		return &DescribeQuorumRequest{OtherTopic: in.next(2) == 0}
	case 6:
		return &AddVoterRequest{ClusterID: in.target().ClusterID, Timeout: time.Duration(in.offset()), Voter: in.key(), Endpoints: in.endpoints(), AckWhenAppended: in.next(2) == 0}
	case 7:
		return &RemoveVoterRequest{ClusterID: in.target().ClusterID, Voter: in.key()}
	case 8:
		return &UpdateVoterRequest{ClusterID: in.target().ClusterID, Epoch: in.epoch(), Voter: Voter{Key: in.key(), Endpoints: in.endpoints(), MinVersion: int16(in.next(3)) - 1, MaxVersion: int16(in.next(3))}}
	}
	return &UpgradeRequest{Level: int16(in.next(4)) - 1, ValidateOnly: in.next(2) == 0}
}

func (in *input) response() Response {
	switch in.next(6) {
	case 0:
		return &VoteResponse{TopError: in.error() * ErrorCode(in.next(2)), Error: in.error(), LeaderHint: in.hint(), Granted: in.next(2) == 0}
	case 1:
		return &QuorumEpochResponse{Error: in.error(), LeaderHint: in.hint()}
	case 2:
		return &FetchResponse{Error: in.error(), LeaderHint: in.hint(), HighWatermark: in.offset(), LogStart: in.offset(), Diverging: in.place(), Snapshot: in.place(), Batches: in.batches()}
	case 3:
		return &FetchSnapshotResponse{Error: in.error(), LeaderHint: in.hint(), ID: SnapshotID{in.offset(), in.epoch()}, Size: in.offset(), Position: in.offset(), Data: make([]byte, in.next(64))}
	case 4:
		return &VoterResponse{Error: in.error(), LeaderHint: in.hint()}
	}
	return &VersionsResponse{Error: in.error(), MaxVersion: int16(in.next(3))}
}

// FuzzReplica tells a replica anything, in any order. It never panics; it answers every
// request once at most; its epoch, its high watermark and what it saves never go back;
// it wants to be woken later, not now; and what it appends goes on where its log ends.
// Requests for another cluster or topic leave it as it was.
func FuzzReplica(f *testing.F) {
	f.Add([]byte{1, 2, 3, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9})
	f.Add([]byte{0, 1, 0, 6, 200, 6, 200, 1, 0, 0, 6, 0, 5, 2, 2, 1, 0, 0, 0, 4, 3, 4, 1, 4})
	for seed := range byte(20) {
		var data []byte
		for i := range 300 {
			data = append(data, byte(i*i*7)+seed*31+byte(i>>3))
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		in := input(data)
		fuzzReplica(t, &in)
	})
}

func fuzzReplica(t *testing.T, in *input) {
	level := int16(in.next(2))
	boot := Boot{Election: NoElection()}
	var set VoterSet
	for id := range int32(1 + in.next(4)) {
		v := Voter{Key: ReplicaKey{id, UUID{15: byte(id + 1)}}, Endpoints: []Endpoint{{"CONTROLLER", "h", uint16(id)}}, MaxVersion: 1}
		if level == 0 {
			v.Key.Directory = UUID{}
		}
		set = set.with(v)
	}
	if level == 0 {
		boot.Static = set
	} else {
		boot.Voters, boot.Versions = []VotersAt{{-1, set}}, []VersionAt{{-1, 1}}
	}
	if in.next(2) == 0 {
		boot.End, boot.Epochs = 6, []EpochStart{{1, 0}, {2, 4}}
		boot.Election.Epoch = 2 + int32(in.next(3))
		boot.Election.Leader = int32(in.next(5)) - 1
	}
	cfg := Config{
		Self: ReplicaKey{0, UUID{15: 1}}, ClusterID: "c", Listener: "CONTROLLER", Endpoints: []Endpoint{{"CONTROLLER", "h", 0}},
		AutoJoin: in.next(2) == 0, Rand: func(n int64) int64 { return int64(in.next(255)) % n },
	}
	r, err := New(cfg, boot, 0)
	if err != nil {
		t.Fatal(err)
	}
	w := &fuzzWorld{t: t, r: r, end: boot.End, saved: boot.Election, hw: Unknown}
	w.ready()
	for len(*in) > 0 && w.err == nil {
		before := r.Status()
		switch in.next(8) {
		case 0, 1, 2:
			w.asked++
			q := in.request()
			foreign := false
			switch q := q.(type) {
			case *VoteRequest:
				foreign = q.OtherTopic || q.ClusterID != nil && *q.ClusterID != "c"
			case *BeginQuorumEpochRequest:
				foreign = q.OtherTopic || q.ClusterID != nil && *q.ClusterID != "c"
			}
			w.step(Received{ID: w.asked, Listener: "CONTROLLER", Request: q})
			if after := r.Status(); foreign && (after.Epoch != before.Epoch || after.LeaderID != before.LeaderID || after.Voted != before.Voted) {
				t.Fatalf("%+v changed %+v to %+v", q, before, after)
			}
		case 3, 4:
			if len(w.sent) > 0 {
				s := w.sent[in.next(len(w.sent))]
				w.step(Answered{Node: s.To.ID, Correlation: s.Correlation, Response: in.response()})
			}
		case 5:
			if len(w.sent) > 0 {
				s := w.sent[in.next(len(w.sent))]
				w.step(Failed{Node: s.To.ID, Correlation: s.Correlation, Error: in.error()})
			}
		case 6:
			w.now = min(r.Deadline(), w.now+Time(in.next(255))*Time(10*time.Millisecond))
			w.ready()
		case 7:
			switch in.next(4) {
			case 0:
				_, _ = r.Propose(w.now, before.Epoch, [][]byte{make([]byte, in.next(64))})
			case 1:
				w.step(Resign{before.Epoch})
			case 2:
				w.step(Flushed{uint64(in.next(9))}) // of another flush
			case 3:
				if in.next(9) == 0 {
					w.step(Shutdown{time.Second})
				}
			}
			w.ready()
		}
	}
}

// fuzzWorld carries out what a replica wants, and looks at it.
type fuzzWorld struct {
	t     *testing.T
	r     *Raft
	now   Time
	end   int64
	hw    int64
	saved ElectionState
	asked uint64
	done  map[uint64]bool
	sent  []Send
	err   error
}

func (w *fuzzWorld) step(ev Event) {
	w.now++
	if w.err = w.r.Step(w.now, ev); w.err == nil {
		w.ready()
	}
}

func (w *fuzzWorld) ready() {
	if w.done == nil {
		w.done = map[uint64]bool{}
	}
	for w.err == nil {
		var acts []Action
		if acts, w.err = w.r.Ready(w.now); w.err != nil {
			return
		}
		var next Event
		for _, a := range acts {
			if ev := w.do(a); ev != nil {
				next = ev
			}
		}
		if next == nil {
			break
		}
		w.err = w.r.Step(w.now, next)
	}
	if w.err != nil {
		return
	}
	if at := w.r.Deadline(); at <= w.now {
		w.t.Fatalf("at %d it wants to be woken at %d", w.now, at)
	}
	if s := w.r.Status(); s.LogEnd != w.end || s.HighWatermark > s.LogEnd || s.Epoch != w.saved.Epoch {
		w.t.Fatalf("the log ends at %d, epoch %d is on disk, and it says %+v", w.end, w.saved.Epoch, s)
	}
}

func (w *fuzzWorld) do(a Action) Event {
	switch a := a.(type) {
	case SaveElection:
		old := w.saved
		if a.State.Epoch < old.Epoch || a.State.Epoch == old.Epoch && old.Voted.ID != None && a.State.Voted.ID != None && old.Voted != a.State.Voted {
			w.t.Fatalf("%+v is saved after %+v", a.State, old)
		}
		w.saved = a.State
	case Append:
		for _, b := range a.Batches {
			if b.Base != w.end || b.Count < 1 {
				w.t.Fatalf("%+v is appended to a log that ends at %d", b, w.end)
			}
			w.end = b.End()
		}
	case Truncate:
		if a.End < w.hw || a.End >= w.end {
			w.t.Fatalf("truncated to %d; %d is committed, and the log ends at %d", a.End, w.hw, w.end)
		}
		w.end = a.End
	case Flush:
		return Flushed(a)
	case InstallSnapshot:
		w.end = a.ID.EndOffset
		return SnapshotInstalled{ID: a.ID, Size: 10, OK: true}
	case Send:
		w.sent = append(w.sent, a)
		if len(w.sent) > 8 {
			w.sent = w.sent[1:]
		}
	case Reply:
		if w.done[a.ID] || a.ID == 0 || a.ID > w.asked {
			w.t.Fatalf("request %d is answered again", a.ID)
		}
		w.done[a.ID] = true
	case Commit:
		if a.HighWatermark <= w.hw {
			w.t.Fatalf("the high watermark goes from %d to %d", w.hw, a.HighWatermark)
		}
		w.hw = a.HighWatermark
	}
	return nil
}
