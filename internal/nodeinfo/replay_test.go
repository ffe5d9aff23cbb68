package nodeinfo

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"kraftctl/decode/kbin"
	"kraftctl/decode/metadata"
)

func begin() dataRecords {
	m := metadata.NewBeginTransactionRecord()
	return dataRecords{dataRecord(m.APIKey(), m)}
}

func end() dataRecords {
	m := metadata.NewEndTransactionRecord()
	return dataRecords{dataRecord(m.APIKey(), m)}
}

func abort() dataRecords {
	m := metadata.NewAbortTransactionRecord()
	return dataRecords{dataRecord(m.APIKey(), m)}
}

func removeUser(name string, mechanism int8) dataRecords {
	m := metadata.NewRemoveUserScramCredentialRecord()
	m.Name, m.Mechanism = name, mechanism
	return dataRecords{dataRecord(m.APIKey(), m)}
}

// describe is the metadata of a report in short.
func describe(r *Report) string {
	m := r.Metadata
	if m == nil {
		return "none"
	}
	var parts []string
	if m.Version != nil {
		parts = append(parts, m.Version.Name)
	}
	for _, f := range m.Features {
		parts = append(parts, fmt.Sprintf("%s=%d", f.Name, f.Level))
	}
	for _, u := range m.SCRAM {
		parts = append(parts, u.Name+"/"+strings.Join(u.Mechanisms, "+"))
	}
	if m.OpenTransaction {
		parts = append(parts, "open")
	}
	return strings.Join(parts, " ") + " from " + m.Source
}

// TestSuperseded: what is in the snapshot 0-0 counts until the log begins with a
// metadata version.
func TestSuperseded(t *testing.T) {
	formatted := "4.4-IV2 group.version=1 carol/SCRAM-SHA-256"
	for _, k := range []struct {
		name string
		log  []any
		want string
	}{
		{"not yet", nil, formatted + " from 00000000000000000000-0000000000.checkpoint"},
		{"by a leader of 4.4", []any{begin(), features(33, "new", 1), dataRecords{scramRecord("bob", 2)}, end()}, "4.4-IV2 new=1 bob/SCRAM-SHA-512 from log, offset 2"},
		{"without a transaction", []any{features(30)}, "4.3-IV0 from log, offset 1"},
		{"by a leader that was interrupted", []any{begin(), features(30)}, formatted + " open from 00000000000000000000-0000000000.checkpoint"},
		{"by the leader after it", []any{begin(), features(30), abort(), begin(), features(31), end()}, "4.4-IV0 from log, offset 5"},
		{"nothing written by one before 4.3", []any{dataRecords{scramRecord("bob", 2)}, features(30)}, "4.3-IV0 group.version=1 bob/SCRAM-SHA-512 carol/SCRAM-SHA-256 from log, offset 2"},
	} {
		s := dynamicScene()
		s.files[first] = snapshotOf(0, kraftVersion(1), voters(1, dirID1), append(features(33, "group.version", 1), scramRecord("carol", 1)))
		s.files[segment0] = batches(0, 1, append([]any{leaderChange(1)}, k.log...)...)
		if got := describe(s.collect(t)); got != k.want {
			t.Errorf("%s: %s\nwant %s", k.name, got, k.want)
		}
	}
}

// TestReplay follows features and users through snapshot, log and transactions.
func TestReplay(t *testing.T) {
	users := dataRecords{scramRecord("bob", 2), scramRecord("alice", 1), scramRecord("alice", 2)}
	for _, k := range []struct {
		name string
		log  []any
		want string
	}{
		{"log over snapshot", []any{features(30)}, "4.3-IV0 group.version=1 from log, offset 3"},
		{"level 0", []any{dataRecords{featureRecord("group.version", 0)}}, "4.4-IV2 from 00000000000000000000-0000000000.checkpoint"},
		{"users", []any{users, removeUser("alice", 1)}, "4.4-IV2 group.version=1 alice/SCRAM-SHA-512 bob/SCRAM-SHA-512 from 00000000000000000000-0000000000.checkpoint"},
		{"committed", []any{users[:1], begin(), features(30), removeUser("bob", 2), end()}, "4.3-IV0 group.version=1 from log, offset 5"},
		{"aborted", []any{users[:1], begin(), features(30, "group.version", 0, "new", 1), removeUser("bob", 2), users[1:2], abort(), features(31)},
			"4.4-IV0 group.version=1 bob/SCRAM-SHA-512 from log, offset 11"},
		{"open", []any{users[:1], begin(), features(30, "group.version", 0), removeUser("bob", 2)},
			"4.4-IV2 group.version=1 bob/SCRAM-SHA-512 open from 00000000000000000000-0000000000.checkpoint"},
		{"end without begin", []any{end(), abort()}, "4.4-IV2 group.version=1 from 00000000000000000000-0000000000.checkpoint"},
	} {
		s := dynamicScene()
		// Offsets 0 to 2 are in the snapshot's place: a leader change and two records.
		s.files[segment0] = batches(0, 1, append([]any{leaderChange(1), dataRecords{featureRecord("x", 0), featureRecord("x", 0)}}, k.log...)...)
		if got := describe(s.collect(t)); got != k.want {
			t.Errorf("%s: %s\nwant %s", k.name, got, k.want)
		}
	}
}

