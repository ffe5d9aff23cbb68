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

// maxBatch bounds a batch: the KRaft log and its snapshots have none above 8 MiB. A
// larger one is damage, and is not read.
const maxBatch = 2 * decode.MaxBatchSize

// batchFile reads the batches of a segment or snapshot one after the other, with
// checksums verified, in memory that is bounded whatever the file claims.
type batchFile struct {
	f     vfs.File
	name  string
	size  int64
	pos   int64 // of the next batch
	scan  *decode.Scanner
	chunk decode.Chunk
	at    int // of the next batch in chunk
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
	return &batchFile{f: f, name: name, size: size, scan: decode.NewScanner(f, size, decode.ScanOptions{File: name})}, nil
}

func (b *batchFile) close() { _ = b.f.Close() } // it was only read

// damage is the error for bytes that are no batch.
func (b *batchFile) damage(what, want, got string) error {
	return &corrupt.Error{File: b.name, Pos: b.pos, What: what, Want: want, Got: got}
}

// next gives the next batch, whose bytes are valid until the call after. The
// error is io.EOF at the end, io.ErrUnexpectedEOF if the last batch is not all
// there, a *corrupt.Error for damage, or one of the file system.
func (b *batchFile) next() (batch decode.Batch, err error) {
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
	case !batch.Valid():
		return batch, b.damage("checksum of the batch", fmt.Sprintf("%08x", batch.Checksum()), fmt.Sprintf("%08x", batch.CRC))
	case batch.LastOffsetDelta < 0 || batch.NextOffset() <= batch.BaseOffset:
		return batch, b.damage("offsets of the batch", "", fmt.Sprintf("base %d, delta %d", batch.BaseOffset, batch.LastOffsetDelta))
	}
	b.at++
	b.pos += int64(batch.Size)
	return batch, nil
}

// load reads the next chunk of batches.
func (b *batchFile) load() error {
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
func (b *batchFile) end() error {
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
		if length := int(binary.BigEndian.Uint32(size[:])); length+decode.LogOverhead > maxBatch {
			return b.tooLarge(length)
		}
	}
	return io.ErrUnexpectedEOF
}

func (b *batchFile) tooLarge(length int) error {
	return b.damage("batch length", fmt.Sprintf("%d to %d", decode.MinEntrySize, maxBatch), fmt.Sprint(length))
}
