package quorumstate

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"kraftctl/decode/corrupt"
	"kraftctl/decode/kbin"
)

const (
	v0 = `{"clusterId":"","leaderId":1,"leaderEpoch":5,"votedId":-1,"appliedOffset":0,"currentVoters":[{"voterId":1},{"voterId":2}],"data_version":0}`
	v1 = `{"leaderId":1,"leaderEpoch":5,"votedId":2,"votedDirectoryId":"sJianluQTV-UQtihBHgpiQ","data_version":1}`
)

// kafkaFiles calls f for the files of testdata: NAME.json is the quorum-state
// of the replica NAME, which starts with the release that wrote it.
func kafkaFiles(t testing.TB, f func(path string, data []byte)) {
	t.Helper()
	list, err := filepath.Glob("testdata/*.json")
	if err != nil || len(list) == 0 {
		t.Fatalf("no files, %v", err)
	}
	for _, path := range list {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		f(path, data)
	}
}

func TestKafkaFilesRoundTrip(t *testing.T) {
	kafkaFiles(t, func(path string, data []byte) {
		s, err := Parse(data, path)
		if err != nil {
			t.Error(err)
			return
		}
		if got := s.Append(nil); !bytes.Equal(got, data) {
			t.Errorf("%s: got %s, want %s", path, got, data)
		}
		// Also in the order that does not come from the file.
		s.order = nil
		for i := range s.Voters {
			s.Voters[i].order = nil
		}
		if got := s.Append(nil); !bytes.Equal(got, data) {
			t.Errorf("%s: built: got %s, want %s", path, got, data)
		}
	})
}

func TestParse(t *testing.T) {
	id, _ := kbin.ParseUUID("sJianluQTV-UQtihBHgpiQ")
	s, err := Parse([]byte(v1), FileName)
	if err != nil || s.Version != 1 || s.LeaderID != 1 || s.LeaderEpoch != 5 || s.VotedID != 2 || s.VotedDirectoryID != id || s.Extra != nil {
		t.Errorf("%+v, %v", s, err)
	}
	s, err = Parse([]byte(v0), FileName)
	if err != nil || s.Version != 0 || s.VotedID != None || len(s.Voters) != 2 || s.Voters[1].ID != 2 {
		t.Errorf("%+v, %v", s, err)
	}
	// What Kafka takes as well: white space, more text, numbers in quotes.
	s, err = Parse([]byte(` {"leaderId":"0x7f" , "leaderEpoch":"3","votedId":0,"votedDirectoryId":"AAAAAAAAAAAAAAAAAAAAAA","data_version":1} junk`+"\nmore"), FileName)
	if err != nil || s.LeaderID != 127 || s.LeaderEpoch != 3 {
		t.Errorf("%+v, %v", s, err)
	}
}

