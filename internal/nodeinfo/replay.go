package nodeinfo

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"kraftctl/decode"
	"kraftctl/decode/control"
	"kraftctl/decode/kbin"
	"kraftctl/decode/metadata"
	"kraftctl/internal/feature"
)

// Bounds of what is kept of a log. Real clusters have a handful of features and
// voters; what is above is counted.
const (
	maxFeatures = 256
	maxUsers    = 100_000
	maxVoters   = 1000
	// maxDecompressed bounds what a batch may decompress to. Kafka does not
	// compress the KRaft log.
	maxDecompressed = 64 << 20
)

// credential is what is kept of a SCRAM credential.
type credential struct {
	name      string
	mechanism metadata.ScramMechanism
}

// state is the part of the cluster's state that is followed: features, SCRAM
// users, the migration from ZooKeeper, and the voters of KRaft.
type state struct {
	decoder *decode.FrameDecoder
	records *decode.Records

	features map[string]int16
	users    map[credential]bool
	more     int // features and users that were left out
	version  string
	zk       int8
	hasZK    bool

	kraft       int16 // -1 if there was no record of it
	voters      []Voter
	hasVoters   bool
	votersFrom  string
	badRecord   string // the first record that could not be read
	from        string // the file that is being read
	inLog       bool   // it is a segment: offsets mean something
	transaction *undo  // the metadata transaction that is open

	// bootstrap: features and users are those of the snapshot 0-0, and the log has
	// had no metadata record yet. See supersede.
	bootstrap bool
	// onFirst: the log adds to the metadata of the snapshot 0-0.
	onFirst bool
}

// undo is what a metadata transaction has changed, as it was before.
type undo struct {
	features map[string]int16 // level 0: there was none
	users    map[credential]bool
	version  string
	zk       int8
	hasZK    bool
	// superseded is what there was before supersede, if it was called in the
	// transaction.
	superseded *state
}

func newState() *state {
	return &state{decoder: decode.NewMetadataDecoder(), records: decode.NewRecords(maxDecompressed),
		features: map[string]int16{}, users: map[credential]bool{}, kraft: -1}
}

// batch applies the records of a batch from an offset on. The error is about
// records that cannot be walked over.
func (s *state) batch(b *decode.Batch, from int64) error {
	for s.records.Reset(b); s.records.Next(); {
		r := &s.records.Record
		if r.Offset < from {
			continue
		}
		if b.IsControl() {
			s.control(r)
		} else {
			s.record(r)
		}
	}
	return s.records.Err()
}

// place says where a record is: in which snapshot, or where in the log.
func (s *state) place(r *decode.Record) string {
	if !s.inLog {
		return s.from
	}
	return "log, offset " + strconv.FormatInt(r.Offset, 10)
}

// bad remembers a record that cannot be read.
func (s *state) bad(r *decode.Record, err error) {
	if s.badRecord == "" {
		s.badRecord = fmt.Sprintf("%s: record %d: %v", s.from, r.Offset, err)
	}
}

// control applies a control record.
func (s *state) control(r *decode.Record) {
	c, err := decode.DecodeControl(r)
	if err != nil {
		s.bad(r, err)
		return
	}
	switch m := c.Message.(type) {
	case *control.KRaftVersionRecord:
		s.kraft = m.KRaftVersion
	case *control.VotersRecord:
		s.voters, s.hasVoters = s.voters[:0:0], true
		s.votersFrom = s.place(r)
		for i := range m.Voters[:min(len(m.Voters), maxVoters)] {
			s.voters = append(s.voters, voterOf(&m.Voters[i]))
		}
		slices.SortFunc(s.voters, func(a, b Voter) int { return cmp.Compare(a.ID, b.ID) })
	}
}

// voterOf copies a voter: the record's strings point into the batch.
func voterOf(v *control.Voter) Voter {
	out := Voter{ID: v.VoterID, DirectoryID: uuidText(v.VoterDirectoryID), Endpoints: []Endpoint{}}
	for _, e := range v.Endpoints {
		out.Endpoints = append(out.Endpoints, Endpoint{strings.Clone(e.Name), strings.Clone(e.Host), int(e.Port)})
	}
	return out
}

// interesting are the kinds of records that are decoded; all others are passed
// over by their first bytes.
var interesting = func() (set [128]bool) {
	for _, key := range []int16{metadata.KeyUserScramCredentialRecord, metadata.KeyRemoveUserScramCredentialRecord,
		metadata.KeyFeatureLevelRecord, metadata.KeyZkMigrationStateRecord, metadata.KeyBeginTransactionRecord,
		metadata.KeyEndTransactionRecord, metadata.KeyAbortTransactionRecord} {
		set[key] = true
	}
	return set
}()

