//go:build conformance

package conformance

import (
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
)

// classArchive is a class data archive of a release's server in the cache of the
// jars. A server starts with it in two thirds of the time. The first server of a
// release that stops in good order writes it.
type classArchive struct {
	file string
	once sync.Once
}

// newClassArchive names the archive after the JVM as well, which takes none of
// another one.
func newClassArchive(libs, release string) *classArchive {
	version, _ := exec.Command("java", "-version").CombinedOutput()
	jvm := sha256.Sum256(version)
	return &classArchive{file: filepath.Join(filepath.Dir(libs), fmt.Sprintf("cds-%s-server-%x.jsa", release, jvm[:4]))}
}

// options are those of a JVM that uses the archive; or, if there is none, that
// writes one to a file when it ends, which only one does.
func (a *classArchive) options() (options, writes string) {
	if _, err := os.Stat(a.file); err == nil {
		return "-Xlog:disable -XX:SharedArchiveFile=" + a.file, ""
	}
	a.once.Do(func() { writes = fmt.Sprintf("%s.%d", a.file, os.Getpid()) })
	if writes != "" {
		options = "-Xlog:disable -XX:ArchiveClassesAtExit=" + writes
	}
	return options, writes
}

// keep puts an archive in its place. Without it, servers just start slower.
func (a *classArchive) keep(written string) { _ = os.Rename(written, a.file) }
