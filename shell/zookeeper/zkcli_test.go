package zookeeper

import (
	"bytes"
	"errors"
	"iter"
	"maps"
	"slices"
	"strings"
	"testing"

	"kraftctl/internal/javatext"
)

// realZnodes are the znodes of a tree file.
type realZnodes map[string]znodeJSON

func (r realZnodes) Get(path string) (data []byte, ok, exists bool) {
	z, exists := r[path]
	if z.Data == nil {
		return nil, false, exists
	}
	return []byte(*z.Data), true, exists
}

func (r realZnodes) List(path string) (iter.Seq[string], bool) {
	var names []string
	for p := range r {
		if rest, ok := strings.CutPrefix(p, strings.TrimSuffix(path, "/")+"/"); ok && rest != "" && !strings.Contains(rest, "/") {
			names = append(names, rest)
		}
	}
	slices.SortFunc(names, javatext.Compare)
	_, exists := r[path]
	return slices.Values(names), exists
}

func (r realZnodes) Stat(path string) (Stat, bool) {
	z, ok := r[path]
	return Stat{z.CZxid, z.MZxid, z.PZxid, z.CTime, z.MTime, z.Version, z.CVersion, z.AVersion, z.EphemeralOwner, z.DataLength, z.NumChildren}, ok
}

func (r realZnodes) Walk(path string, visit func(string) bool) bool {
	_, exists := r[path]
	if exists && visit(path) {
		r.below(path, visit)
	}
	return exists
}

func (r realZnodes) below(path string, visit func(string) bool) {
	names, _ := r.List(path)
	for name := range names {
		visit(strings.TrimSuffix(path, "/") + "/" + name)
	}
	for name := range names {
		r.below(strings.TrimSuffix(path, "/")+"/"+name, visit)
	}
}

// recorded is what zkCli printed, behind what it says about its connection.
func recorded(t *testing.T, file string) (args []string, stdout, stderr, status string) {
	t.Helper()
	const connected = "WatchedEvent state:SyncConnected type:None path:null\n"
	text := string(fixture(t, file))
	command, rest, _ := strings.Cut(text, "\n")
	for _, a := range strings.Fields(strings.TrimPrefix(command, "$ zkCli ")) {
		args = append(args, strings.Trim(a, "'"))
	}
	_, rest, _ = strings.Cut(rest, connected)
	stdout, rest, _ = strings.Cut(rest, "-- stderr:\n")
	i := strings.LastIndex(rest, "rc ")
	return args, stdout, rest[:i], rest[i:]
}

// run runs a command line of zkCli.
func run(z Znodes, args ...string) (stdout, stderr string) {
	var b bytes.Buffer
	c := &ZkCli{Znodes: z}
	path, flags := args[len(args)-1], args[1:len(args)-1]
	var err error
	switch args[0] {
	case "ls":
		err = c.Ls(&b, path, slices.Contains(flags, "-s"), slices.Contains(flags, "-R"))
	case "get":
		err = c.Get(&b, path, slices.Contains(flags, "-s"))
	case "stat":
		err = c.Stat(&b, path)
	case "getAllChildrenNumber":
		err = c.GetAllChildrenNumber(&b, path)
	}
	var missing *NoNodeError
	if errors.As(err, &missing) {
		stderr = err.Error() + "\n"
	}
	return b.String(), stderr
}

// TestZkCli: of the same znodes the same bytes are printed as zkCli printed.
func TestZkCli(t *testing.T) {
	all, err := fixtures()
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, file := range slices.Sorted(maps.Keys(all)) {
		tree := map[string]string{"zkcli": "tree-zk.json", "zkcli-migrated2": "tree-migrated2.json"}[strings.Split(file, "/")[0]]
		if tree == "" || strings.HasSuffix(file, "interactive.txt") {
			continue
		}
		n++
		args, stdout, stderr, status := recorded(t, file)
		gotOut, gotErr := run(realZnodes(parseTree(t, fixture(t, tree))), args...)
		if gotOut != stdout || gotErr != stderr || (gotErr != "") != strings.HasPrefix(status, "rc 1") {
			t.Errorf("%s: %q\n%s%s\nzkCli:\n%s%s", file, args, gotOut, gotErr, stdout, stderr)
		}
	}
	if n != 13 {
		t.Errorf("%d files", n)
	}
}

