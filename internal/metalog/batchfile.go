package metalog

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"kraftctl/decode"
	"kraftctl/decode/corrupt"
	"kraftctl/internal/vfs"
)

// maxBatch bounds a batch: the KRaft log and its snapshots have none above 8 MiB. A
// larger one is damage, and is not read.
const maxBatch = 2 * decode.MaxBatchSize

// maxDecompressed bounds what a batch may decompress to. Kafka does not compress
// the KRaft log.
const maxDecompressed = 64 << 20

// NewRecords makes a walker over the records of batches of the KRaft log.
func NewRecords() *decode.Records { return decode.NewRecords(maxDecompressed) }

// BatchFile reads the batches of a segment or snapshot one after the other, with
// checksums verified, in memory that is bounded whatever the file claims.
type BatchFile struct {
	f     vfs.File
	name  string
	size  int64
	pos   int64 // of the next batch
	scan  *decode.Scanner
	chunk decode.Chunk
	at    int // of the next batch in chunk

	// Unchecked leaves out the checksums, as Kafka's shell does, and takes a batch of
	// any size that goes beyond the end for one that is not all there.
	Unchecked bool
}

// OpenBatches opens a segment or snapshot for reading, and locks nothing.
func OpenBatches(fsys vfs.FS, name string) (*BatchFile, error) { return OpenBatchesAt(fsys, name, 0) }

// OpenBatchesAt opens a file to read it from the position of a batch on.
func OpenBatchesAt(fsys vfs.FS, name string, pos int64) (*BatchFile, error) {
	f, err := vfs.OpenRegular(fsys, name)
	if err != nil {
		return nil, err
	}
	size, err := vfs.Size(f)
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return &BatchFile{f: f, name: name, size: size, pos: pos, scan: decode.NewScanner(f, size, decode.ScanOptions{File: name, Start: pos})}, nil
}

// Close closes the file.
func (b *BatchFile) Close() { _ = b.f.Close() } // it was only read

// Pos is the position of the batch that comes next, or of what is none.
func (b *BatchFile) Pos() int64 { return b.pos }

// Size is the size of the file when it was opened.
func (b *BatchFile) Size() int64 { return b.size }

// EndsInZeros reports whether the rest of the file is nothing but zeros, as what a
// running node has allocated ahead. One that was cut meanwhile has no rest.
func (b *BatchFile) EndsInZeros(ctx context.Context) bool {
	zeros, err := decode.OnlyZeros(ctx, b.f, b.pos, b.size)
	return zeros || errors.Is(err, io.ErrUnexpectedEOF)
}

// Unwritten reports whether an error of Next is what a running node leaves at the end
// of its log, or one that lost power: a part of a batch, or zeros.
func (b *BatchFile) Unwritten(ctx context.Context, err error) bool {
	return errors.Is(err, io.ErrUnexpectedEOF) || corrupt.Is(err) && b.EndsInZeros(ctx)
}

// damage is the error for bytes that are no batch.
func (b *BatchFile) damage(what, want, got string) error {
	return &corrupt.Error{File: b.name, Pos: b.pos, What: what, Want: want, Got: got}
}

// Next gives the next batch, whose bytes are valid until the call after. The
// error is io.EOF at the end, io.ErrUnexpectedEOF if the last batch is not all
// there, a *corrupt.Error for damage, or one of the file system.
func (b *BatchFile) Next() (batch decode.Batch, err error) {
	if b.at == b.chunk.Len() {
		if err := b.load(); err != nil {
			return batch, err
		}
	}
	if err := b.chunk.Batch(b.at, &batch); err != nil {
		return batch, err
	}
	switch {
	case batch.Magic != 2:
		return batch, b.damage("batch", "magic 2", fmt.Sprint(batch.Magic))
	case !b.Unchecked && !batch.Valid():
		return batch, b.damage("checksum of the batch", fmt.Sprintf("%08x", batch.Checksum()), fmt.Sprintf("%08x", batch.CRC))
	case batch.LastOffsetDelta < 0 || batch.NextOffset() <= batch.BaseOffset:
		return batch, b.damage("offsets of the batch", "", fmt.Sprintf("base %d, delta %d", batch.BaseOffset, batch.LastOffsetDelta))
	}
	b.at++
	b.pos += int64(batch.Size)
	return batch, nil
}

// load reads the next chunk of batches.
func (b *BatchFile) load() error {
	if !b.scan.Next(&b.chunk) {
		return b.end()
	}
	if size := b.chunk.Bytes(); size > maxBatch {
		return b.tooLarge(size - decode.LogOverhead)
	}
	b.at = 0
	return b.chunk.Load()
}

// end tells why there are no more batches.
func (b *BatchFile) end() error {
	switch tail := b.scan.Tail(); {
	case b.scan.Err() != nil:
		return b.scan.Err()
	case tail == 0:
		return io.EOF
	case tail > decode.HeaderUpToMagic: // the size is there, and it is beyond the end
		var size [4]byte
		if _, err := b.f.ReadAt(size[:], b.pos+8); err != nil && !errors.Is(err, io.EOF) {
			return err // but not one that says that it was cut meanwhile
		}
		if length := int(binary.BigEndian.Uint32(size[:])); length+decode.LogOverhead > maxBatch && !b.Unchecked {
			return b.tooLarge(length)
		}
	}
	return io.ErrUnexpectedEOF
}

func (b *BatchFile) tooLarge(length int) error {
	return b.damage("batch length", fmt.Sprintf("%d to %d", decode.MinEntrySize, maxBatch), fmt.Sprint(length))
}
