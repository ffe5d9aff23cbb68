package dumplog

import (
	"path/filepath"
	"time"

	"kraftctl/decode"
	"kraftctl/decode/index"
	"kraftctl/internal/vfs"
)

// defaultPoll is how often a file that is followed is looked at.
const defaultPoll = 200 * time.Millisecond

// follow goes on behind pos as the file grows. When the directory has a newer
// segment and this one is used up, it goes on there. It ends with the context.
func (d *dump) follow(run *segmentRun, f *opened, pos int64) error {
	poll := d.o.Poll
	if poll <= 0 {
		poll = defaultPoll
	}
	timer := time.NewTicker(poll)
	defer timer.Stop()
	for {
		// Look for a newer segment before the size: what was appended to this one
		// before the roll is then seen.
		next, rolled := d.newerSegment(f.input)
		size, err := vfs.Size(f.file)
		if err != nil {
			d.unreadable(f.path, err)
			return nil
		}
		switch {
		case size > pos:
			f.size = size
			scan := f.scanner(decode.ScanOptions{Start: pos})
			if err := d.scan(run, scan, f, false); err != nil {
				return err
			}
			if scan.Err() != nil {
				return nil // damage was reported, nothing behind it can be read
			}
			if scan.Position() > pos {
				pos = scan.Position()
				continue
			}
		case size < pos:
			d.find(Finding{File: f.path, Rule: RuleTruncated, Pos: size, Offset: -1, Want: pos, Got: size})
			pos = size
		}
		if rolled {
			return d.input(next, true)
		}
		select {
		case <-d.ctx.Done():
			return nil
		case <-timer.C:
		}
	}
}

// newerSegment finds the segment that follows in the same directory.
func (d *dump) newerSegment(in input) (input, bool) {
	if in.stream != nil || in.name.Kind != index.KindLog {
		return input{}, false
	}
	dir := filepath.Dir(in.path)
	entries, err := d.fs.ReadDir(dir)
	if err != nil {
		return input{}, false
	}
	for _, e := range entries {
		name, err := index.ParseFileName(e.Name())
		if err == nil && name.Kind == index.KindLog && name.State == index.StateLive && name.Offset > in.name.Offset {
			return input{path: filepath.Join(dir, e.Name()), name: name, dir: in.dir, grouped: in.grouped}, true
		}
	}
	return input{}, false
}
