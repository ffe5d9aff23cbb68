package metalog

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"kraftctl/internal/vfs"
)

// TestLogLikeModel: whatever is done to a log, it is what the model says.
func TestLogLikeModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := vfs.NewMem()
		if err := errors.Join(m.MkdirAll(testParent, 0o755), m.SyncDir("/")); err != nil {
			t.Fatal(err)
		}
		w := newWorld(m, func(n int) int { return rapid.IntRange(0, n-1).Draw(t, "n") })
		if err := w.open(); err != nil {
			t.Fatal(err)
		}
		defer func() { _ = w.l.Close() }()
		for range rapid.IntRange(1, 40).Draw(t, "steps") {
			err := w.step()
			if err == nil {
				err = w.same()
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := w.l.Close(); err != nil {
			t.Fatal(err)
		}
		if err := fsckSilent(m); err != nil {
			t.Fatal(err)
		}
	})
}

var errDisk = errors.New("the disk has died")

// failOnce is vfs.FailNth for a disk that fails one time.
func failOnce(n int64) func(vfs.Op, string) error {
	return func(op vfs.Op, _ string) error {
		if op.Changes() {
			if n--; n == -1 {
				return errDisk
			}
		}
		return nil
	}
}

// TestLogCrash cuts random lives of a log off at every operation of the file
// system: the disk dies there, or fails once. Whatever of it is on disk after a
// power failure then, and when there is none, is a log with all that was flushed.
func TestLogCrash(t *testing.T) {
	seeds, steps := 4, 25
	if testing.Short() {
		seeds = 1
	}
	for seed := range uint64(seeds) {
		for _, once := range []bool{false, true} {
			t.Run(fmt.Sprintf("%d/%v", seed, once), func(t *testing.T) {
				t.Parallel()
				ended := false
				for n := int64(0); !ended; n++ {
					fault := vfs.FailNth(n, errDisk)
					if once {
						fault = failOnce(n)
					}
					var err error
					if ended, err = crashAt(seed, n, steps, fault, once); err != nil {
						t.Fatalf("fault at %d: %v", n, err)
					}
				}
			})
		}
	}
}

// crashAt reports whether the life ended without a fault.
func crashAt(seed uint64, n int64, steps int, fault func(vfs.Op, string) error, once bool) (ended bool, err error) {
	m := vfs.NewMem()
	if err := errors.Join(m.MkdirAll(testParent, 0o755), m.SyncDir("/")); err != nil {
		return false, err
	}
	rng := rand.New(rand.NewPCG(seed, 1))
	w := newWorld(vfs.Inject(m, fault), rng.IntN)
	err = w.open()
	for i := 0; err == nil && i < steps; i++ {
		if err = w.step(); once && errors.Is(err, errDisk) && w.l != nil && w.l.usable() == nil {
			if !w.harmless {
				return false, fmt.Errorf("it goes on after %w", err)
			}
			w.now, err = w.was, nil
		}
	}
	if err == nil {
		w.was = w.now
		if err = w.l.Close(); err == nil {
			return true, nil
		}
	}
	if !errors.Is(err, errDisk) {
		return false, err
	}
	if once && w.l != nil {
		if err := w.poisoned(); err != nil {
			return false, err
		}
	}
	for k := range uint64(5) {
		var c *vfs.Mem
		if k == 0 {
			c = m.CrashClone()
		} else {
			c = m.CrashCloneRandom(rand.New(rand.NewPCG(seed, uint64(n)*8+k)))
		}
		if err := w.survived(c); err != nil {
			return false, fmt.Errorf("crash %d: %w", k, err)
		}
	}
	if w.l != nil {
		_ = w.l.Close() // nothing more is to be had from it
	}
	if err := w.survived(m); err != nil {
		return false, fmt.Errorf("without a crash: %w", err)
	}
	return false, nil
}

// poisoned checks that nothing is written, nor said to be durable, after an error
// that leaves unknown what is on disk.
func (w *world) poisoned() error {
	if w.l.usable() == nil {
		return nil
	}
	flushed := w.l.Flushed()
	if flushed > w.l.End() {
		return fmt.Errorf("flushed to %d, of %d", flushed, w.l.End())
	}
	if n, err := w.l.Flush(); err == nil || n != flushed {
		return fmt.Errorf("flush after a failure gives %d of %d, %w", n, flushed, err)
	}
	if err := w.l.Append(batchOf(w.l.End(), w.l.LastEpoch(), 1, 1)); !errors.Is(err, ErrPoisoned) && !errors.Is(err, ErrClosed) {
		return fmt.Errorf("append after a failure: %w", err)
	}
	return nil
}

// TestRemovalCrash cuts off what takes many segments away at once, from either end.
func TestRemovalCrash(t *testing.T) {
	for name, remove := range map[string]func(w *world) error{
		"end": func(w *world) error {
			w.now.entries = w.now.entries[:2]
			w.now.flushed = w.now.end()
			return w.l.TruncateTo(w.now.end())
		},
		"all": func(w *world) error {
			id := w.now.ids()[1]
			w.now.entries, w.now.fresh, w.now.start, w.now.flushed = nil, id.EndOffset, id.EndOffset, id.EndOffset
			w.now.drop(id.EndOffset)
			return w.l.TruncateFullyTo(id)
		},
		"start": func(w *world) error {
			id := w.now.ids()[1]
			w.now.start = id.EndOffset
			w.now.drop(id.EndOffset)
			_, err := w.l.DeleteBefore(id)
			return err
		},
	} {
		for _, once := range []bool{false, true} {
			for n := int64(0); ; n++ {
				m := newDisk(t)
				fault := func(vfs.Op, string) error { return nil }
				w := newWorld(vfs.Inject(m, func(op vfs.Op, path string) error { return fault(op, path) }), func(int) int { return 0 })
				must(t, w.open())
				for i := range int64(24) {
					raw := batchOf(i, 1, 1, 100)
					must(t, w.l.Append(raw))
					w.now.entries = append(w.now.entries, entry{i, i + 1, 1, raw})
				}
				must(t, w.flush())
				if len(w.l.Segments()) < 5 {
					t.Fatal("too few segments")
				}
				for _, id := range map[string][]SnapshotID{"all": {{4, 1}, {10, 2}}, "start": {{4, 1}, {22, 1}}}[name] {
					sw, err := w.l.NewSnapshot(id)
					must(t, writeSnapshot(sw, err, snapshotBytes(id.Epoch, 0)))
					w.now.snapshots[id] = string(snapshotBytes(id.Epoch, 0))
				}
				w.was, w.now = w.now, w.now.clone()
				if fault = vfs.FailNth(n, errDisk); once {
					fault = failOnce(n)
				}
				err := remove(w)
				fault = func(vfs.Op, string) error { return nil }
				if err == nil {
					must(t, w.same())
					must(t, w.l.Close())
					if n < 15 {
						t.Errorf("%s: only %d operations", name, n)
					}
					break
				}
				if w.l.usable() == nil {
					t.Fatalf("%s: fault at %d: it goes on after %v", name, n, err)
				}
				must(t, w.poisoned())
				for seed := range uint64(20) {
					if err := w.survived(m.CrashCloneRandom(rand.New(rand.NewPCG(seed, uint64(n))))); err != nil {
						t.Fatalf("%s: fault at %d, once %v, crash %d: %v", name, n, once, seed, err)
					}
				}
				must(t, w.l.Close())
				if err := w.survived(m); err != nil {
					t.Fatalf("%s: fault at %d, once %v, without a crash: %v", name, n, once, err)
				}
			}
		}
	}
}
