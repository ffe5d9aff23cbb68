//go:build conformance

package conformance

import (
	"bytes"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"kraftctl/internal/golden"
)

const (
	// damagedFiles is how many damaged files are shown.
	damagedFiles = 150
	// maxRefused is how many in a hundred of the files ours may refuse though the
	// real shell shows something: it stops at records that are malformed and, by
	// chance, waits for ever or shows what it has.
	maxRefused = 5
)

// TestShellOnDamage compares what the shells show of the metadata files of the
// fixtures, and of damaged copies of them.
func TestShellOnDamage(t *testing.T) {
	s := newServerSuite(t, shellRelease)
	seed := setting(t, "KRAFTCTL_CONFORMANCE_SEED", defaultSeed)
	n := int(setting(t, "KRAFTCTL_CONFORMANCE_CASES", damagedFiles))
	note := fmt.Sprintf("KRAFTCTL_CONFORMANCE_SEED=%d", seed)
	dir := testDir(t, fmt.Sprintf("shelldamage-%d", seed))
	var whole []string
	fixtures := filepath.Join(golden.Root(), "fixtures")
	err := filepath.WalkDir(fixtures, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasPrefix(path, filepath.Join(fixtures, "meta-")) {
			return err
		}
		if strings.HasPrefix(path, filepath.Join(fixtures, "meta-4.4.0")) {
			return nil // nothing is shown of a metadata version that is newer than the shell
		}
		if ext := filepath.Ext(path); ext == ".log" || ext == ".checkpoint" {
			whole = append(whole, path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(whole) < 10 {
		t.Fatalf("only %d fixtures in %s", len(whole), fixtures)
	}
	slices.Sort(whole)
	rng := rand.New(rand.NewPCG(uint64(seed), 2))
	commands := [][]string{}
	for _, f := range whole {
		commands = append(commands, []string{"--snapshot", f, "tree", "/"})
	}
	for i := range n {
		from := whole[rng.IntN(len(whole))]
		b, what := damage(t, rng, from, whole)
		// The name says what was done; no shell makes anything of it.
		f := filepath.Join(dir, strconv.Itoa(i)+"-"+what+filepath.Ext(from))
		if err := os.WriteFile(f, b, 0o644); err != nil {
			t.Fatal(err)
		}
		commands = append(commands, []string{"--snapshot", f, "tree", "/"})
	}
	hanging, refused := s.compareShells(t, dir, note, commands)
	if refused > len(commands)*maxRefused/100 {
		t.Errorf("%s: ours refuses %d of %d files that the real shell shows", note, refused, len(commands))
	}
	// Then there is too little left to compare.
	if hanging > len(commands)*2/3 {
		t.Errorf("%s: the real shell hangs on %d of %d files", note, hanging, len(commands))
	}
	t.Logf("%s: %d files, the real shell hangs on %d, ours refuses %d others", note, len(commands), hanging, refused)
}

// damage reads a file and cuts it, flips bits of it, or puts a piece of another one
// into it.
func damage(t *testing.T, rng *rand.Rand, file string, others []string) (b []byte, what string) {
	t.Helper()
	read := func(file string) []byte {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	b = read(file)
	if len(b) == 0 {
		return b, "empty"
	}
	at := rng.IntN(len(b))
	switch rng.IntN(5) {
	case 0:
		return b[:at], "cut"
	case 1:
		b[at] ^= 1 << rng.IntN(8)
		return b, "bit"
	case 2:
		for range 1 + rng.IntN(20) {
			b[rng.IntN(len(b))] ^= 1 << rng.IntN(8)
		}
		return b, "bits"
	case 3:
		return slices.Delete(b, at, min(len(b), at+1+rng.IntN(200))), "hole"
	default:
		// One of the same node: of two topics of a name it is a matter of chance which
		// one the real shell shows.
		others = slices.DeleteFunc(slices.Clone(others), func(f string) bool { return filepath.Dir(f) != filepath.Dir(file) })
		other := read(others[rng.IntN(len(others))])
		// From batch to batch now and then, which makes a file that can be read.
		if rng.IntN(2) == 0 {
			return slices.Concat(b[:batchAt(b, rng)], other[batchAt(other, rng):]), "joined"
		}
		from := rng.IntN(len(other) + 1)
		return slices.Insert(b, at, bytes.Clone(other[from:min(len(other), from+rng.IntN(300))])...), "spliced"
	}
}

// batchAt is where one of the batches of a file begins.
func batchAt(b []byte, rng *rand.Rand) int {
	starts, at := []int{0}, 0
	for at+12 <= len(b) {
		n := int(b[at+8])<<24 | int(b[at+9])<<16 | int(b[at+10])<<8 | int(b[at+11])
		if at += 12 + n; n <= 0 || at > len(b) {
			break
		}
		starts = append(starts, at)
	}
	return starts[rng.IntN(len(starts))]
}
