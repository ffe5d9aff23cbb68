package timeline

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"path/filepath"
	"strconv"

	"kraftctl/decode/control"
	"kraftctl/decode/index"
	"kraftctl/internal/image"
	"kraftctl/internal/metalog"
	"kraftctl/internal/vfs"
)

// Latest is the offset that stands for the end of what there is.
const Latest = math.MaxInt64

// Timeline is the history of a cluster's metadata as far as files have it.
type Timeline struct {
	fs    vfs.FS
	path  string
	files *metalog.Files // nil if the path is a single file
}

// ErrNoMetadata is the error for a directory without a metadata log.
var ErrNoMetadata = errors.New("there is no metadata log in it")

// Open finds out what a path is: a file of batches, the directory of a metadata
// log, or a node's directory that has one in it. It reads no records yet.
func Open(fsys vfs.FS, path string) (*Timeline, error) {
	info, err := fsys.Stat(path)
	if err != nil {
		return nil, err
	}
	t := &Timeline{fs: fsys, path: path}
	if !info.IsDir() {
		return t, nil
	}
	if t.files, err = metalog.List(fsys, metalog.Dir(fsys, path)); err != nil {
		return nil, err
	}
	if t.empty() {
		boot := filepath.Join(path, index.BootstrapName)
		if _, err := fsys.Stat(boot); err == nil {
			t.files.Bootstrap = boot
			return t, nil
		}
		return nil, &fs.PathError{Op: "open", Path: path, Err: ErrNoMetadata}
	}
	return t, nil
}

func (t *Timeline) empty() bool {
	return len(t.files.Snapshots)+len(t.files.Segments) == 0 && t.files.Bootstrap == ""
}

// Sibling opens another path in the same file system.
func (t *Timeline) Sibling(path string) (*Timeline, error) { return Open(t.fs, path) }

// IsDir reports whether it is a directory, whose log may grow.
func (t *Timeline) IsDir() bool { return t.files != nil }

// Path is what was opened.
func (t *Timeline) Path() string { return t.path }

// NodeDir is the directory above the metadata log, in which meta.properties is;
// for a single file that of the node that it seems to belong to.
func (t *Timeline) NodeDir() string {
	if !t.IsDir() {
		return filepath.Dir(filepath.Dir(t.path))
	}
	if filepath.Base(t.files.Dir) == index.MetadataLogDir {
		return filepath.Dir(t.files.Dir)
	}
	return t.files.Dir
}

// Leader is who led the quorum as of a state, by its LeaderChange record.
type Leader struct {
	ID     int32
	Epoch  int32
	Time   int64 // of the record, in milliseconds
	Offset int64 // of the record
}

// State is the metadata as of an offset, and what is known about it.
type State struct {
	Image *image.Image
	// KRaftVersion and Voters are those of the quorum's control records; Voters is
	// nil if the quorum is static.
	KRaftVersion int16
	Voters       *control.VotersRecord
	// Leader is nil if no record says who leads.
	Leader *Leader
	// End is the offset after the last one that was read.
	End int64
	// Time is the append time of the last batch that was read.
	Time int64
	// Snapshot is the file that the state begins with; empty if there is none.
	Snapshot string
	// Records is how many metadata records were replayed.
	Records int64
	// Problems are what keeps the state from being complete or certain; More counts
	// those that are not listed.
	Problems []Problem
	More     int

	place place // where reading goes on
	log   bool  // the log was read up to place
}

// Offset is the last offset that the state stands for.
func (s *State) Offset() int64 { return s.End - 1 }

// Aligned reports whether the state ends with a batch. A follower asks for records
// from the end of a snapshot on, and a leader gives whole batches.
func (s *State) Aligned() bool { return !s.log || s.place.next >= s.End }

// At gives the metadata as of an offset: all records up to and with it, or all that
// there are with Latest. It is less if the files end before; see State.End. The
// error is about files that cannot be read at all, or about an offset that the
// files do not hold any more: *OutOfReachError.
func (t *Timeline) At(ctx context.Context, offset int64) (*State, error) {
	if !t.IsDir() {
		return newBuilder(t).single(ctx, offset)
	}
	b := newBuilder(t)
	if err := b.all(ctx, offset); err != nil {
		return nil, err
	}
	return b.finish(offset), nil
}

// OutOfReachError is the error for an offset that the files do not hold.
type OutOfReachError struct {
	Offset int64 // -1: a time was asked for, and all that there is came later
	First  int64 // the first that can be reached; -1: there is none
}

// Error says what can be reached.
func (e *OutOfReachError) Error() string {
	s := "offset " + itoa(e.Offset) + " cannot be reached any more"
	if e.Offset < 0 {
		s = "nothing that old is there"
	}
	if e.First >= 0 {
		s += ": the first offset is " + itoa(e.First)
	}
	return s
}

func itoa(n int64) string { return strconv.FormatInt(n, 10) }
