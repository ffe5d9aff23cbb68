package rafttest

import (
	"fmt"
	"math"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"kraftctl/internal/raft"
)

// TestScenarios runs conversations with one replica, by hand: what it is told, and all
// that it does then. There is a file for each rule of the specification, named after
// its section; "go test -run TestScenarios -rewrite" writes the outputs.
//
//	new id=1 voters=1,2,3 level=1 log=1:0-9,2:10-14 snapshot=10/1 epoch=2 leader=2
//	tick 1500ms                      time passes; what happens meanwhile is printed
//	vote from=2 epoch=3 last=15/2    a request, from another replica
//	answer node=2 vote epoch=3 granted   the answer to the last request to a node
//	fail node=2 BROKER_NOT_AVAILABLE
//	propose epoch=3 n=2
//	hold-flush, flush                flushes end at once unless they are held
func TestScenarios(t *testing.T) {
	files, err := filepath.Glob("testdata/scenario/*.txt")
	if err != nil || len(files) < 10 {
		t.Fatalf("%d scenarios, %v", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			s := &scenario{}
			datadriven.RunTest(t, file, func(t *testing.T, d *datadriven.TestData) string { return s.run(t, d) })
		})
	}
}

// scenario is a replica that is talked to.
type scenario struct {
	t    *testing.T
	d    *datadriven.TestData
	r    *raft.Raft
	now  raft.Time
	out  strings.Builder
	sent map[int32]raft.Send
	id   uint64
	held bool
	seq  uint64
}

func (s *scenario) run(t *testing.T, d *datadriven.TestData) string {
	s.t, s.d = t, d
	s.out.Reset()
	switch d.Cmd {
	case "new":
		s.open()
	case "tick":
		s.tick()
	case "answer":
		s.answer()
	case "fail":
		to := s.sent[int32(s.num("node", 0))]
		s.step(raft.Failed{Node: to.To.ID, Correlation: to.Correlation, Error: s.code(d.CmdArgs[1].Key)})
	case "propose":
		var values [][]byte
		for i := range s.num("n", 1) {
			values = append(values, []byte{byte(i)})
		}
		base, err := s.r.Propose(s.now, int32(s.num("epoch", 0)), values)
		s.printf("at %d, %v", base, err)
		s.ready()
	case "hold-flush":
		s.held = true
	case "flush":
		s.held = false
		s.step(raft.Flushed{Seq: s.seq})
	case "snapshot":
		id := s.place("id")
		s.printf("may be created: %v", s.r.MayCreateSnapshot(id))
		if s.r.MayCreateSnapshot(id) {
			s.step(raft.SnapshotCreated{ID: id, Size: 100})
		}
	case "clean":
		s.step(raft.LogStartMoved{Start: s.num("start", 0)})
	case "shutdown":
		s.step(raft.Shutdown{Timeout: 5 * time.Second})
	case "resign":
		s.step(raft.Resign{Epoch: int32(s.num("epoch", 0))})
	default:
		s.id++
		s.step(raft.Received{ID: s.id, Listener: "CONTROLLER", Request: s.request()})
	}
	if s.r != nil && d.Cmd != "new" {
		st := s.r.Status()
		s.printf("= %s %d, leader %d, log %d-%d/%d, hw %d", st.State, st.Epoch, st.LeaderID, st.LogStart, st.LogEnd, st.LastEpoch, st.HighWatermark)
	}
	return s.out.String()
}

func (s *scenario) printf(format string, args ...any) { fmt.Fprintf(&s.out, format+"\n", args...) }

// num reads a numeric argument.
func (s *scenario) num(name string, otherwise int64) int64 {
	for _, a := range s.d.CmdArgs {
		if a.Key == name {
			n, err := strconv.ParseInt(a.Vals[0], 10, 64)
			if err != nil {
				s.t.Fatal(err)
			}
			return n
		}
	}
	return otherwise
}

func (s *scenario) text(name string) string {
	for _, a := range s.d.CmdArgs {
		if a.Key == name && len(a.Vals) > 0 {
			return strings.Join(a.Vals, ",")
		}
	}
	return ""
}

func (s *scenario) place(name string) raft.SnapshotID {
	var id raft.SnapshotID
	if text := s.text(name); text != "" {
		if _, err := fmt.Sscanf(text, "%d/%d", &id.EndOffset, &id.Epoch); err != nil {
			s.t.Fatalf("%s=%s: %v", name, text, err)
		}
	}
	return id
}

