package dumplog

import (
	"bytes"
	"errors"
	"path/filepath"
	"time"

	"kraftctl/decode"
	"kraftctl/decode/index"
	"kraftctl/internal/vfs"
)

// defaultPoll is how often a file that is followed is looked at.
const defaultPoll = 200 * time.Millisecond

// follow dumps the last segment and goes on as it grows. When the directory has
// a newer segment and this one is used up, it goes on there. It ends with the
// context, whose error it gives, or at damage that hides what comes behind it.
func (d *dump) follow(in input) error {
	poll := d.o.Poll
	if poll <= 0 {
		poll = defaultPoll
	}
	ticker := time.NewTicker(poll)
	defer ticker.Stop()
	in.grouped = true
	for {
		next, rolled, err := d.followSegment(in, ticker.C)
		if err != nil || !rolled {
			return err
		}
		in = next
	}
}

// followSegment follows one segment until there is a newer one.
func (d *dump) followSegment(in input, tick <-chan time.Time) (next input, rolled bool, err error) {
	f, err := d.begin(in)
	if err != nil {
		return input{}, false, err
	}
	if f == nil { // a newer one may be there if it was deleted
		next, rolled = d.newerSegment(in)
		return next, rolled, nil
	}
	w := &follower{d: d, f: f}
	defer func() { w.f.Close() }()
	defer d.endFile(in.path)
	if w.run, err = d.segmentRun(f); err != nil {
		return input{}, false, err
	}
	for {
		if err := d.ctx.Err(); err != nil {
			return input{}, false, err
		}
		// Look for a newer segment before the size: what was appended to this one
		// before the roll is then seen.
		next, rolled = d.newerSegment(in)
		found, err := w.step(rolled)
		switch {
		case err != nil:
			return input{}, false, err
		case rolled:
			return next, true, nil
		case w.damaged:
			return input{}, false, nil
		case found:
			continue
		}
		select {
		case <-d.ctx.Done():
			return input{}, false, d.ctx.Err()
		case <-tick:
		}
	}
}

// follower is a segment that is followed.
type follower struct {
	d       *dump
	f       *opened
	run     *segmentRun
	pos     int64 // everything before it was shown
	marks   []mark
	gone    bool // the file has no name any more
	damaged bool
}

// step shows what is new. A segment that has a newer one gets nothing more, and
// what is left over at its end is a finding.
func (w *follower) step(rolled bool) (found bool, err error) {
	if !rolled {
		w.reopen()
	}
	if w.damaged {
		return false, nil
	}
	size, err := vfs.Size(w.f.file)
	if err != nil {
		w.d.unreadable(w.f.path, err)
		w.damaged = true
		return false, nil
	}
	w.f.size = size
	w.rewind(size)
	if size == w.pos || !rolled && size == w.f.zeroEnd && w.stillZeros() {
		return false, nil
	}
	before := w.pos
	scan := w.f.scanner(decode.ScanOptions{Start: w.pos, End: w.d.o.MaxBytes})
	more, err := w.d.scan(w.run, scan, w.f, rolled)
	if err != nil {
		return false, err
	}
	w.damaged = !more
	w.pos = scan.Position()
	w.mark()
	return w.pos > before, nil
}

// stillZeros looks whether something was written to reserved space.
func (w *follower) stillZeros() bool {
	head := make([]byte, min(decode.HeaderUpToMagic, w.f.size-w.pos))
	_, err := w.f.at.ReadAt(head, w.pos)
	return err == nil && len(bytes.Trim(head, "\x00")) == 0
}

// reopen notices that the file was deleted, or that another one has its name,
// and goes on with that.
func (w *follower) reopen() {
	d, path := w.d, w.f.path
	info, err := d.fs.Stat(path)
	switch {
	case notExist(err):
		if _, rolled := d.newerSegment(w.f.input); !w.gone && !rolled {
			w.gone = true
			d.find(Finding{File: path, Rule: RuleReplaced, Pos: -1, Offset: -1, Err: errors.New("was deleted while it was followed")})
		}
		return
	case err != nil:
		d.unreadable(path, err)
		w.damaged = true
		return
	}
	if same, known := w.same(path, info.Size()); known && same || !known && same && !w.gone {
		w.gone = false
		return
	}
	f, err := d.open(w.f.input)
	if notExist(err) {
		return // deleted again
	}
	if err != nil {
		d.unreadable(path, err)
		w.damaged = true
		return
	}
	w.f.Close()
	w.f, w.pos, w.marks, w.gone = f, 0, nil, false
	w.forgetOffsets()
	d.find(Finding{File: path, Rule: RuleReplaced, Pos: -1, Offset: -1})
}

// same reports whether the open file is the one that has the name, by what the
// file system tells of it (known), or else by its size.
func (w *follower) same(path string, named int64) (same, known bool) {
	before, err1 := w.f.file.Stat()
	info, err2 := w.d.fs.Stat(path)
	after, err3 := w.f.file.Stat()
	if err1 != nil || err2 != nil || err3 != nil {
		return true, false // reading it will tell
	}
	if same, ok := identity(before, info); ok {
		return same, true
	}
	// It may grow or be cut just now.
	return named == info.Size() && min(before.Size(), after.Size()) <= named && named <= max(before.Size(), after.Size()) ||
		named != info.Size(), false
}

func (w *follower) forgetOffsets() {
	w.d.forgetOffsets()
	w.run.last, w.run.end, w.run.started = -1, -1, false
}

// mark is a place up to which the file was shown, with the bytes before it.
type mark struct {
	pos   int64
	bytes []byte
}

const (
	// markSize is how many bytes a mark remembers: in small batches the checksum
	// is among them.
	markSize = 64
	// maxMarks bounds the marks of one file.
	maxMarks = 1000
)

// mark remembers the current place.
func (w *follower) mark() {
	if n := len(w.marks); w.pos == 0 || n > 0 && w.marks[n-1].pos == w.pos {
		return
	}
	b := make([]byte, min(markSize, w.pos))
	if _, err := w.f.at.ReadAt(b, w.pos-int64(len(b))); err != nil {
		return
	}
	if len(w.marks) >= maxMarks {
		w.marks = append(w.marks[:0], w.marks[maxMarks/2:]...)
	}
	w.marks = append(w.marks, mark{w.pos, b})
}

// rewind notices that the file was cut, even if it has grown again since, and
// goes back to the last place before which nothing has changed. A replica whose
// log turns out to differ from the leader's does that (KIP-101). The place of
// the cut is not known then, and showing a batch twice is better than never.
func (w *follower) rewind(size int64) {
	for n := len(w.marks); n > 0 && !w.holds(&w.marks[n-1], size); n = len(w.marks) {
		w.marks = w.marks[:n-1]
	}
	to := int64(0)
	if n := len(w.marks); n > 0 {
		to = w.marks[n-1].pos
	}
	if to == w.pos {
		return
	}
	w.d.find(Finding{File: w.f.path, Rule: RuleTruncated, Pos: to, Offset: -1, Want: w.pos, Got: size})
	w.pos, w.f.zeroEnd = to, 0
	w.forgetOffsets()
}

func (w *follower) holds(m *mark, size int64) bool {
	if m.pos > size {
		return false
	}
	b := make([]byte, len(m.bytes))
	_, err := w.f.at.ReadAt(b, m.pos-int64(len(b)))
	return err == nil && bytes.Equal(b, m.bytes)
}

// newerSegment finds the segment that follows in the same directory.
func (d *dump) newerSegment(in input) (input, bool) {
	if in.stream != nil || in.name.Kind != index.KindLog || in.name.Offset < 0 {
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