// TestOnlyBehindTheSnapshot: what the snapshot has is not read again, and an
// older snapshot stands in for a damaged one.
func TestOnlyBehindTheSnapshot(t *testing.T) {
	s := dynamicScene()
	s.files[segment0] = batches(0, 1, leaderChange(1), features(20))
	s.files[logDir+"00000000000000000002.log"] = batches(2, 1, features(21), features(22))
	s.files[logDir+"00000000000000000004.log"] = batches(4, 2, leaderChange(2))
	latest := logDir + "00000000000000000003-0000000001.checkpoint"
	s.files[latest] = snapshotOf(1, kraftVersion(1), voters(1, dirID1), features(30))
	s.files[quorum] = []byte(strings.Replace(string(s.files[quorum]), `"leaderEpoch":1`, `"leaderEpoch":2`, 1))
	r := s.collect(t)
	if got, want := describe(r), "4.0-IV0 from log, offset 3"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	l := r.Log
	if l.StartOffset != 0 || l.EndOffset != 5 || l.LastEpoch != 2 || l.Segments != 3 || l.Read >= l.Bytes || r.Metadata.AsOf != 5 {
		t.Errorf("log %+v, as of %d", l, r.Metadata.AsOf)
	}
	if r.Layout.Name != LayoutUnified || r.Layout.Quorum != QuorumDynamic {
		t.Errorf("layout %+v", r.Layout)
	}
	if len(r.Problems) > 0 {
		t.Errorf("%v", r.Problems)
	}
	s.files[latest] = []byte("damage, not a snapshot")
	r = s.collect(t)
	var states []string
	for _, x := range r.Snapshots {
		states = append(states, x.State)
	}
	if got := describe(r); got != "4.0-IV0 from log, offset 3" || !slices.Equal(states, []string{SnapshotComplete, SnapshotDamaged}) {
		t.Errorf("%s, snapshots %v", got, states)
	}
}

// TestVotersOfTheLog: the last VotersRecord counts, and this node is found by
// both of its ids.
func TestVotersOfTheLog(t *testing.T) {
	s := dynamicScene()
	s.files[segment0] = batches(0, 1, leaderChange(1), voters(3, otherID, 1, dirID1))
	v := s.collect(t).Voters
	if v.Source != "log, offset 1" || v.String() != "1,3" || v.ThisNode != ThisVoter || !v.Voters[0].ThisNode || v.Voters[1].ThisNode {
		t.Errorf("%+v", v)
	}
	if e := v.Voters[0].Endpoints[0].String(); e != "CONTROLLER://localhost:9093" {
		t.Errorf("endpoint %s", e)
	}
	if e := (Endpoint{Host: "::1", Port: 1}).String(); e != "[::1]:1" {
		t.Errorf("endpoint %s", e)
	}
	v = staticScene().collect(t).Voters
	if v.Source != "controller.quorum.voters" || v.String() != "1,2" || v.ThisNode != ThisVoter {
		t.Errorf("%+v", v)
	}
	s = staticScene()
	s.config, s.o.Dirs = nil, []string{"/d2", "/d1", "/d1/"}
	r := s.collect(t)
	if v = r.Voters; v.Source != "quorum-state" || v.String() != "1,2" || v.ThisNode != ThisVoter || len(r.Directories) != 2 {
		t.Errorf("%+v", v)
	}
}

// TestNoSecrets: keys, salts and values of the configuration are not in a report.
func TestNoSecrets(t *testing.T) {
	s := dynamicScene()
	s.config["ssl.keystore.password"] = "hunter2"
	s.config["com.example.token"] = "hunter2"
	s.files[segment0] = batches(0, 1, leaderChange(1), dataRecords{scramRecord("alice", 1)})
	r := s.collect(t)
	b, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{"hunter2", "SALTSALT", "STOREDSTORED", "SERVERSERVER", "U0FMVF"} {
		if strings.Contains(string(b), secret) {
			t.Errorf("%s is in %s", secret, b)
		}
	}
	if !strings.Contains(string(b), "alice") {
		t.Error("no user")
	}
}

// TestLimits: what a hostile log has too much of is counted.
func TestLimits(t *testing.T) {
	s := dynamicScene()
	var many dataRecords
	for i := range maxFeatures + 10 {
		many = append(many, featureRecord("feature."+itoa(int32(i)), 1))
	}
	var list []any
	for i := range maxVoters + 10 {
		list = append(list, i, kbin.UUID{1, byte(i), byte(i >> 8)})
	}
	s.files[segment0] = batches(0, 1, leaderChange(1), many, voters(list...))
	r := s.collect(t)
	if m := r.Metadata; m.More == 0 || len(m.Features)+m.More > maxFeatures+20 || len(r.Voters.Voters) != maxVoters {
		t.Errorf("%d features and %d more, %d voters", len(m.Features), m.More, len(r.Voters.Voters))
	}
	// a batch that claims to be huge is damage, and is not read
	s.files[segment0] = []byte("\x00\x00\x00\x00\x00\x00\x00\x00\x7f\xff\xff\xff\x00\x00\x00\x01\x02 and more")
	if r = s.collect(t); ids(r)[0] != metadataDamaged {
		t.Errorf("%v", r.Problems)
	}
}
