package nodeinfo

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"kraftctl/decode"
	"kraftctl/decode/corrupt"
	"kraftctl/internal/vfs"
)

const (
	// window is how much of a log is read at once.
	window = 256 << 10
	// maxBatch bounds a batch: the KRaft log and its snapshots have none above
	// 8 MiB. A larger one is damage, and is not read.
	maxBatch = 2 * decode.MaxBatchSize
)

// batchFile reads the batches of a segment or snapshot one after the other,
// with checksums verified, in memory that is bounded whatever the file claims.
type batchFile struct {
	f    vfs.File
	name string
	size int64
	pos  int64 // of the next batch
	buf  []byte
	at   int // of the next batch in buf
}

func openBatches(fsys vfs.FS, name string) (*batchFile, error) {
	f, err := vfs.OpenRegular(fsys, name)
	if err != nil {
		return nil, err
	}
	size, err := vfs.Size(f)
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return &batchFile{f: f, name: name, size: size}, nil
}

func (b *batchFile) close() { _ = b.f.Close() } // it was only read

// damage is the error for bytes that are no batch.
func (b *batchFile) damage(what, want, got string) error {
	return &corrupt.Error{File: b.name, Pos: b.pos, What: what, Want: want, Got: got}
}

// next gives the next batch, whose bytes are valid until the call after. The
// error is io.EOF at the end, io.ErrUnexpectedEOF if the last batch is not all
// there, a *corrupt.Error for damage, or one of the file system.
func (b *batchFile) next() (decode.Batch, error) {
	switch left := b.size - b.pos; {
	case left == 0:
		return decode.Batch{}, io.EOF
	case left <= decode.HeaderUpToMagic:
		return decode.Batch{}, io.ErrUnexpectedEOF
	}
	if err := b.fill(decode.HeaderUpToMagic); err != nil {
		return decode.Batch{}, err
	}
	length := int32(binary.BigEndian.Uint32(b.buf[b.at+8:]))
	size := int64(length) + decode.LogOverhead
	switch {
	case length < decode.MinEntrySize || size > maxBatch:
		return decode.Batch{}, b.damage("batch length", fmt.Sprintf("%d to %d", decode.MinEntrySize, maxBatch), fmt.Sprint(length))
	case size > b.size-b.pos:
		return decode.Batch{}, io.ErrUnexpectedEOF
	}
	if err := b.fill(int(size)); err != nil {
		return decode.Batch{}, err
	}
	batch, err := decode.ParseBatch(b.buf[b.at:b.at+int(size)], b.pos)
	switch {
	case err != nil:
		var e *corrupt.Error
		if errors.As(err, &e) {
			e.File = b.name
		}
		return batch, err
	case batch.Magic != 2:
		return batch, b.damage("batch", "magic 2", fmt.Sprint(batch.Magic))
	case !batch.Valid():
		return batch, b.damage("checksum of the batch", fmt.Sprintf("%08x", batch.Checksum()), fmt.Sprintf("%08x", batch.CRC))
	case batch.LastOffsetDelta < 0 || batch.NextOffset() <= batch.BaseOffset:
		return batch, b.damage("offsets of the batch", "", fmt.Sprintf("base %d, delta %d", batch.BaseOffset, batch.LastOffsetDelta))
	}
	b.at += int(size)
	b.pos += size
	return batch, nil
}

// fill makes the next n bytes of the file the next of the buffer. The file has
// that many, unless it was cut meanwhile.
func (b *batchFile) fill(n int) error {
	have := len(b.buf) - b.at
	if have >= n {
		return nil
	}
	want := int(min(int64(max(n, window)), b.size-b.pos))
	if want <= cap(b.buf) {
		copy(b.buf[:have], b.buf[b.at:])
		b.buf = b.buf[:want]
	} else {
		bigger := make([]byte, want)
		copy(bigger, b.buf[b.at:])
		b.buf = bigger
	}
	b.at = 0
	got, err := b.f.ReadAt(b.buf[have:], b.pos+int64(have))
	if have+got == want {
		return nil
	}
	b.buf = b.buf[:have+got]
	if err == nil || errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}