func (s *scenario) code(name string) raft.ErrorCode {
	for c := raft.ErrorCode(-1); c < 200; c++ {
		if c.String() == name {
			return c
		}
	}
	s.t.Fatalf("there is no error %s", name)
	return 0
}

// replica is the key of a replica; its directory is its number, or what "dir" says.
func replica(id int32, dir int64) raft.ReplicaKey {
	if id < 0 {
		return raft.ReplicaKey{ID: id}
	}
	if dir < 0 {
		dir = int64(id)
	}
	return raft.ReplicaKey{ID: id, Directory: raft.UUID{15: byte(dir)}}
}

func endpointsOf(id int32) []raft.Endpoint {
	return []raft.Endpoint{{Listener: "CONTROLLER", Host: "n" + strconv.Itoa(int(id)), Port: 9000}}
}

func (s *scenario) voters(list string, level int16) raft.VoterSet {
	var voters []raft.Voter
	for _, f := range strings.Split(list, ",") {
		if id, err := strconv.Atoi(f); err == nil {
			v := raft.Voter{Key: replica(int32(id), -1), Endpoints: endpointsOf(int32(id)), MaxVersion: 1}
			if level == 0 {
				v.Key.Directory, v.MaxVersion = raft.UUID{}, 0
			}
			voters = append(voters, v)
		}
	}
	return raft.NewVoterSet(voters...)
}

// batches reads EPOCH:FIRST-LAST,... and EPOCH:FIRST-LAST/2+3 for a change of the voters.
func (s *scenario) batches(list string) (out []raft.Batch) {
	for _, f := range strings.Split(list, ",") {
		var b raft.Batch
		var last int64
		if f == "" {
			continue
		}
		if _, err := fmt.Sscanf(f, "%d:%d-%d", &b.Epoch, &b.Base, &last); err != nil {
			s.t.Fatalf("%s: %v", f, err)
		}
		b.Count = int32(last - b.Base + 1)
		if _, set, ok := strings.Cut(f, "/"); ok {
			b.Control = []raft.Control{{Type: raft.ControlVoters, Voters: s.voters(strings.ReplaceAll(set, "+", ","), 1)}}
		}
		out = append(out, b)
	}
	return out
}

func (s *scenario) open() {
	level := int16(s.num("level", 0))
	id := int32(s.num("id", 1))
	set := s.voters(s.text("voters"), level)
	boot := raft.Boot{Election: raft.NoElection()}
	boot.Election.Epoch = int32(s.num("epoch", 0))
	boot.Election.Leader = int32(s.num("leader", -1))
	boot.Election.Voted = replica(int32(s.num("voted", -1)), -1)
	if level == 0 {
		boot.Static = set
	} else {
		boot.Versions = []raft.VersionAt{{Offset: -1, Level: level}}
		boot.Voters = []raft.VotersAt{{Offset: -1, Voters: set}}
	}
	if snapshot := s.place("snapshot"); snapshot != (raft.SnapshotID{}) {
		boot.Snapshots = []raft.Snapshot{{ID: snapshot, Size: 250}}
		boot.Start, boot.End = snapshot.EndOffset, snapshot.EndOffset
	}
	for i, b := range s.batches(s.text("log")) {
		if i == 0 && b.Base < boot.Start {
			boot.Start = b.Base
		}
		boot.Epochs = append(boot.Epochs, raft.EpochStart{Epoch: b.Epoch, Start: b.Base})
		boot.End = b.End()
	}
	cfg := raft.Config{
		Self: replica(id, s.num("dir", -1)), ClusterID: "c", Listener: "CONTROLLER", Endpoints: endpointsOf(id), AutoJoin: s.num("auto-join", 0) > 0,
		SnapshotMaxBytes: 100, Rand: func(n int64) int64 { return n / 2 },
	}
	if level > 0 {
		cfg.Bootstrap = endpointsOf(1)
	}
	s.now, s.sent, s.held = 0, map[int32]raft.Send{}, false
	r, err := raft.New(cfg, boot, s.now)
	if err != nil {
		s.printf("%v", err)
		s.r = nil
		return
	}
	s.r = r
	s.ready()
	st := r.Status()
	s.printf("= %s %d, leader %d, log %d-%d/%d, hw %d, voters %v", st.State, st.Epoch, st.LeaderID, st.LogStart, st.LogEnd, st.LastEpoch, st.HighWatermark, st.Voters)
}

