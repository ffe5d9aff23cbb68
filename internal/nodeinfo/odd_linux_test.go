package nodeinfo

import (
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"kraftctl/internal/vfs"
)

// onDisk lays out a scene below a directory of the real file system.
func (s *scene) onDisk(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	for name, data := range s.files {
		put(t, vfs.OS, filepath.Join(root, name), data)
	}
	s.config["log.dirs"] = root + "/d1," + root + "/d2"
	return root
}

// TestOddFiles: whatever has the name of a file of a node and is none is a
// problem, and never waited for. want is what it must be among others; "" if
// nothing is wrong with it.
func TestOddFiles(t *testing.T) {
	const clean = "/d2/.kafka_cleanshutdown"
	harmless := []string{"", lockLeft, metaLink, "index-orphan"}
	others := []string{logDir + "leader-epoch-checkpoint", logDir + "partition.metadata", logDir + "00000000000000000000.index",
		logDir + "00000000000000000000.timeindex", logDir + "00000000000000000002.snapshot", "/d2/recovery-point-offset-checkpoint",
		"/d2/t-0/00000000000000000000.log", "/d2/t-0/00000000000000000000.txnindex"}
	type odd struct {
		file string
		want map[string]string // by what is there instead
	}
	const fifo, directory, link, dangling, device = "fifo", "directory", "link", "dangling", "device"
	unreadable := func(id string) map[string]string {
		return map[string]string{fifo: id, device: id, directory: id, link: ""}
	}
	cases := []odd{
		{meta2, map[string]string{fifo: metaUnreadable, device: metaUnreadable, directory: metaUnreadable, link: metaLink, dangling: dirUnformatted}},
		{quorum, unreadable(quorumUnreadable)},
		{first, unreadable(metadataUnreadable)},
		{segment0, unreadable(metadataUnreadable)},
		{boot, unreadable(metadataUnreadable)},
		{"/d1/.lock", map[string]string{fifo: lockLeft, device: lockLeft, directory: lockDirectory}},
		{clean, map[string]string{fifo: "", device: ""}},
		{"/d2/t-0/00000000000000000007.index", map[string]string{fifo: "index-orphan"}},
	}
	for _, name := range others {
		cases = append(cases, odd{name, map[string]string{fifo: "file-unreadable", device: "file-unreadable", link: ""}})
	}
	for _, k := range cases {
		for kind, want := range k.want {
			t.Run(filepath.Base(k.file)+" "+kind, func(t *testing.T) {
				s := dynamicScene()
				if k.file == boot {
					s.files[boot] = snapshotOf(0, nil, nil, features(30))
				}
				for _, name := range others { // what fsck wants to see beside a log
					if _, ok := s.files[name]; !ok && kind != link {
						s.files[name] = nil
					}
				}
				root := s.onDisk(t)
				path := filepath.Join(root, k.file)
				aside := filepath.Join(t.TempDir(), "aside")
				if err := os.Rename(path, aside); err != nil {
					put(t, vfs.OS, aside, nil)
				}
				must(0, os.MkdirAll(filepath.Dir(path), 0o755))
				switch kind {
				case fifo:
					must(0, syscall.Mkfifo(path, 0o600))
				case directory:
					must(0, os.Mkdir(path, 0o755))
				case link:
					must(0, os.Symlink(aside, path))
				case dangling:
					must(0, os.Symlink(root+"/nowhere", path))
				case device:
					must(0, os.Symlink("/dev/zero", path))
				}
				v := checkSoon(t, s)
				var found []string
				for _, p := range v.Report.Problems {
					if filepath.Clean(p.Path) == filepath.Clean(path) || p.ID == dirUnformatted {
						found = append(found, p.ID)
					}
				}
				for _, r := range v.Reasons {
					if r.Source == FromFsck && filepath.Clean(r.Path) == filepath.Clean(path) {
						found = append(found, r.ID)
					}
				}
				if want != "" && !slices.Contains(found, want) || want == "" && kind == link && slices.Contains(found, "file-unreadable") {
					t.Errorf("problems of the file are %v, want %q", found, want)
				}
				if !slices.Contains(harmless, want) && v.OK {
					t.Error("the node is said to start")
				}
			})
		}
	}
}

// checkSoon is Check, which must not wait for anybody.
func checkSoon(t *testing.T, s *scene) *Verdict {
	t.Helper()
	type result struct {
		v   *Verdict
		err error
	}
	done := make(chan result, 1)
	go func() {
		v, err := Check(t.Context(), readOnly(t, vfs.OS), CheckOptions{Options: s.options()})
		done <- result{v, err}
	}()
	select {
	case r := <-done:
		if r.err != nil {
			t.Fatal(r.err)
		}
		return r.v
	case <-time.After(10 * time.Second):
		t.Fatal("it waits")
	}
	return nil
}
