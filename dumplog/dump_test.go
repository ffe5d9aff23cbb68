package dumplog

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"kraftctl/decode"
	"kraftctl/decode/corrupt"
)

// An interrupted dump says so, also while it waits for standard input, and gives
// no summary of what it has not seen.
func TestInterrupted(t *testing.T) {
	fsys := topicDir(t)
	appendTo(t, fsys, segment0, oneBatch(t, 0))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	summaries := 0
	o := Options{Inputs: []string{segment0}, Summary: func(*Summary) error { summaries++; return nil }}
	if _, err := Dump(ctx, fsys, io.Discard, io.Discard, o); !errors.Is(err, context.Canceled) || summaries > 0 {
		t.Errorf("%v, %d summaries", err, summaries)
	}
	for _, first := range [][]byte{nil, oneBatch(t, 0)} {
		ctx, cancel = context.WithCancel(t.Context())
		stdin, writer := io.Pipe()
		defer writer.Close()
		go func() {
			_, _ = writer.Write(first)
			cancel() // and nothing more comes, nor the end
		}()
		r, err := Dump(ctx, fsys, io.Discard, io.Discard, Options{Inputs: []string{"-"}, Stdin: stdin})
		if !errors.Is(err, context.Canceled) || r.Findings > 0 {
			t.Errorf("standard input with %d bytes: %v, %+v", len(first), err, r)
		}
	}
}

// Gaps between batches are findings, of which a file prints only so many.
// Offsets that are missing within batches are counted, but for the metadata log.
func TestGaps(t *testing.T) {
	sparse := func(base int64) []byte {
		b := decode.NewBatch(base, 1, 1)
		raw, err := decode.AppendBatch(nil, &b, []decode.Record{{Offset: base}, {Offset: base + 2}, {Offset: base + 4}})
		if err != nil {
			t.Fatal(err)
		}
		return raw
	}
	empty := func(base, last int64) []byte {
		b := decode.NewBatch(base, 1, 1)
		b.LastOffsetDelta = int32(last - base)
		raw, err := decode.AppendBatch(nil, &b, nil)
		if err != nil {
			t.Fatal(err)
		}
		return raw
	}
	var far []byte
	for i := range int64(maxPerFile + 10) {
		far = append(far, oneBatch(t, 2*i)...)
	}
	for _, c := range []struct {
		dir      string
		data     []byte
		findings int
		last     string
	}{
		{"/t-0", append(sparse(0), sparse(5)...), 0, "note: /t-0/00000000000000000000.log: 4 gaps in offsets (normal"},
		{"/__cluster_metadata-0", append(sparse(0), sparse(5)...), 4, "offset 7 is followed by 9"},
		{"/t-0", append(sparse(5), sparse(0)...), 1, "note: "},
		// A batch that compaction has emptied still covers its offsets.
		{"/t-0", slices.Concat(oneBatch(t, 0), empty(1, 9), oneBatch(t, 10)), 0, "note: /t-0/00000000000000000000.log: 1 gap in"},
		{"/t-0", slices.Concat(oneBatch(t, 0), empty(1, 8), oneBatch(t, 10)), 1, "offset 0 is followed by 10"},
		{"/t-0", far, maxPerFile + 1, "9 more of the kind offset-gap"},
	} {
		fsys := topicDir(t)
		if err := fsys.MkdirAll(c.dir, 0o755); err != nil {
			t.Fatal(err)
		}
		path := c.dir + "/00000000000000000000.log"
		appendTo(t, fsys, path, c.data)
		var errOut strings.Builder
		r, err := Dump(t.Context(), fsys, io.Discard, &errOut, Options{Inputs: []string{path}, Deep: true})
		lines := strings.Split(strings.TrimSpace(errOut.String()), "\n")
		if err != nil || r.Findings != c.findings || !strings.Contains(lines[len(lines)-1], c.last) {
			t.Errorf("%s: %+v, %v, %q: want %d findings and %q", c.dir, r, err, lines[len(lines)-1], c.findings, c.last)
		}
	}
}

// Every finding names its file, and once.
func TestFindingNamesFile(t *testing.T) {
	for _, f := range []Finding{
		{Rule: RuleDamage, Err: &corrupt.Error{Pos: 7, What: "batch"}},
		{Rule: RuleDamage, Err: &corrupt.Error{File: "x.log", Pos: 7, What: "batch"}},
		{Rule: RuleDamage, Err: fmt.Errorf("%w (more)", &corrupt.Error{File: "x.log", Pos: 7, What: "batch"})},
		{Rule: RuleUnread, Err: &fs.PathError{Op: "stat", Path: "x.log", Err: fs.ErrNotExist}},
		{Rule: RuleSkipped, End: 9, Err: &corrupt.Error{File: "x.log", Pos: 7, What: "batch"}},
		{Rule: RuleReplaced}, {Rule: RuleGap}, {Rule: RuleTail}, {Rule: RuleIndex},
	} {
		f.File = "x.log"
		if text := f.String(); !strings.HasPrefix(text, "x.log: ") || strings.Count(text, "x.log") != 1 || strings.Contains(text, "stat") {
			t.Errorf("%q", text)
		}
	}
}

// With --all, what is followed is the last segment and not the last file.
func TestFollowAll(t *testing.T) {
	fsys := topicDir(t)
	appendTo(t, fsys, segment0, oneBatch(t, 0))
	appendTo(t, fsys, "/data/t-0/partition.metadata", []byte("version: 0\ntopic_id: _D5nnAc6RJ6mlsRi1SltKQ\n"))
	f := follow(t, fsys, Options{Inputs: []string{"/data/t-0"}, All: true})
	f.expect("Dumping /data/t-0/partition.metadata", "version: 0", "Dumping "+segment0, "Log starting", "baseOffset: 0 ", "| offset")
	appendTo(t, fsys, segment0, oneBatch(t, 1))
	f.expect("baseOffset: 1 ", "| offset")
	f.end()
}
