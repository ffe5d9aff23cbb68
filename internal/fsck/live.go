package fsck

import (
	"errors"
	"io"
	"io/fs"
	"time"

	"kraftctl/internal/vfs"
)

// maxSmallFile bounds the text files that are read whole, in bytes: a
// checkpoint of a million partitions fits.
const maxSmallFile = 128 << 20

// maxLooks is how often files that change are looked at.
const maxLooks = 3

// stamp is what tells whether a file changed.
type stamp struct {
	there bool
	size  int64
	time  time.Time
}

func (c *checker) stamps(files []string) []stamp {
	list := make([]stamp, len(files))
	for i, name := range files {
		if info, err := c.fs.Stat(name); err == nil {
			list[i] = stamp{true, info.Size(), info.ModTime()}
		}
	}
	return list
}

func sameStamps(a, b []stamp) bool {
	for i := range a {
		if a[i].there != b[i].there || a[i].size != b[i].size || !a[i].time.Equal(b[i].time) {
			return false
		}
	}
	return true
}

// settle runs a check of some files, the first of which must exist, and runs it
// again if it would raise an alarm while the files are changing (or may be:
// live). What is not found every time is dropped. ok is false when the first
// file vanished; nothing is known then.
func (c *checker) settle(files []string, live bool, check func(s *sink) error) (s *sink, ok bool) {
	before := c.stamps(files)
	s = c.newSink()
	err := check(s)
	for looks := 1; looks < maxLooks; looks++ {
		if gone(err) {
			break
		}
		after := c.stamps(files)
		changed := !sameStamps(before, after)
		if err == nil && !s.alarming() || !live && !changed {
			break
		}
		before = after
		again := c.newSink()
		err = check(again)
		s.keepSame(again)
		if !changed {
			break // twice the same is enough where nothing moved
		}
	}
	switch after := c.stamps(files); {
	case gone(err) || !after[0].there:
		return c.newSink(), false
	case err == nil || c.ctx.Err() != nil:
	case errors.Is(err, io.ErrUnexpectedEOF) && live:
		// It was cut while it was read: a follower truncates.
	default:
		name := files[0]
		var pathError *fs.PathError
		if errors.As(err, &pathError) && pathError.Path != "" {
			name = pathError.Path
		}
		s.add(unreadable(name, err))
	}
	return s, true
}

// readSmall reads a small file. ok is false if there is nothing to check: the
// file vanished, or a finding says that it cannot be read.
func (c *checker) readSmall(s *sink, path string) (data []byte, ok bool) {
	data, err := vfs.ReadFile(c.fs, path, maxSmallFile)
	switch {
	case gone(err):
		return nil, false
	case err != nil:
		s.add(unreadable(path, err))
		return nil, false
	}
	c.looked(1, int64(len(data)))
	return data, true
}
