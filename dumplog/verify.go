package dumplog

import (
	"errors"
	"fmt"
	"path/filepath"

	"kraftctl/decode"
	"kraftctl/decode/index"
	"kraftctl/internal/fsck"
	"kraftctl/internal/vfs"
)

// Rules of fsck that mean something else here than their severity says.
const (
	indexOrphan = "index-orphan"
	indexInner  = "timeindex-inner"
	indexAppend = "index-append"
	indexLength = "index-length"
	notReadable = "file-unreadable"
)

// verifyIndex holds an index against the segment that it belongs to. told says
// that there were findings. The error is that of the context.
func (d *dump) verifyIndex(f *opened) (told bool, err error) {
	if f.packed() {
		d.note(f.path, "a compressed copy is not compared with its log")
		return d.verifyAlone(f), nil
	}
	// fsck does not know the context, but everything that it reads goes through here.
	fsys := vfs.Inject(d.fs, func(vfs.Op, string) error { return d.ctx.Err() })
	found := fsck.CheckIndex(fsys, f.path)
	if err := d.ctx.Err(); err != nil {
		return false, err
	}
	for i := range found {
		x := &found[i]
		if x.Rule == indexOrphan && d.packedLog(f) {
			d.note(f.path, "the log is a compressed copy: the index is not compared with it")
			told = d.verifyAlone(f) || told
			continue
		}
		// Entries that Kafka's tool calls a mismatch are one here as well, also
		// where old brokers write them so.
		if x.Severity() == fsck.Info && x.Rule != indexInner && x.Rule != indexAppend {
			continue
		}
		told = true
		d.find(indexFinding(f, x))
	}
	if f.name.Kind == index.KindOffsetIndex && d.o.MaxMessageSize > 0 {
		if err := d.largeBatches(f); err != nil {
			return told, err
		}
	}
	return told, nil
}

// indexFinding makes a finding of one of fsck's.
func indexFinding(f *opened, x *fsck.Finding) Finding {
	rule := RuleIndex
	switch {
	case x.Rule == indexLength:
		rule = RuleCorrupt
	case x.Rule == notReadable:
		rule = RuleUnread
	case f.name.Kind == index.KindTimeIndex:
		rule = RuleTimeIndex
	case f.name.Kind == index.KindTxnIndex:
		rule = RuleTxnIndex
	}
	text := x.Message
	if x.Position >= 0 {
		text = "at byte " + itoa(x.Position) + ": " + text
	}
	switch {
	case x.Want != "" && x.Got != "":
		text += ": expected " + x.Want + ", found " + x.Got
	case x.Want != "":
		text += ": expected " + x.Want
	}
	if x.More > 0 {
		text += fmt.Sprintf(" (and %d more of the kind %s)", x.More, x.Rule)
	}
	return Finding{File: f.path, Rule: rule, Pos: x.Position, Offset: x.Offset, Err: errors.New(text)}
}

// verifyAlone checks what can be told of an index without its log.
func (d *dump) verifyAlone(f *opened) (told bool) {
	var err error
	switch f.name.Kind {
	case index.KindOffsetIndex:
		var x *index.OffsetIndex
		if x, err = index.OpenOffsetIndex(f.at, f.size, f.name.Offset, f.path); err == nil {
			err = x.Verify()
		}
	case index.KindTimeIndex:
		var x *index.TimeIndex
		if x, err = index.OpenTimeIndex(f.at, f.size, f.name.Offset, f.path); err == nil {
			err = x.Verify()
		}
	}
	if err != nil {
		d.find(Finding{File: f.path, Rule: RuleCorrupt, Pos: -1, Offset: -1, Err: err})
	}
	return err != nil
}

// logPath is where the log of an index lies.
func logPath(f *opened) string {
	name := index.FileName{Kind: index.KindLog, Offset: f.name.Offset}
	return filepath.Join(filepath.Dir(f.path), name.String())
}

// packedLog reports whether there is only a compressed copy of the log.
func (d *dump) packedLog(f *opened) bool {
	for _, ending := range compressedEndings {
		if _, err := d.fs.Stat(logPath(f) + ending); err == nil {
			return true
		}
	}
	return false
}

// largeBatches reports entries whose batches are larger than was asked for.
func (d *dump) largeBatches(f *opened) error {
	log, err := d.fs.Open(logPath(f))
	if err != nil {
		return nil // fsck has told
	}
	defer log.Close()
	size, err := vfs.Size(log)
	if err != nil {
		return nil
	}
	x, err := index.OpenOffsetIndex(f.at, f.size, f.name.Offset, f.path)
	if err != nil {
		return nil
	}
	scan := decode.NewScanner(log, size, decode.ScanOptions{File: logPath(f)})
	for i := range x.Used() {
		if d.ctx.Err() != nil {
			return d.ctx.Err()
		}
		e, err := x.Entry(i)
		if err != nil {
			return nil
		}
		b, ok, err := scan.Header(int64(e.Position))
		if err != nil || !ok || b.Size <= int(d.o.MaxMessageSize) {
			continue // where there is no batch fsck has told
		}
		d.list(Finding{File: f.path, Rule: RuleIndex, Pos: i * index.OffsetEntrySize, Offset: e.Offset,
			Err: fmt.Errorf("at byte %d: the batch of offset %d has %d bytes, more than --max-message-size %d",
				i*index.OffsetEntrySize, e.Offset, b.Size, d.o.MaxMessageSize)})
	}
	return nil
}