// tick lets time pass, with a stop at each deadline.
func (s *scenario) tick() {
	d, err := time.ParseDuration(s.d.CmdArgs[0].Key)
	if err != nil {
		s.t.Fatal(err)
	}
	end := s.now + raft.Time(d)
	for i := 0; s.r.Deadline() <= end && i < 100; i++ {
		s.now = s.r.Deadline()
		before := s.out.Len()
		s.out.WriteString(fmt.Sprintf("%v:\n", time.Duration(s.now).Round(time.Millisecond)))
		head := s.out.Len()
		s.ready()
		if s.out.Len() == head { // nothing to see
			text := s.out.String()[:before]
			s.out.Reset()
			s.out.WriteString(text)
		}
	}
	s.now = end
}

func (s *scenario) step(ev raft.Event) {
	s.now += raft.Time(time.Millisecond)
	if err := s.r.Step(s.now, ev); err != nil {
		s.printf("%v", err)
		return
	}
	s.ready()
}

func (s *scenario) ready() {
	for {
		acts, err := s.r.Ready(s.now)
		if err != nil {
			s.printf("%v", err)
			return
		}
		var next raft.Event
		for _, a := range acts {
			switch a := a.(type) {
			case raft.SaveElection:
				s.printf("save epoch %d, leader %d, vote %v", a.State.Epoch, a.State.Leader, a.State.Voted)
			case raft.Append:
				for _, b := range a.Batches {
					s.printf("append %d-%d@%d%s", b.Base, b.End()-1, b.Epoch, control(b.Control))
				}
			case raft.Flush:
				s.seq = a.Seq
				s.printf("flush")
				if !s.held {
					next = raft.Flushed(a)
				}
			case raft.Truncate:
				s.printf("truncate to %d", a.End)
			case raft.WriteChunk:
				s.printf("write %d bytes of snapshot %v at %d", len(a.Data), a.ID, a.Position)
			case raft.DropChunks:
				s.printf("drop what there is of snapshot %v", a.ID)
			case raft.InstallSnapshot:
				s.printf("install snapshot %v", a.ID)
				set := s.voters("1,2,3,4", 1)
				next = raft.SnapshotInstalled{ID: a.ID, Size: 250, Level: 1, Voters: &set, OK: true}
			case raft.Send:
				s.sent[a.To.ID] = a
				s.printf("to %d (%s): %v", a.To.ID, a.To.Host, brief{a.Request})
			case raft.Reply:
				s.printf("answer: %v%s", brief{a.Response}, carries(a.Read))
			case raft.Commit:
				s.printf("committed up to %d", a.HighWatermark)
			case raft.LeaderChanged:
				s.printf("leader of epoch %d: %d", a.Epoch, a.Leader)
			case raft.Stopped:
				s.printf("stopped")
			}
		}
		if next == nil {
			return
		}
		if err := s.r.Step(s.now, next); err != nil {
			s.printf("%v", err)
			return
		}
	}
}

func carries(r *raft.Read) string {
	switch {
	case r == nil:
		return ""
	case r.Snapshot != nil:
		return fmt.Sprintf(", with snapshot %v from byte %d", *r.Snapshot, r.From)
	}
	return fmt.Sprintf(", with the log from %d", r.From)
}

