package zookeeper

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"regexp"
	"slices"
	"testing"
)

// TestModel compares every byte with the view that gen/check.py makes of the same
// records, which is another program that knows the orders of Java and Scala:
//
//	gen/check.py model kraft/records.txt
func TestModel(t *testing.T) {
	timestamp := regexp.MustCompile(`"timestamp":"\d+"`)
	for _, dir := range []string{"kraft", "kraft2", "kraft3"} {
		got := view(t, sourceOf(t, dir))
		want := parseTree(t, fixture(t, "model-"+dir+".json"))
		if a, b := slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)); !slices.Equal(a, b) {
			t.Errorf("%s: other paths: %q, the model has %q", dir, a, b)
		}
		for p, w := range want {
			g := got[p]
			switch p {
			case "/controller", "/controller_epoch", "/cluster/id": // the model does not know them
				continue
			case "/kafka-acl/Cluster/kafka-cluster", "/kafka-acl/Topic/orders", "/config/topics/cfg": // in the order of their records
				if equalButFor(p, g.text(), w.text()) == "" {
					t.Errorf("%s: %s\n%s\nmodel:\n%s", dir, p, g.text(), w.text())
				}
				continue
			}
			if g := timestamp.ReplaceAllString(g.text(), `"timestamp":"0"`); g != w.text() {
				t.Errorf("%s: %s\n%s\nmodel:\n%s", dir, p, g, w.text())
			}
		}
	}
}

// TestWriteJSON: a line for each node, with stats that agree with the data.
func TestWriteJSON(t *testing.T) {
	tree := New(sourceOf(t, "kraft2"))
	var b bytes.Buffer
	if err := tree.WriteJSON(&b, "/"); err != nil {
		t.Fatal(err)
	}
	if dir := os.Getenv("ZOOKEEPER_VIEW"); dir != "" { // for gen/check.py compare
		for _, name := range []string{"kraft", "kraft2", "kraft3"} {
			var b bytes.Buffer
			if err := New(sourceOf(t, name)).WriteJSON(&b, "/"); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(dir+"/"+name+".json", b.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	nodes := parseTree(t, b.Bytes())
	if lines := bytes.Count(b.Bytes(), []byte("\n")); lines != len(nodes)+2 {
		t.Errorf("%d lines for %d nodes", lines, len(nodes))
	}
	for p, z := range nodes {
		data, ok, exists := tree.Get(p)
		if !exists || ok != (z.Data != nil) || ok && string(data) != *z.Data || len(data) != z.DataLength {
			t.Errorf("%s: %q, got %q", p, z.text(), data)
		}
		names, _ := tree.List(p)
		if n := len(slices.Collect(names)); n != z.NumChildren {
			t.Errorf("%s: %d children, got %d", p, z.NumChildren, n)
		}
		s, _ := tree.Stat(p)
		if got, _ := json.Marshal(statJSON(s, z.Data)); !bytes.Equal(got, must(json.Marshal(z))) {
			t.Errorf("%s: %s", p, got)
		}
	}
	if err := tree.WriteJSON(&b, "/nope"); err == nil || err.Error() != "Node does not exist: /nope" {
		t.Error(err)
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func statJSON(s Stat, data *string) znodeJSON {
	return znodeJSON{data, s.EphemeralOwner != 0, s.Version, s.CVersion, s.AVersion, s.CZxid, s.MZxid, s.PZxid, s.CTime, s.MTime, s.EphemeralOwner, s.DataLength, s.NumChildren}
}

// TestStateVersions: the version of a partition's state is the partition epoch, in
// ZooKeeper mode and in KRaft. The sync at the controller's restart before pair 2 has
// written some once more; a change of directories alone, in pair 3, is not written.
func TestStateVersions(t *testing.T) {
	state := regexp.MustCompile("/state$")
	for _, c := range []struct {
		dir, tree            string
		equal, behind, ahead int
	}{{"kraft", "tree-migrated.json", 73, 0, 0}, {"kraft2", "tree-migrated2.json", 74, 21, 0}, {"kraft3", "tree-migrated3.json", 74, 21, 2}} {
		got, real := view(t, sourceOf(t, c.dir)), parseTree(t, fixture(t, c.tree))
		equal, behind, ahead := 0, 0, 0
		for p, z := range real {
			if state.MatchString(p) {
				switch z.Version - got[p].Version {
				case 0:
					equal++
				case 1:
					behind++
				case -1:
					ahead++
				default:
					t.Errorf("%s: version %d, got %d", p, z.Version, got[p].Version)
				}
			}
		}
		if equal != c.equal || behind != c.behind || ahead != c.ahead {
			t.Errorf("%s: %d equal, %d behind, %d ahead", c.dir, equal, behind, ahead)
		}
	}
}
