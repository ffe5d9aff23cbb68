package shell

import (
	"context"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"kraftctl/decode/metadata"
	"kraftctl/internal/feature"
)

// oddRecords are users and quotas with names.
func oddRecords(names ...string) []message {
	out := []message{&metadata.FeatureLevelRecord{Name: feature.MetadataName, FeatureLevel: int16(feature.LatestProduction)}}
	for _, name := range names {
		out = append(out, &metadata.UserScramCredentialRecord{Name: name, Mechanism: 1, Iterations: 4096},
			&metadata.ClientQuotaRecord{Entity: []metadata.EntityData{{EntityType: "user", EntityName: ptr(name)}}, Key: "request_percentage", Value: 1})
	}
	return out
}

// texts are what Tab offers at the end of a line.
func (s *testShell) texts(line string) (out []string) {
	_, list := s.Complete(line, len(line))
	for _, c := range list {
		out = append(out, c.Text)
	}
	return out
}

func TestComplete(t *testing.T) {
	s := openShell(t, nil, oddRecords("a b", "a/c", "-x", "it's", "*")...)
	for _, c := range []struct{ line, want string }{
		{"pw", "pwd"}, {"c", "cat|cd|count"}, {"ls; pw", "pwd"}, {"ls;pw", "pwd"}, {"nope ", ""}, {"nope -", ""}, {"ls | c", ""}, {"# c", ""}, {"ls # /i", ""},
		{"help c", "cat|cd|count"}, {"man wat", "watch"}, {"pwd ", ""},
		{"ls -", "--directory|--long|--output|--recursive|--stat"}, {"ls --l", "--long"}, {"watch -n", ""}, {"pwd -", ""},
		{"ls -o ", "text|json"}, {"export --output y", "yaml"}, {"diff -o r", "records"}, {"pwd -o ", ""},
		{"find --kind b", "broker"}, {"find --where 'leader == -1 && i", "id|incarnationId|ip|isr|issued|iterations"}, {"find --where isr.si", ""}, {"at l", "latest"},
		{"ls /", "/image/|/local/|/zookeeper/"}, {"ls im", "image/"}, {"ls /image/scram/../sc", "/image/scram/../scram/"}, {"ls 'im", "image/"}, {`ls "/image/fea`, "/image/features/"},
		{"cat /image/features/m", "/image/features/metadataVersion"}, {"cat /image/features/metadataVersion/", ""}, {"ls /nope/", ""}, {"cat /i*/feat", "/i*/features/"},
		{"cat /image/scram/SCRAM-SHA-256/a", `/image/scram/SCRAM-SHA-256/a\ b|/image/scram/SCRAM-SHA-256/a?c`}, {"cat /image/scram/SCRAM-SHA-256/'a ", `/image/scram/SCRAM-SHA-256/a\ b`},
		{"cat /image/scram/SCRAM-SHA-256/a?c", `/image/scram/SCRAM-SHA-256/a?c`},
		{`cat /image/scram/SCRAM-SHA-256/\*`, `/image/scram/SCRAM-SHA-256/\*`}, {"cat /image/scram/SCRAM-SHA-256/it", `/image/scram/SCRAM-SHA-256/it\'s`},
		{"ls /image/clientQuotas/user(a/", ""}, {"ls /image/clientQuotas/user(a?", `/image/clientQuotas/user(a\ b)/|/image/clientQuotas/user(a?c)/`},
	} {
		if got := strings.Join(s.texts(c.line), "|"); got != c.want {
			t.Errorf("%s: %s, want %s", c.line, got, c.want)
		}
	}
	// In a directory names stand alone, and none of them is taken for a flag.
	if _, err := s.run("cd /image/scram/SCRAM-SHA-256"); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(s.texts("cat "), " | "); got != `\* | ./-x | a\ b | a?c | it\'s` {
		t.Errorf("names: %s", got)
	}
	// What is behind the cursor does not count.
	if start, list := s.Complete("pw xyz", 2); start != 0 || len(list) != 1 || list[0].Text != "pwd" {
		t.Errorf("%d, %v", start, list)
	}
	for _, cursor := range []int{-1, 99} {
		s.Complete("ls", cursor)
	}
}

func TestCompleteDescribes(t *testing.T) {
	s := openShell(t, nil, oddRecords("a")...)
	for _, line := range []string{"", "ls -", "find -", "watch -", "find --where '", "ls /image/clientQuotas/", "ls /image/scram/SCRAM-SHA-256/"} {
		_, list := s.Complete(line, len(line))
		if len(list) == 0 {
			t.Errorf("%q: none", line)
		}
		for _, c := range list {
			if c.Description == "" {
				t.Errorf("%q: %s has no description", line, c.Text)
			}
		}
	}
}

// TestCompleteMany: of more than can be read what they have in common is found.
func TestCompleteMany(t *testing.T) {
	var names []string
	for i := range 3 * maxCandidates {
		names = append(names, "user-"+string(rune('a'+i%26))+string(rune('a'+i/26%26))+string(rune('a'+i/676)))
	}
	s := openShell(t, nil, oddRecords(names...)...)
	if got := s.texts("cat /image/scram/SCRAM-SHA-256/u"); len(got) != 1 || got[0] != "/image/scram/SCRAM-SHA-256/user-" {
		t.Errorf("%d: %.100q", len(got), got)
	}
	if got := s.texts("cat /image/scram/SCRAM-SHA-256/user-"); len(got) != maxCandidates {
		t.Errorf("%d candidates", len(got))
	}
}

// TestCandidatesLeadToTheirNodes: a candidate in the place of the word that was
// typed is a path to the very node.
func TestCandidatesLeadToTheirNodes(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		names := rapid.SliceOfNDistinct(oddName(), 1, 5, rapid.ID[string]).Draw(rt, "names")
		s := openShell(t, nil, oddRecords(names...)...)
		dir := rapid.SampledFrom([]string{"/image/scram/SCRAM-SHA-256", "/image/clientQuotas"}).Draw(rt, "dir")
		line := "cat " + dir + "/"
		if rapid.Bool().Draw(rt, "inside") {
			if _, err := s.run("cd " + dir); err != nil {
				rt.Fatal(err)
			}
			line = "cat "
		}
		start, list := s.Complete(line, len(line))
		all, _ := lookup(s.root, Split("", dir))
		want := slices.Collect(all.Children())
		if len(list) != len(want) {
			rt.Fatalf("%d candidates for %q", len(list), want)
		}
		for i, c := range list {
			typed := line[:start] + c.Text
			statements, err := parseLine(typed)
			if err != nil || len(statements) != 1 || len(statements[0].words) != 2 {
				rt.Fatalf("%q for %q: %q, %v", typed, want[i], statements, err)
			}
			var found []string
			if _, err := findGlobs(s.root, s.components(statements[0].words[1]), compileGlob, func(m Match) error {
				found = append(found, m.Name())
				return nil
			}); err != nil {
				rt.Fatal(err)
			}
			if !slices.Contains(found, want[i]) || len(found) > 1 && !strings.Contains(c.Text, "?") {
				rt.Fatalf("%q leads to %q, and not to %q", typed, found, want[i])
			}
			// What is completed once more is the same.
			if again := s.texts(typed); !slices.Contains(again, c.Text) && !c.Partial {
				rt.Fatalf("%q is completed to %q", typed, again)
			}
			if err := s.Run(context.Background(), typed); err != nil {
				rt.Fatalf("%q: %v: %s", typed, err, s.errs.String())
			}
		}
	})
}
