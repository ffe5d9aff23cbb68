package format

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

const someDirectory = "JEXY6aqzQY-32P5TStzaFg"

// What kafka-storage 4.4.0 says to these arguments of --initial-controllers.
func TestParseVotersLikeKafka(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"1@h:1:" + someDirectory, "1@h:1"},
		{"bad", "No @ found in dynamic voter string."},
		{"@h:1:" + someDirectory, "Invalid @ at beginning of dynamic voter string."},
		{"1@", "No hostname found after node id."},
		{"1@:1:" + someDirectory, "1@localhost:1"},
		{"1@h", "No colon following hostname could be found."},
		{"1@h:", "No colon following port could be found."},
		{"1@h:1", "No colon following port could be found."},
		{"1@h:1:", "Failed to parse directory ID in dynamic voter string."},
		{"1@h:0:" + someDirectory, "1@h:0"},
		{"1@h:-1:" + someDirectory, "Invalid port -1 in dynamic voter string."},
		{"1@h:65535:" + someDirectory, "1@h:65535"},
		{"1@h:65536:" + someDirectory, "Invalid port 65536 in dynamic voter string."},
		{"1@h:+1:" + someDirectory, "1@h:1"},
		{"+1@h:1:" + someDirectory, "1@h:1"},
		{"-1@h:1:" + someDirectory, "Invalid negative node id -1 in dynamic voter string."},
		{"99999999999@h:1:" + someDirectory, "Failed to parse node id in dynamic voter string."},
		{"x@h:1:" + someDirectory, "Failed to parse node id in dynamic voter string."},
		{"1_0@h:1:" + someDirectory, "Failed to parse node id in dynamic voter string."},
		{"1@[::1:1:" + someDirectory, "Hostname began with left bracket, but no right bracket was found."},
		{"1@[::1]1:" + someDirectory, "Port section must start with a colon."},
		{"1@[::1]:1:" + someDirectory, "1@[0:0:0:0:0:0:0:1]:1"},
		{"1@[]:1:" + someDirectory, "1@localhost:1"},
		{"1@::1:9093:" + someDirectory, "Failed to parse port in dynamic voter string."},
		{"1@h:port:" + someDirectory, "Failed to parse port in dynamic voter string."},
		{",", "No voters given."},
		{"", "No voters given."},
		{",,1@h:1:" + someDirectory + ",", "1@h:1"},
		{" 1@h:1:" + someDirectory, "1@h:1"},
		{"1@ h :1:" + someDirectory, "1@ h :1"},
		{"1@h: 1:" + someDirectory, "Failed to parse port in dynamic voter string."},
		{"1@h:1: " + someDirectory, "Failed to parse directory ID in dynamic voter string."},
		{"1@h:1:" + someDirectory + ":x", "Failed to parse directory ID in dynamic voter string."},
		{"1@h:1:" + someDirectory + "==", "1@h:1"},
		{"1@h@g:1:" + someDirectory, "1@h@g:1"},
		{"1@h:1:" + someDirectory + ",1@g:2:" + someDirectory, "Node id 1 was specified more than once."},
		{"2@h:1:" + someDirectory + ", 1@g:2:" + someDirectory, "1@g:2 2@h:1"},
		{"1@[h]:1:" + someDirectory, "1@h:1"},
		{"１@h:1:" + someDirectory, "1@h:1"},
		{"1@127.1:1:" + someDirectory, "1@127.0.0.1:1"},
		{"1@1:1:" + someDirectory, "1@0.0.0.1:1"},
		{"1@[::ffff:1.2.3.4]:1:" + someDirectory, "1@1.2.3.4:1"},
		{"1@010.1.1.1:1:" + someDirectory, "1@10.1.1.1:1"},
		{"1@1.2.3.4.5:1:" + someDirectory, "1@1.2.3.4.5:1"},
		{"1@256.1.1.1:1:" + someDirectory, "1@256.1.1.1:1"},
		{"1@1.2.3:1:" + someDirectory, "1@1.2.0.3:1"},
		{"1@0x7f.1:1:" + someDirectory, "1@0x7f.1:1"},
	} {
		voters, err := ParseVoters(c.text)
		got := ""
		if err != nil {
			_, got, _ = strings.Cut(err.Error(), ": ")
		} else {
			var list []string
			for _, v := range voters {
				text := v.String()
				list = append(list, text[:strings.LastIndexByte(text, ':')])
			}
			got = strings.Join(list, " ")
		}
		if got != c.want {
			t.Errorf("%q: %s, want %s", c.text, got, c.want)
		}
	}
}

// The order in which Kafka 4.4.0 writes voters, whatever order they are given in.
func TestVoterOrderLikeKafka(t *testing.T) {
	for _, c := range []struct{ in, want []int32 }{
		{[]int32{8, 100}, []int32{100, 8}},
		{[]int32{33, 16, 8}, []int32{16, 8, 33}},
		{[]int32{1, 8, 100, 33, 16}, []int32{16, 8, 1, 33, 100}},
		{[]int32{8, 1}, []int32{8, 1}},
		{[]int32{4, 8, 12}, []int32{8, 4, 12}},
		{[]int32{2, 1}, []int32{1, 2}},
		{[]int32{33, 1, 17, 16, 0, 32}, []int32{0, 16, 32, 1, 17, 33}},
		{[]int32{16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5}, []int32{5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}},
		{[]int32{100, 90, 80, 70, 60, 50, 40, 30, 20, 10, 16, 15, 14}, []int32{100, 70, 40, 10, 14, 15, 16, 80, 50, 20, 90, 60, 30}},
	} {
		var list []string
		for _, id := range c.in {
			list = append(list, Voter{ID: id, Host: "h", Port: 1}.String())
		}
		voters, err := ParseVoters(strings.Join(list, ","))
		if err != nil {
			t.Fatal(err)
		}
		var got []int32
		for _, v := range votersRecord(voters, "c").Voters {
			got = append(got, v.VoterID)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%v: %v, want %v", c.in, got, c.want)
		}
	}
}

// A voter set that is written and read again is the same one.
func TestVotersRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ids := rapid.SliceOfNDistinct(rapid.Int32Min(0), 1, 9, rapid.ID[int32]).Draw(t, "ids")
		var list []string
		for _, id := range ids {
			v := Voter{ID: id, Host: rapid.StringMatching(`[a-z][a-z0-9.-]{0,20}`).Draw(t, "host"), Port: rapid.IntRange(0, 65535).Draw(t, "port")}
			copy(v.DirectoryID[:], rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, "directory"))
			list = append(list, v.String())
		}
		voters, err := ParseVoters(strings.Join(list, ","))
		if err != nil {
			t.Fatal(err)
		}
		if len(voters) != len(ids) {
			t.Fatalf("%d voters of %d", len(voters), len(ids))
		}
		for i, v := range voters {
			if i > 0 && voters[i-1].ID >= v.ID {
				t.Fatal("not sorted")
			}
			again, err := ParseVoters(v.String())
			if err != nil || again[0] != v {
				t.Fatalf("%v: %v, %v", v, again, err)
			}
		}
	})
}

func FuzzParseVoters(f *testing.F) {
	f.Add("1@localhost:9093:" + someDirectory + ",2@[::1]:9094:" + someDirectory)
	f.Fuzz(func(t *testing.T, text string) {
		voters, err := ParseVoters(text)
		if err == nil && len(voters) == 0 {
			t.Error("no voters and no error")
		}
		for _, v := range voters {
			if v.ID < 0 || v.Port < 0 || v.Port > 65535 || v.Host == "" {
				t.Errorf("%+v", v)
			}
		}
	})
}
