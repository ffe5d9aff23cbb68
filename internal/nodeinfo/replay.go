package nodeinfo

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"kraftctl/decode"
	"kraftctl/decode/control"
	"kraftctl/decode/metadata"
	"kraftctl/internal/feature"
	"kraftctl/internal/image"
	"kraftctl/internal/metalog"
)

// Bounds of what is reported of a log. Real clusters have a handful of features and
// voters; what is above is counted.
const (
	maxFeatures = 256
	maxUsers    = 100_000
	maxVoters   = 1000
)

// state is the part of the cluster's state that is followed: features, SCRAM
// users, the migration from ZooKeeper, and the voters of KRaft.
type state struct {
	decoder *decode.FrameDecoder
	records *decode.Records
	loader  *image.Loader

	version string // where metadata.version was set
	before  string // the same when the open transaction began

	kraft      int16 // -1 if there was no record of it
	voters     []Voter
	hasVoters  bool
	votersFrom string
	badRecord  string // the first record that could not be read
	from       string // the file that is being read
	inLog      bool   // it is a segment: offsets mean something
}

func newState() *state {
	return &state{decoder: decode.NewMetadataDecoder(), records: metalog.NewRecords(),
		loader: image.NewLoader(image.Empty()), kraft: -1}
}

// image is the metadata without that of a transaction that has not ended.
func (s *state) image() *image.Image { return s.loader.Image() }

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

// interesting are the kinds of records that are replayed; all others are passed
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
		s.loader.Other()
		return
	}
	f, err := s.decoder.Decode(r.Value)
	if err != nil {
		s.bad(r, err)
		return
	}
	switch m := f.Message.(type) {
	case *metadata.BeginTransactionRecord:
		s.before = s.version
	case *metadata.AbortTransactionRecord:
		if s.loader.Open() {
			s.version = s.before
		}
	case *metadata.FeatureLevelRecord:
		if m.Name == feature.MetadataName {
			s.version = s.place(r)
		}
	}
	// A record that does not fit is told by check, which replays all of them. Here
	// it changes nothing.
	_ = s.loader.Record(f.Message, image.Provenance{Offset: r.Offset, Epoch: r.LeaderEpoch, Time: r.Timestamp})
}
