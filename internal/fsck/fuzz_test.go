package fsck

import (
	"path"
	"testing"

	"kraftctl/internal/vfs"
)

// FuzzCheckIndex feeds any bytes as an index and as its log.
func FuzzCheckIndex(f *testing.F) {
	s := newScene(f)
	for _, suffix := range []string{".index", ".timeindex", ".txnindex"} {
		f.Add(suffix, get(f, s.fs, s.seg[1]+suffix), get(f, s.fs, s.seg[1]+".log"))
	}
	f.Add(".txnindex", make([]byte, 34), []byte{})
	f.Fuzz(func(t *testing.T, suffix string, idx, log []byte) {
		switch suffix {
		case ".index", ".timeindex", ".txnindex":
		default:
			suffix = ".index"
		}
		m := vfs.NewMem()
		mkdir(t, m, "/d")
		name := "/d/00000000000000000013"
		put(t, m, name+suffix, idx)
		put(t, m, name+".log", log)
		for _, f := range CheckIndex(m, name+suffix) {
			if _, ok := Lookup(f.Rule); !ok || path.Dir(f.File) != "/d" || f.Message == "" {
				t.Errorf("finding %+v", f)
			}
		}
		check(t, m, Options{Deep: true, MaxDecompressed: 1 << 20}, "/d")
	})
}

// FuzzSnapshot feeds any bytes as a KRaft snapshot.
func FuzzSnapshot(f *testing.F) {
	f.Add(snapshotBytes(3))
	f.Fuzz(func(t *testing.T, data []byte) {
		m := vfs.NewMem()
		mkdir(t, m, "/d")
		put(t, m, "/d/00000000000000000005-0000000003.checkpoint", data)
		check(t, m, Options{Deep: true, MaxDecompressed: 1 << 20}, "/d")
	})
}