// TestUnknownFieldsAreKept: in place, also in a voter, and the last of several
// fields of one name counts.
func TestUnknownFieldsAreKept(t *testing.T) {
	for in, want := range map[string]string{
		`{"x":{"a":[1, 2]},"leaderId":1,"leaderId":2,"leaderEpoch":5,"y":1.50,"votedId":-1,"votedDirectoryId":"AAAAAAAAAAAAAAAAAAAAAA","data_version":1,"z":null}`:     `{"x":{"a":[1, 2]},"leaderId":2,"leaderEpoch":5,"y":1.50,"votedId":-1,"votedDirectoryId":"AAAAAAAAAAAAAAAAAAAAAA","data_version":1,"z":null}`,
		`{"clusterId":"é\"","leaderId":1,"leaderEpoch":5,"votedId":-1,"appliedOffset":0,"currentVoters":[{"dir":"x","voterId":1}],"data_version":0}`:                   ``,
		`{"leaderId":1,"leaderEpoch":5,"votedId":-1,"votedDirectoryId":"AAAAAAAAAAAAAAAAAAAAAA","currentVoters":[],"data_version":1}`:                                  ``,
		`{"clusterId":"","leaderId":1,"leaderEpoch":5,"votedId":-1,"appliedOffset":0,"currentVoters":[],"votedDirectoryId":"AAAAAAAAAAAAAAAAAAAAAA","data_version":0}`: ``,
	} {
		if want == "" {
			want = in
		}
		s, err := Parse([]byte(in), FileName)
		if err != nil {
			t.Errorf("%s: %v", in, err)
			continue
		}
		if got := string(s.Append(nil)); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

// TestVersionChange: a replica that reads version 0 and writes version 1.
func TestVersionChange(t *testing.T) {
	s, err := Parse([]byte(v0), FileName)
	if err != nil {
		t.Fatal(err)
	}
	s.Version = 1
	s.Extra = []Field{{"new", []byte("true")}}
	if got, want := string(s.Append(nil)), `{"leaderId":1,"leaderEpoch":5,"votedId":-1,"votedDirectoryId":"AAAAAAAAAAAAAAAAAAAAAA","new":true,"data_version":1}`; got != want {
		t.Errorf("got %s", got)
	}
}

func TestDamage(t *testing.T) {
	for _, c := range []struct {
		text  string
		cause error
		err   string
	}{
		{"", ErrEmpty, "F: at byte 0: quorum state: the file is empty"},
		{"\n" + v1, ErrNotObject, "F: at byte 0: quorum state: not a JSON object: unexpected EOF"},
		{"[]", ErrNotObject, "F: quorum state: found []: not a JSON object"},
		{"{", ErrNotObject, "F: at byte 1: quorum state: not a JSON object: unexpected EOF"},
		{`{"a":1,}`, ErrNotObject, ""},
		{v1[:40], ErrNotObject, ""},
		{"{}", ErrMissingField, "F: data_version: missing field"},
		{`{"data_version":2}`, ErrUnknownFormat, "F: data_version: found 2: data_version is not supported"},
		{`{"data_version":-1}`, ErrUnknownFormat, ""},
		{`{"data_version":65537}`, ErrUnknownFormat, ""},
		{`{"data_version":"1"}`, ErrInvalidField, ""},
		{`{"data_version":1}`, ErrMissingField, "F: leaderId: missing field"},
		{`{"leaderId":2147483648,"data_version":1}`, ErrInvalidField, "F: leaderId: found 2147483648: invalid field"},
		{`{"leaderId":1.0,"data_version":1}`, ErrInvalidField, ""},
		{`{"leaderId":null,"data_version":1}`, ErrInvalidField, ""},
		{`{"leaderId":1,"leaderEpoch":5,"votedId":2,"votedDirectoryId":"x","data_version":1}`, ErrInvalidField, `F: votedDirectoryId: found "x": invalid field`},
		{`{"leaderId":1,"leaderEpoch":5,"votedId":2,"votedDirectoryId":null,"data_version":1}`, ErrInvalidField, ""},
		{`{"clusterId":null,"data_version":0}`, ErrInvalidField, ""},
		{`{"clusterId":"","leaderId":1,"leaderEpoch":5,"votedId":-1,"appliedOffset":0,"currentVoters":{},"data_version":0}`, ErrInvalidField, ""},
		{`{"clusterId":"","leaderId":1,"leaderEpoch":5,"votedId":-1,"appliedOffset":0,"currentVoters":null,"data_version":0}`, ErrInvalidField, ""},
		{`{"leaderId":1,"leaderEpoch":5,"votedId":-1,"votedDirectoryId":"AAAAAAAAAAAAAAAAAAAAAA","currentVoters":null,"data_version":1}`, ErrInvalidField, ""},
		{`{"leaderId":1,"leaderEpoch":5,"votedId":-1,"votedDirectoryId":"AAAAAAAAAAAAAAAAAAAAAA","currentVoters":[{"voterId":1}],"data_version":1}`, ErrInvalidField, ""},
		{`{"clusterId":"","leaderId":1,"leaderEpoch":5,"votedId":-1,"appliedOffset":0,"currentVoters":[1],"data_version":0}`, ErrNotObject, ""},
		{`{"clusterId":"","leaderId":1,"leaderEpoch":5,"votedId":-1,"appliedOffset":0,"currentVoters":[{}],"data_version":0}`, ErrMissingField, "F: voterId: missing field"},
		{`{"clusterId":"","leaderId":1,"leaderEpoch":5,"votedId":-1,"appliedOffset":0,"currentVoters":[{"voterId":true}],"data_version":0}`, ErrInvalidField, ""},
	} {
		_, err := Parse([]byte(c.text), "F")
		var e *corrupt.Error
		if !errors.As(err, &e) || !errors.Is(err, c.cause) || c.err != "" && err.Error() != c.err {
			t.Errorf("%s: %v", c.text, err)
		}
	}
}

// TestEveryBitAndEveryCut: nothing panics, all errors are damage, and no cut
// goes unnoticed, since the closing brace is missing.
func TestEveryBitAndEveryCut(t *testing.T) {
	for _, text := range []string{v0, v1} {
		data := []byte(text)
		for bit := range 8 * len(data) {
			data[bit/8] ^= 1 << (bit % 8)
			if _, err := Parse(data, "F"); err != nil && !corrupt.Is(err) {
				t.Errorf("bit %d: %v", bit, err)
			}
			data[bit/8] ^= 1 << (bit % 8)
		}
		for n := range len(data) {
			if _, err := Parse(data[:n], "F"); !corrupt.Is(err) {
				t.Errorf("cut at %d: %v", n, err)
			}
		}
	}
}

func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := &State{
			Version: rapid.Int16Range(0, 1).Draw(t, "version"), LeaderID: rapid.Int32().Draw(t, "leader"),
			LeaderEpoch: rapid.Int32().Draw(t, "epoch"), VotedID: rapid.Int32().Draw(t, "voted"),
		}
		if s.Version == 0 {
			s.ClusterID, s.AppliedOffset = rapid.String().Draw(t, "cluster"), rapid.Int64().Draw(t, "applied")
			s.Voters = []Voter{}
			for range rapid.IntRange(0, 3).Draw(t, "n") {
				s.Voters = append(s.Voters, Voter{ID: rapid.Int32().Draw(t, "voter")})
			}
		} else {
			copy(s.VotedDirectoryID[:], rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, "directory"))
		}
		got, err := Parse(s.Append(nil), "F")
		if err != nil {
			t.Fatal(err)
		}
		got.order = nil
		for i := range got.Voters {
			got.Voters[i].order = nil
		}
		if !reflect.DeepEqual(got, s) {
			t.Fatalf("%+v became %+v", s, got)
		}
	})
}

// FuzzParse: all errors are damage, and what was accepted and written is
// accepted again and then written as the same bytes.
func FuzzParse(f *testing.F) {
	kafkaFiles(f, func(_ string, data []byte) { f.Add(data) })
	f.Add([]byte(v0))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := Parse(data, "F")
		if err != nil {
			if !corrupt.Is(err) {
				t.Fatalf("%T %v", err, err)
			}
			return
		}
		text := s.Append(nil)
		again, err := Parse(text, "F")
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if got := again.Append(nil); !bytes.Equal(got, text) {
			t.Fatalf("%s became %s", text, got)
		}
	})
}

func ExampleParse() {
	s, err := Parse([]byte(v1), "__cluster_metadata-0/quorum-state")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("voted for", s.VotedID, "in epoch", s.LeaderEpoch)
	s.LeaderEpoch, s.LeaderID, s.VotedID, s.VotedDirectoryID = s.LeaderEpoch+1, None, None, kbin.ZeroUUID
	fmt.Printf("%s\n", s.Append(nil))
	// Output:
	// voted for 2 in epoch 5
	// {"leaderId":-1,"leaderEpoch":6,"votedId":-1,"votedDirectoryId":"AAAAAAAAAAAAAAAAAAAAAA","data_version":1}
}
