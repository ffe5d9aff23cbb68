package metalog

import (
	"fmt"
	"io"

	"kraftctl/decode"
	"kraftctl/decode/control"
	"kraftctl/decode/corrupt"
	"kraftctl/internal/vfs"
)

// verifySnapshot reads a snapshot from its header to its footer: all batches must
// be whole, count their offsets from 0, and have the epoch of the name.
func verifySnapshot(fsys vfs.FS, path string, epoch int32) error {
	f, err := OpenBatches(fsys, path)
	if err != nil {
		return err
	}
	defer f.Close()
	records := NewRecords()
	next, last := int64(0), decode.NotControl
	for {
		pos := f.Pos()
		b, err := f.Next()
		switch {
		case err == io.EOF && last == decode.SnapshotFooter:
			return nil
		case err == io.EOF || err == io.ErrUnexpectedEOF:
			return &corrupt.Error{File: path, Pos: f.Pos(), What: "end of the snapshot", Want: "a footer", Got: fmt.Sprintf("%d bytes more", f.Size()-f.Pos())}
		case err != nil:
			return err
		case b.BaseOffset != next:
			return &corrupt.Error{File: path, Pos: pos, What: "base offset of the batch", Want: fmt.Sprint(next), Got: fmt.Sprint(b.BaseOffset)}
		case b.LeaderEpoch != epoch:
			return &corrupt.Error{File: path, Pos: pos, What: "leader epoch of the batch", Want: fmt.Sprint(epoch), Got: fmt.Sprint(b.LeaderEpoch)}
		}
		if next == 0 {
			if _, err := snapshotHeader(&b, records, path); err != nil {
				return err
			}
		}
		if last = decode.NotControl; b.IsControl() {
			for records.Reset(&b); records.Next(); {
				last = records.Record.ControlType
			}
			if err := records.Err(); err != nil {
				return inFile(err, path)
			}
		}
		next = b.NextOffset()
	}
}

// snapshotHeader gives the header of a snapshot, which its first batch begins with.
func snapshotHeader(b *decode.Batch, records *decode.Records, path string) (*control.SnapshotHeaderRecord, error) {
	if b.IsControl() {
		records.Reset(b)
		if records.Next() {
			c, err := decode.DecodeControl(&records.Record)
			if h, ok := c.Message.(*control.SnapshotHeaderRecord); ok && err == nil {
				return h, nil
			}
		}
	}
	return nil, &corrupt.Error{File: path, Pos: b.Position, What: "first batch of the snapshot", Want: "one that begins with a snapshot header",
		Got: fmt.Sprintf("attributes %#x", b.Attributes), Err: records.Err()}
}

// snapshotTime is the time in milliseconds of the last record that a snapshot
// stands for, as its header has it; 0 in one that was formatted.
func snapshotTime(fsys vfs.FS, path string) (int64, error) {
	f, err := OpenBatches(fsys, path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	b, err := f.Next()
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		err = &corrupt.Error{File: path, Pos: 0, What: "first batch of the snapshot", Want: "a whole one", Got: fmt.Sprintf("%d bytes", f.Size())}
	}
	if err != nil {
		return 0, err
	}
	h, err := snapshotHeader(&b, NewRecords(), path)
	if err != nil {
		return 0, err
	}
	return h.LastContainedLogTimestamp, nil
}