// request makes the request that a command stands for.
func (s *scenario) request() raft.Request {
	var target raft.Target
	if c := s.text("cluster"); c != "" {
		target.ClusterID = &c
	}
	target.OtherTopic = s.d.HasArg("other-topic")
	from := replica(int32(s.num("from", -1)), s.num("dir", -1))
	epoch := int32(s.num("epoch", 0))
	to, toSomebody := raft.ReplicaKey{ID: int32(s.num("to", -1))}, s.d.HasArg("to")
	if toSomebody && s.d.HasArg("to-dir") {
		to = replica(to.ID, s.num("to-dir", -1))
	}
	leader := int32(s.num("leader", int64(from.ID)))
	switch s.d.Cmd {
	case "vote", "pre-vote":
		return &raft.VoteRequest{Target: target, Epoch: epoch, From: from, Last: s.place("last"), PreVote: s.d.Cmd == "pre-vote", Voter: to, HasVoter: toSomebody}
	case "begin":
		return &raft.BeginQuorumEpochRequest{Target: target, Leader: leader, Epoch: epoch, Endpoints: endpointsOf(leader), Voter: to, HasVoter: toSomebody}
	case "end":
		q := &raft.EndQuorumEpochRequest{Target: target, Leader: leader, Epoch: epoch, Endpoints: endpointsOf(leader)}
		for _, f := range strings.Split(s.text("candidates"), ",") {
			if id, err := strconv.Atoi(f); err == nil {
				q.Candidates = append(q.Candidates, replica(int32(id), -1))
			}
		}
		return q
	case "fetch":
		wait := time.Duration(s.num("wait", 500)) * time.Millisecond
		return &raft.FetchRequest{Target: target, From: from, Epoch: epoch, Offset: s.num("at", 0), LastEpoch: int32(s.num("last", 0)), MaxWait: wait, MaxBytes: 1 << 20, HighWatermark: s.num("hw", math.MaxInt64)}
	case "fetch-snapshot":
		return &raft.FetchSnapshotRequest{Target: target, From: from, Epoch: epoch, ID: s.place("id"), Position: s.num("at", 0), MaxBytes: int32(s.num("max", 100))}
	case "describe":
		return &raft.DescribeQuorumRequest{OtherTopic: target.OtherTopic}
	case "add":
		return &raft.AddVoterRequest{ClusterID: target.ClusterID, Timeout: 2 * time.Second, Voter: from, Endpoints: endpointsOf(from.ID), AckWhenAppended: s.d.HasArg("ack")}
	case "remove":
		return &raft.RemoveVoterRequest{ClusterID: target.ClusterID, Voter: from}
	case "update":
		return &raft.UpdateVoterRequest{ClusterID: target.ClusterID, Epoch: epoch, Voter: raft.Voter{Key: from, Endpoints: endpointsOf(from.ID + int32(s.num("moved", 0))), MaxVersion: int16(s.num("max-version", 1))}}
	case "upgrade":
		return &raft.UpgradeRequest{Level: int16(s.num("to-level", 1)), ValidateOnly: s.d.HasArg("validate")}
	}
	s.t.Fatalf("%s: there is no command %s", s.d.Pos, s.d.Cmd)
	return nil
}

// answer answers the last request to a node.
func (s *scenario) answer() {
	node := int32(s.num("node", 0))
	to, ok := s.sent[node]
	if !ok {
		s.t.Fatalf("%s: nothing was sent to %d", s.d.Pos, node)
	}
	hint := raft.LeaderHint{LeaderID: int32(s.num("leader", -1)), Epoch: int32(s.num("epoch", 0))}
	if hint.LeaderID >= 0 {
		hint.Endpoint, hint.HasEndpoint = endpointsOf(hint.LeaderID)[0], true
	}
	e := raft.ErrNone
	if name := s.text("error"); name != "" {
		e = s.code(name)
	}
	place := func(name string) *raft.SnapshotID {
		if !s.d.HasArg(name) {
			return nil
		}
		id := s.place(name)
		return &id
	}
	var resp raft.Response
	switch q := to.Request.(type) {
	case *raft.VoteRequest:
		resp = &raft.VoteResponse{Error: e, LeaderHint: hint, Granted: s.d.HasArg("granted")}
	case *raft.BeginQuorumEpochRequest, *raft.EndQuorumEpochRequest:
		resp = &raft.QuorumEpochResponse{Error: e, LeaderHint: hint}
	case *raft.FetchRequest:
		resp = &raft.FetchResponse{Error: e, LeaderHint: hint, HighWatermark: s.num("hw", -1), Diverging: place("diverging"), Snapshot: place("snapshot"), Batches: s.batches(s.text("batches"))}
	case *raft.FetchSnapshotRequest:
		resp = &raft.FetchSnapshotResponse{Error: e, LeaderHint: hint, ID: q.ID, Size: 250, Position: s.num("at", q.Position), Data: make([]byte, s.num("bytes", 100))}
	case *raft.VersionsRequest:
		resp = &raft.VersionsResponse{Error: e, MaxVersion: int16(s.num("max-version", 1))}
	default:
		resp = &raft.VoterResponse{Error: e, LeaderHint: hint}
	}
	s.step(raft.Answered{Node: to.To.ID, Correlation: to.Correlation, Response: resp})
}
