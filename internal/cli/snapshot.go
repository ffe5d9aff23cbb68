package cli

import (
	"context"
	"errors"
	"io/fs"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"kraftctl/internal/term"
	"kraftctl/internal/timeline"
	"kraftctl/internal/vfs"
)

func newSnapshot(e *Env) *cobra.Command {
	c := &cobra.Command{
		Use:   "snapshot",
		Short: "Verify, show, compare, write and redact the metadata of a cluster",
		Long: `Work on the metadata of a cluster as files hold it: KRaft snapshots, segments of
the metadata log, the directory of a metadata log (the latest usable snapshot and
the log behind it, as a node reads them), or a node's directory with one in it.
The files of a running node can be read; nothing is locked.`,
	}
	c.AddCommand(newSnapshotInfo(e), newSnapshotCat(e), newSnapshotDiff(e), newSnapshotWrite(e), newSnapshotRedact(e))
	return c
}

// openTimeline opens a file or directory with metadata.
func openTimeline(fsys vfs.FS, path string) (*timeline.Timeline, error) {
	line, err := timeline.Open(fsys, path)
	if err != nil {
		return nil, sourceError(path, err)
	}
	return line, nil
}

// sourceError says which input it is that cannot be read.
func sourceError(path string, err error) error {
	var out *timeline.OutOfReachError
	var none *timeline.NotMetadataError
	switch {
	case errors.As(err, &out):
		return &term.Error{Code: term.Unreadable, Err: err, Path: path, Offset: -1}
	case errors.As(err, &none):
		return &term.Error{Code: term.Unreadable, Err: errors.New(path + ": " + err.Error()), Path: path, Offset: -1}
	}
	return err
}

// splitOffset splits PATH@OFFSET. A file that is called so is a file.
func splitOffset(fsys vfs.FS, source string) (path string, offset int64, err error) {
	i := strings.LastIndexByte(source, '@')
	if i < 0 {
		return source, timeline.Latest, nil
	}
	if _, err := fsys.Stat(source); !errors.Is(err, fs.ErrNotExist) {
		return source, timeline.Latest, nil
	}
	offset, err = parseOffset(source[i+1:])
	return source[:i], offset, err
}

// parseOffset reads an offset or "latest".
func parseOffset(text string) (int64, error) {
	if text == "latest" {
		return timeline.Latest, nil
	}
	offset, err := strconv.ParseInt(text, 10, 64)
	if err != nil || offset < 0 {
		return 0, term.Usagef("%q is no offset: it is a number from 0 on, or latest", text)
	}
	return offset, nil
}

// readState reads the metadata as of an offset. Files that end before it are an
// error.
func readState(ctx context.Context, fsys vfs.FS, path string, offset int64) (*timeline.State, error) {
	line, err := openTimeline(fsys, path)
	if err != nil {
		return nil, err
	}
	s, err := line.At(ctx, offset)
	if err != nil {
		return nil, sourceError(path, err)
	}
	if offset != timeline.Latest && s.End <= offset {
		return nil, &term.Error{Code: term.Unreadable, Err: errors.New(path + " ends before offset " + strconv.FormatInt(offset, 10) +
			": the last one is " + strconv.FormatInt(s.End-1, 10)), Path: path, Offset: -1}
	}
	return s, nil
}

// timeText is a time in milliseconds as a person reads it, in UTC; empty if it is
// not known.
func timeText(ms int64) string {
	if ms < 0 {
		return ""
	}
	return time.UnixMilli(ms).UTC().Format("2006-01-02T15:04:05.000Z")
}