// known are the kinds of records that this release of kraftctl knows.
var known = func() (set [128]bool) {
	for key := range set {
		set[key] = metadata.New(int16(key)) != nil
	}
	return set
}()

// record applies a metadata record.
func (s *state) record(r *decode.Record) {
	// frame version 1 and an api key below 128 are one byte each
	if v := r.Value; len(v) > 2 && v[0] == decode.FrameVersion && v[1] < 0x80 && known[v[1]] && !interesting[v[1]] {
		s.onFirst, s.bootstrap = s.onFirst || s.bootstrap && s.inLog, s.bootstrap && !s.inLog
		return
	}
	f, err := s.decoder.Decode(r.Value)
	if err != nil {
		s.bad(r, err)
		return
	}
	if s.bootstrap && s.inLog {
		s.supersede(f.Message)
	}
	s.apply(f.Message, r)
}

// supersede forgets features and users of the snapshot 0-0 when the log begins
// with a metadata version. From 4.3 on, what format wrote there is not the state
// of the cluster: the first leader writes it to the log, and that of all other
// controllers counts for nothing (KAFKA-20164). Before 4.3 it is the state that
// the log adds to, and is not repeated there.
func (s *state) supersede(message kbin.Message) {
	switch m := message.(type) {
	case *metadata.BeginTransactionRecord, *metadata.AbortTransactionRecord:
		return
	case *metadata.FeatureLevelRecord:
		if m.Name == feature.MetadataName {
			old := *s
			s.features, s.users, s.more, s.version = map[string]int16{}, map[credential]bool{}, 0, ""
			if t := s.transaction; t != nil {
				t.superseded = &old
			}
			s.bootstrap = false
			return
		}
	}
	s.bootstrap, s.onFirst = false, true
}

func (s *state) apply(message kbin.Message, r *decode.Record) {
	switch m := message.(type) {
	case *metadata.FeatureLevelRecord:
		s.setFeature(strings.Clone(m.Name), m.FeatureLevel, r)
	case *metadata.UserScramCredentialRecord:
		s.setUser(credential{strings.Clone(m.Name), metadata.ScramMechanism(m.Mechanism)}, true)
	case *metadata.RemoveUserScramCredentialRecord:
		s.setUser(credential{m.Name, metadata.ScramMechanism(m.Mechanism)}, false)
	case *metadata.ZkMigrationStateRecord:
		s.zk, s.hasZK = m.ZkMigrationState, true
	case *metadata.BeginTransactionRecord:
		s.transaction = &undo{features: map[string]int16{}, users: map[credential]bool{}, version: s.version, zk: s.zk, hasZK: s.hasZK}
	case *metadata.EndTransactionRecord:
		s.transaction = nil
	case *metadata.AbortTransactionRecord:
		s.rollBack()
	}
}

func (s *state) setFeature(name string, level int16, r *decode.Record) {
	old, ok := s.features[name]
	if !ok && len(s.features) >= maxFeatures {
		s.more++
		return
	}
	if t := s.transaction; t != nil {
		if _, saved := t.features[name]; !saved {
			t.features[name] = old
		}
	}
	s.features[name] = level
	if name == feature.MetadataName {
		s.version = s.place(r)
	}
}

func (s *state) setUser(user credential, there bool) {
	if there && !s.users[user] && len(s.users) >= maxUsers {
		s.more++
		return
	}
	if t := s.transaction; t != nil {
		if _, saved := t.users[user]; !saved && len(t.users) < maxUsers {
			t.users[credential{strings.Clone(user.name), user.mechanism}] = s.users[user]
		}
	}
	if there {
		s.users[user] = true
	} else {
		delete(s.users, user)
	}
}

// rollBack undoes the open transaction.
func (s *state) rollBack() {
	t := s.transaction
	if t == nil {
		return
	}
	for name, level := range t.features {
		s.features[name] = level
	}
	for user, there := range t.users {
		if there {
			s.users[user] = true
		} else {
			delete(s.users, user)
		}
	}
	s.version, s.zk, s.hasZK = t.version, t.zk, t.hasZK
	if old := t.superseded; old != nil { // by a leader that did not get to the end
		s.features, s.users, s.more, s.version, s.bootstrap = old.features, old.users, old.more, old.version, true
	}
	s.transaction = nil
}
