package shell

import (
	"errors"
	"strings"
	"testing"
)

func TestFind(t *testing.T) {
	s := openShell(t, nil, evilRecords()...)
	for _, kind := range kinds {
		if out, err := s.run("find --kind " + kind + " /image"); err != nil || out == "" {
			t.Errorf("%s: %v, %q", kind, err, out)
		}
	}
	var usage *UsageError
	if out, err := s.run("find --kind topics /image"); !errors.As(err, &usage) || !strings.Contains(out, "find: --kind topics: it is one of acl, broker") {
		t.Errorf("a kind that is none: %v, %q", err, out)
	}
	for line, want := range map[string]string{
		"find /local --name 'k*'": "/local/kraftVersion\n", "find /local --name k*": "/local/kraftVersion\n", "find --name 0 --where 'leader == 1' /image": "/image/topics/byId/CQAAAAAAAAAAAAAAAAAAAA/0\n/image/topics/byName/t" + evil + "/0\n",
		"find / --where 'leader == 2'": "",
	} {
		if out, err := s.run(line); err != nil || out != want {
			t.Errorf("%s: %v, %q, want %q", line, err, out, want)
		}
	}
	if out, err := s.run("find /nope /local/offset"); !errors.Is(err, ErrMissing) || out != "/local/offset\nfind: /nope: there is no such node\n" {
		t.Errorf("%v, %q", err, out)
	}
}