// TestZkCliSession: the parts of a recorded session whose commands are known.
func TestZkCliSession(t *testing.T) {
	session := string(fixture(t, "zkcli/interactive.txt"))
	z := realZnodes(parseTree(t, fixture(t, "tree-zk.json")))
	for _, command := range []string{
		"ls /", "ls -R /config/users", "get /cluster/id", "get -s /controller_epoch", "stat /brokers/topics/orders/partitions/0/state", "get /brokers/seqid",
		"get /nope", "ls /nope", "stat /nope", "getAllChildrenNumber /config", "ls /cluster",
	} {
		stdout, stderr := run(z, strings.Fields(command)...)
		if !strings.Contains(session, "\n"+stdout+stderr) {
			t.Errorf("%s: not in the session:\n%s%s", command, stdout, stderr)
		}
	}
	for _, usage := range []string{UsageLs, UsageGet, UsageStat, UsageGetAllChildrenNumber} {
		if !strings.Contains(session, usage+"\n") {
			t.Errorf("not in the session: %s", usage)
		}
	}
}

// TestViewLikeZkCli: of the view of pair 2 zkCli's listing of everything comes out,
// but for the nodes that testdata/pairs.txt lists.
func TestViewLikeZkCli(t *testing.T) {
	real := parseTree(t, fixture(t, "tree-migrated2.json"))
	tree := New(sourceOf(t, "kraft2"))
	_, want, _, _ := recorded(t, "zkcli-migrated2/ls-R-root.txt")
	got, stderr := run(tree, "ls", "-R", "/")
	if stderr != "" {
		t.Error(stderr)
	}
	var common []string
	for _, p := range strings.Split(want, "\n") {
		if _, ok := tree.Stat(p); ok || p == "" {
			common = append(common, p)
		}
	}
	var shown []string
	for _, p := range strings.Split(got, "\n") {
		if _, ok := real[p]; ok || p == "" {
			shown = append(shown, p)
		}
	}
	if !slices.Equal(common, shown) || len(common) < 323 {
		t.Errorf("%d nodes, zkCli has %d:\n%q\n%q", len(shown), len(common), shown, common)
	}
	args, stdout, _, _ := recorded(t, "zkcli-migrated2/get-controller.txt")
	got, _ = run(tree, args...)
	// Times and transaction ids are ZooKeeper's own.
	for i, line := range strings.Split(stdout, "\n") {
		name, _, _ := strings.Cut(line, " = ")
		if mine := strings.Split(got, "\n")[i]; mine != line && !slices.Contains([]string{"cZxid", "ctime", "mZxid", "mtime", "pZxid", "ephemeralOwner"}, name) && i > 0 {
			t.Errorf("%s, zkCli prints %s", mine, line)
		}
	}
	for _, p := range []string{"/brokers/topics/payments", "/brokers/seqid", "/config/users/erin", "/cluster/id", "/feature"} {
		mine, _ := run(tree, "get", p)
		theirs, _ := run(realZnodes(real), "get", p)
		if mine != theirs {
			t.Errorf("%s: %s, not %s", p, mine, theirs)
		}
	}
	for _, p := range []string{"nope", "", "/nope", "/brokers/", "//", "/brokers//ids", "/brokers/ids/01", "/brokers/topics/payments/partitions/-0", "/brokers/topics/payments/partitions/99", "/config/brokers/<escaped>"} {
		if _, stderr := run(tree, "stat", p); stderr != "Node does not exist: "+p+"\n" {
			t.Errorf("%q: %q", p, stderr)
		}
	}
}
