//go:build conformance

package conformance

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kraftctl/decode/metadata"
	"kraftctl/internal/image"
	"kraftctl/internal/timeline"
	"kraftctl/internal/vfs"
)

// copyFiles copies the files of a directory that a node may be writing.
func copyFiles(t *testing.T, from, to string) {
	t.Helper()
	entries, err := os.ReadDir(from)
	if err == nil {
		err = os.MkdirAll(to, 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		b, err := os.ReadFile(filepath.Join(from, e.Name()))
		if os.IsNotExist(err) {
			continue
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(to, e.Name()), b, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// checkSnapshots compares the state of each snapshot of a metadata log with that
// of the log alone, replayed from its beginning to where the snapshot ends.
func checkSnapshots(t *testing.T, note, dir, logOnly string) (count int) {
	t.Helper()
	copyFiles(t, dir, logOnly)
	whole, err := timeline.Open(vfs.OS, dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range whole.Snapshots() {
		if s.EndOffset > 0 {
			if err := os.Remove(filepath.Join(logOnly, filepath.Base(s.Path))); err != nil {
				t.Fatal(err)
			}
		}
	}
	log, err := timeline.Open(vfs.OS, logOnly)
	if err != nil {
		t.Fatal(err)
	}
	at := func(l *timeline.Timeline, offset int64) *timeline.State {
		state, err := l.At(context.Background(), offset)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range state.Problems {
			if offset != timeline.Latest {
				t.Errorf("%s: %s", note, p)
			}
		}
		return state
	}
	for _, s := range whole.Snapshots() {
		if s.EndOffset == 0 {
			continue
		}
		count++
		one, err := whole.Sibling(s.Path)
		if err != nil {
			t.Fatal(err)
		}
		a, b := at(one, timeline.Latest), at(log, s.EndOffset-1)
		if b.End != s.EndOffset {
			t.Errorf("%s: the log does not reach %s", note, s.Path)
		}
		compareImages(t, note+", "+s.Path, log, a, b)
	}
	a, b := at(whole, timeline.Latest), at(log, timeline.Latest)
	if a.End != b.End {
		t.Errorf("%s: %s ends at %d, its log at %d", note, dir, a.End, b.End)
	}
	compareImages(t, note+", snapshot and log of "+dir, log, a, b)
	return count
}

// compareImages compares a state that comes from a snapshot with that of the log.
//
// Nodes keep configurations of a topic that was deleted, when it was created and
// deleted between two of their images: they remove only those that were in the one
// before. Which, depends on how fast the node was. Such are let pass.
func compareImages(t *testing.T, note string, log *timeline.Timeline, snapshot, replayed *timeline.State) {
	t.Helper()
	differ, kept := false, 0
	for c := range image.Diff(replayed.Image, snapshot.Image) {
		differ = true
		if c.Kind == image.KindConfig && c.Before == nil && wasRemovedWithTopic(t, log, c.Path) {
			kept++
			continue
		}
		t.Errorf("%s: /%s\nlog:      %v\nsnapshot: %v", note, strings.Join(c.Path, "/"), c.Before, c.After)
	}
	if (replayed.Image.Hash() != snapshot.Image.Hash()) != differ {
		t.Errorf("%s: equal hashes of different images, or the other way round", note)
	}
	if kept > 0 {
		t.Logf("%s: %d configurations of deleted topics", note, kept)
	}
}

// wasRemovedWithTopic tells whether the log removes a configuration by removing its
// topic.
func wasRemovedWithTopic(t *testing.T, log *timeline.Timeline, path []string) (removed bool) {
	t.Helper()
	_, err := log.History(context.Background(), timeline.Query{Prefix: path}, func(r *timeline.Recorded) error {
		removed = removed || r.After == nil && r.Record == (*metadata.RemoveTopicRecord)(nil).MessageName()
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return removed
}
