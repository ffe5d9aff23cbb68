package zookeeper

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path"
	"strings"
	"sync"
	"testing"

	"kraftctl/decode/index"
	"kraftctl/internal/timeline"
	"kraftctl/internal/vfs"
)

// fixtures are the files of testdata/fixtures.tar.gz by name.
var fixtures = sync.OnceValues(func() (map[string][]byte, error) {
	f, err := os.Open("testdata/fixtures.tar.gz")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	out := map[string][]byte{}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return nil, err
		}
		if h.Typeflag == tar.TypeReg {
			if out[path.Clean(h.Name)], err = io.ReadAll(r); err != nil {
				return nil, err
			}
		}
	}
})

func fixture(t testing.TB, name string) []byte {
	t.Helper()
	all, err := fixtures()
	if err != nil {
		t.Fatal(err)
	}
	if all[name] == nil {
		t.Fatalf("there is no %s", name)
	}
	return all[name]
}

// openPair opens the controller's directory of a pair, in memory.
func openPair(t testing.TB, name string) (*timeline.Timeline, string) {
	t.Helper()
	all, err := fixtures()
	if err != nil {
		t.Fatal(err)
	}
	mem := vfs.NewMem()
	for file, data := range all {
		if !strings.HasPrefix(file, name+"/") {
			continue
		}
		if err := mem.MkdirAll(path.Dir("/"+file), 0o755); err != nil {
			t.Fatal(err)
		}
		f, err := mem.Create("/"+file, 0o644)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write(data); err != nil {
			t.Fatal(err)
		}
		f.Close()
	}
	line, err := timeline.Open(mem, "/"+name)
	if err != nil {
		t.Fatal(err)
	}
	meta, err := index.ParseMetaProperties(fixture(t, name+"/meta.properties"), "meta.properties")
	if err != nil {
		t.Fatal(err)
	}
	return line, meta.ClusterID
}

// sourceOf is the source of a pair's tree.
func sourceOf(t testing.TB, name string) Source {
	t.Helper()
	line, id := openPair(t, name)
	state, err := line.At(context.Background(), timeline.Latest)
	if err != nil {
		t.Fatal(err)
	}
	if len(state.Problems) > 0 {
		t.Fatal(state.Problems)
	}
	leader, err := line.Leader(context.Background(), timeline.Latest)
	if err != nil {
		t.Fatal(err)
	}
	marks := func() *timeline.Marks {
		m, err := line.Marks(context.Background(), timeline.Latest)
		if err != nil {
			t.Error(err)
		}
		return m
	}
	return Source{Image: state.Image, Marks: marks, Leader: leader, ClusterID: id, ShowSecrets: true}
}

// znodeJSON is a line of a tree file.
type znodeJSON struct {
	Data           *string `json:"data"`
	Ephemeral      bool    `json:"ephemeral"`
	Version        int     `json:"version"`
	CVersion       int     `json:"cversion"`
	AVersion       int     `json:"aversion"`
	CZxid          int64   `json:"czxid"`
	MZxid          int64   `json:"mzxid"`
	PZxid          int64   `json:"pzxid"`
	CTime          int64   `json:"ctime"`
	MTime          int64   `json:"mtime"`
	EphemeralOwner int64   `json:"ephemeralOwner"`
	DataLength     int     `json:"dataLength"`
	NumChildren    int     `json:"numChildren"`
}

// text is the data, null as in zkCli.
func (z znodeJSON) text() string {
	if z.Data == nil {
		return "null"
	}
	return *z.Data
}

func parseTree(t testing.TB, data []byte) map[string]znodeJSON {
	t.Helper()
	out := map[string]znodeJSON{}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&out); err != nil {
		t.Fatal(err)
	}
	return out
}

// view is a pair's tree as WriteJSON writes it.
func view(t testing.TB, s Source) map[string]znodeJSON {
	t.Helper()
	var b bytes.Buffer
	if err := New(s).WriteJSON(&b, "/"); err != nil {
		t.Fatal(err)
	}
	return parseTree(t, b.Bytes())
}
