// Package quorumstate reads and writes the file quorum-state in the directory of
// the metadata log: what a KRaft replica must not forget about elections. It is
// one line of JSON without a line feed, replaced as a whole:
//
//	version 0 (kraft.version 0)
//	{"clusterId":"","leaderId":1,"leaderEpoch":5,"votedId":-1,"appliedOffset":0,
//	 "currentVoters":[{"voterId":1},{"voterId":2}],"data_version":0}
//
//	version 1 (kraft.version 1, KIP-853)
//	{"leaderId":1,"leaderEpoch":5,"votedId":-1,
//	 "votedDirectoryId":"AAAAAAAAAAAAAAAAAAAAAA","data_version":1}
//
// (broken in lines here). A replica whose file is missing has epoch 0, no leader
// and no vote. Kafka's names: FileQuorumStateStore, QuorumStateData.
package quorumstate

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"kraftctl/decode/corrupt"
	"kraftctl/decode/kbin"
)

// FileName is the name of the file.
const FileName = "quorum-state"

// None is the id of nobody: no leader is known, no vote was given.
const None = -1

// State is the content of the file.
type State struct {
	Version     int16 // 0 or 1
	LeaderID    int32 // None if unknown
	LeaderEpoch int32
	VotedID     int32 // None without a vote in this epoch

	// Version 0 only. ClusterID is always empty and AppliedOffset always 0; the
	// voters are those of controller.quorum.voters, in no order.
	ClusterID     string
	AppliedOffset int64
	Voters        []Voter

	// VotedDirectoryID is that of the voter VotedID, zero if not known. Version 1
	// only.
	VotedDirectoryID kbin.UUID

	// Extra are the fields that the version does not have, as they stood there.
	// Kafka ignores them on reading and so drops them with the next vote.
	Extra []Field

	order []string // of the fields in the file that was read
}

// Voter is one entry of currentVoters.
type Voter struct {
	ID    int32
	Extra []Field

	order []string
}

// Field is a JSON field that is not known.
type Field struct {
	Name  string
	Value json.RawMessage
}

// The names of the fields.
const (
	clusterID        = "clusterId"
	leaderID         = "leaderId"
	leaderEpoch      = "leaderEpoch"
	votedID          = "votedId"
	votedDirectoryID = "votedDirectoryId"
	appliedOffset    = "appliedOffset"
	currentVoters    = "currentVoters"
	dataVersion      = "data_version"
	voterID          = "voterId"
)

// The fields of each version in Kafka's order, all of them required, and the
// fields of any version.
var (
	fieldsOf = [2][]string{
		{clusterID, leaderID, leaderEpoch, votedID, appliedOffset, currentVoters, dataVersion},
		{leaderID, leaderEpoch, votedID, votedDirectoryID, dataVersion},
	}
	allFields = []string{clusterID, leaderID, leaderEpoch, votedID, votedDirectoryID, appliedOffset, currentVoters}
)

// The causes of damage that callers may want to tell apart.
var (
	ErrEmpty         = errors.New("the file is empty")
	ErrNotObject     = errors.New("not a JSON object")
	ErrMissingField  = errors.New("missing field")
	ErrInvalidField  = errors.New("invalid field")
	ErrUnknownFormat = errors.New("data_version is not supported")
)

// Parse reads the first line of a file, as Kafka does: what follows the line, or
// the object in it, is ignored, and of a field that repeats the last one counts.
// Numbers may stand in quotes, except that data_version must be a plain number
// (Kafka takes "1" for 0 and 65537 for 1). A field of the other version must be
// valid as well. Errors are *corrupt.Error around one of the errors of this
// package.
func Parse(data []byte, file string) (*State, error) {
	if i := bytes.IndexAny(data, "\r\n"); i >= 0 {
		data = data[:i]
	} else if len(data) == 0 {
		return nil, &corrupt.Error{File: file, What: "quorum state", Err: ErrEmpty}
	}
	p := parser{file: file}
	fields, err := p.object(data)
	if err != nil {
		return nil, err
	}
	s := &State{}
	raw, ok := fields.get(dataVersion)
	if !ok {
		return nil, p.fail(dataVersion, "", ErrMissingField)
	}
	v, err := strconv.ParseInt(string(raw), 10, 64)
	if err != nil {
		return nil, p.fail(dataVersion, string(raw), ErrInvalidField)
	}
	if v < 0 || v >= int64(len(fieldsOf)) {
		return nil, p.fail(dataVersion, string(raw), ErrUnknownFormat)
	}
	s.Version = int16(v)
	if err := s.read(p, fields); err != nil {
		return nil, err
	}
	return s, nil
}

// read takes the known fields of the version and keeps the others.
func (s *State) read(p parser, fields objectFields) error {
	known := fieldsOf[s.Version]
	for _, name := range allFields {
		raw, ok := fields.get(name)
		if !ok {
			if slices.Contains(known, name) {
				return p.fail(name, "", ErrMissingField)
			}
			continue
		}
		into := s
		if !slices.Contains(known, name) {
			into = &State{} // looked at only, as Kafka does; the text goes to Extra
		}
		if err := into.set(p, name, raw); err != nil {
			return err
		}
		if name == currentVoters && into != s && len(into.Voters) > 0 {
			return p.fail(name, string(raw), ErrInvalidField) // version 1 has no voters to read
		}
	}
	s.Extra, s.order = fields.split(known)
	return nil
}

// set parses one known field.
func (s *State) set(p parser, name string, raw json.RawMessage) (err error) {
	var ok bool
	switch name {
	case clusterID:
		s.ClusterID, ok = stringOf(raw)
	case leaderID:
		s.LeaderID, ok = int32Of(raw)
	case leaderEpoch:
		s.LeaderEpoch, ok = int32Of(raw)
	case votedID:
		s.VotedID, ok = int32Of(raw)
	case appliedOffset:
		s.AppliedOffset, ok = intOf(raw, 64)
	case votedDirectoryID:
		var text string
		if text, ok = stringOf(raw); ok {
			s.VotedDirectoryID, err = kbin.ParseUUID(text)
			ok = err == nil
		}
	case currentVoters:
		s.Voters, err = p.voters(raw)
		return err
	}
	if !ok {
		return p.fail(name, string(raw), ErrInvalidField)
	}
	return nil
}

type parser struct{ file string }

func (p parser) fail(what, got string, cause error) error {
	const most = 120
	if len(got) > most {
		got = got[:most] + "..."
	}
	return &corrupt.Error{File: p.file, Pos: -1, What: what, Got: strings.ToValidUTF8(got, "\ufffd"), Err: cause}
}

func (p parser) voters(raw json.RawMessage) ([]Voter, error) {
	var items []json.RawMessage
	if err := json.Unmarshal(raw, &items); err != nil || raw[0] != '[' { // null is no list
		return nil, p.fail(currentVoters, string(raw), ErrInvalidField)
	}
	list := make([]Voter, 0, len(items))
	for _, item := range items {
		fields, err := p.object(item)
		if err != nil {
			return nil, err
		}
		id, ok := fields.get(voterID)
		if !ok {
			return nil, p.fail(voterID, "", ErrMissingField)
		}
		var v Voter
		if v.ID, ok = int32Of(id); !ok {
			return nil, p.fail(voterID, string(id), ErrInvalidField)
		}
		v.Extra, v.order = fields.split([]string{voterID})
		list = append(list, v)
	}
	return list, nil
}

// objectFields are the fields of an object in their order, the last value of each.
type objectFields []Field

// object reads the first JSON value of a text, which must be an object.
func (p parser) object(data []byte) (objectFields, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	syntax := func(err error) error {
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return &corrupt.Error{File: p.file, Pos: d.InputOffset(), What: "quorum state", Err: fmt.Errorf("%w: %w", ErrNotObject, err)}
	}
	t, err := d.Token()
	if err != nil {
		return nil, syntax(err)
	}
	if t != json.Delim('{') {
		return nil, p.fail("quorum state", string(data), ErrNotObject)
	}
	var fields objectFields
	for d.More() {
		t, err := d.Token()
		if err != nil {
			return nil, syntax(err)
		}
		f := Field{Name: t.(string)} // a key: the decoder lets nothing else through
		if err := d.Decode(&f.Value); err != nil {
			return nil, syntax(err)
		}
		fields = fields.put(f)
	}
	if _, err := d.Token(); err != nil {
		return nil, syntax(err)
	}
	return fields, nil
}

func (o objectFields) put(f Field) objectFields {
	for i := range o {
		if o[i].Name == f.Name {
			o[i] = f
			return o
		}
	}
	return append(o, f)
}

func (o objectFields) get(name string) (json.RawMessage, bool) {
	for _, f := range o {
		if f.Name == name {
			return f.Value, true
		}
	}
	return nil, false
}

// split gives the fields that are not known, and the order of all of them.
func (o objectFields) split(known []string) (extra []Field, order []string) {
	for _, f := range o {
		order = append(order, f.Name)
		if !slices.Contains(known, f.Name) {
			extra = append(extra, f)
		}
	}
	return extra, order
}

// stringOf reads a JSON string.
func stringOf(raw json.RawMessage) (text string, ok bool) {
	if raw[0] != '"' { // null would pass for ""
		return "", false
	}
	err := json.Unmarshal(raw, &text)
	return text, err == nil
}

// intOf is Kafka's MessageUtil.jsonNodeToInt or Long: a number, or a string with
// a decimal or 0x hexadecimal one.
func intOf(raw json.RawMessage, bits int) (int64, bool) {
	text, base := string(raw), 10
	if quoted, ok := stringOf(raw); ok {
		text = quoted
		if rest, ok := strings.CutPrefix(text, "0x"); ok {
			text, base = rest, 16
		}
	}
	n, err := strconv.ParseInt(text, base, bits)
	return n, err == nil
}

func int32Of(raw json.RawMessage) (int32, bool) {
	n, ok := intOf(raw, 32)
	return int32(n), ok
}
