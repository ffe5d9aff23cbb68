package decode

import (
	"context"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"slices"
	"strconv"

	"kraftctl/decode/compress"
	"kraftctl/decode/corrupt"
)

const (
	// searchStart and searchStep are how many bytes a search looks at in its
	// first read and at most in a later one: most holes are small.
	searchStart = 4 << 10
	searchStep  = 1 << 20
	// zerosStep is how many bytes are looked at at once for zeros.
	zerosStep = 64 << 10
	// minRecordSize is an empty record of magic 2.
	minRecordSize = 7
)

// FindBatch looks for the first byte position in [from, size) at which a whole
// batch with the right checksum starts. Every position is tried: damage need
// not leave a multiple of anything. ok is false when there is none.
func FindBatch(ctx context.Context, r io.ReaderAt, from, size int64) (pos int64, ok bool, err error) {
	var f finder
	return f.find(ctx, r, from, size)
}

// OnlyZeros reports whether the bytes in [from, to) are all zero: what is left of a
// file that was preallocated, or that lost its end with the power. A range that
// ends early is io.ErrUnexpectedEOF.
func OnlyZeros(ctx context.Context, r io.ReaderAt, from, to int64) (bool, error) {
	buf := make([]byte, min(zerosStep, max(to-from, 0)))
	for from < to {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		part := buf[:min(int64(len(buf)), to-from)]
		n, err := r.ReadAt(part, from)
		if slices.ContainsFunc(part[:n], func(c byte) bool { return c != 0 }) {
			return false, nil
		}
		if n < len(part) {
			if err == nil || errors.Is(err, io.EOF) {
				err = io.ErrUnexpectedEOF
			}
			return false, err
		}
		from += int64(n)
	}
	return true, nil
}

// finder searches for batches and keeps its buffer.
type finder struct{ buf []byte }

func (f *finder) find(ctx context.Context, r io.ReaderAt, from, size int64) (int64, bool, error) {
	step := searchStart
	for at := from; at < size; {
		if ctx != nil && ctx.Err() != nil {
			return 0, false, ctx.Err()
		}
		window, err := f.read(r, at, min(int64(step+BatchHeaderSize), size-at))
		if err != nil {
			return 0, false, err
		}
		i, ok, err := findIn(r, window, step, at, size)
		if ok || err != nil {
			return at + int64(i), ok, err
		}
		at += int64(step)
		step = min(2*step, searchStep)
	}
	return 0, false, nil
}

// findIn looks for a batch that starts in the first n bytes of a window, which
// lies at a position of the file.
func findIn(r io.ReaderAt, window []byte, n int, at, size int64) (int, bool, error) {
	for i := 0; i < min(len(window), n); i++ {
		if !plausible(window[i:], size-at-int64(i)) {
			continue
		}
		good, err := checksumAt(r, at+int64(i), size, window[i:])
		if good || err != nil {
			return i, good, err
		}
	}
	return 0, false, nil
}

func (f *finder) read(r io.ReaderAt, at, n int64) ([]byte, error) {
	if int64(len(f.buf)) < n {
		f.buf = make([]byte, n)
	}
	window := f.buf[:n]
	if m, err := r.ReadAt(window, at); m < len(window) {
		return nil, noEOF(err)
	}
	return window, nil
}

// noEOF makes an error of what must not be the end.
func noEOF(err error) error {
	if err == nil || errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// plausible reports whether head could start a batch of at most left bytes. It
// rules out nearly all of random bytes, so that few checksums are computed for
// nothing; the checksum decides.
func plausible(head []byte, left int64) bool {
	if len(head) < HeaderUpToMagic+9 {
		return false
	}
	be := binary.BigEndian
	length := int64(int32(be.Uint32(head[posLength:])))
	if int64(be.Uint64(head)) < 0 || length < MinEntrySize || length+LogOverhead > left {
		return false
	}
	switch magic := int8(head[posMagic]); magic {
	case 0, 1:
		return head[posLegacyAttributes]&^0x0f == 0 && plausibleMessage(head, magic, length)
	case 2:
		if length+LogOverhead < BatchHeaderSize || len(head) < BatchHeaderSize {
			return false
		}
		attributes := be.Uint16(head[posAttributes:])
		last, count := int32(be.Uint32(head[posLastDelta:])), int32(be.Uint32(head[posCount:]))
		codec := compress.Codec(attributes & attrCodec)
		return attributes&^0x7f == 0 && codec <= compress.Zstd &&
			last >= 0 && count >= 0 && int64(count) <= int64(last)+1 &&
			(codec != compress.None || int64(count)*minRecordSize <= length+LogOverhead-BatchHeaderSize) &&
			int64(be.Uint64(head[posProducerID:])) >= -1 && int16(be.Uint16(head[posProducerEpoch:])) >= -1 &&
			int32(be.Uint32(head[posBaseSequence:])) >= -1
	}
	return false
}

// plausibleMessage looks at the length of a message's key, which must leave
// room for the value. Whether that fits as well is behind the key: addsUp.
func plausibleMessage(head []byte, magic int8, length int64) bool {
	if len(head) < legacyHeaderEnd(magic)+4 {
		return false
	}
	_, value := messageLengths(head, magic, length)
	return value >= 0
}

// messageLengths gives where the length of a message's value stands, and what
// it must be for the message to be as long as it says.
func messageLengths(head []byte, magic int8, length int64) (at, value int64) {
	end := int64(legacyHeaderEnd(magic))
	key := max(0, int64(int32(binary.BigEndian.Uint32(head[end:]))))
	return end + 4 + key, length + LogOverhead - end - 8 - key
}

// addsUp reports whether the value of the message at pos, whose first bytes are
// head, is as long as the message leaves room for.
func addsUp(r io.ReaderAt, pos int64, head []byte) (bool, error) {
	at, want := messageLengths(head, int8(head[posMagic]), int64(binary.BigEndian.Uint32(head[posLength:])))
	if want < 0 {
		return false, nil
	}
	var field [4]byte
	if at+4 <= int64(len(head)) {
		copy(field[:], head[at:])
	} else if n, err := r.ReadAt(field[:], pos+at); n < len(field) {
		return false, noEOF(err)
	}
	return max(0, int64(int32(binary.BigEndian.Uint32(field[:])))) == want, nil
}

// checksumAt reports whether the batch at pos, whose first bytes are head, has
// the right checksum. It reads in pieces: what a size claims is not allocated.
func checksumAt(r io.ReaderAt, pos, size int64, head []byte) (bool, error) {
	var b Batch
	length := int(binary.BigEndian.Uint32(head[posLength:])) + LogOverhead
	if f := b.parseHeader(head, pos, length); f != nil {
		return false, nil
	}
	if b.Magic < 2 {
		if ok, err := addsUp(r, pos, head); !ok || err != nil {
			return false, err
		}
	}
	table, first := castagnoli, int64(posAttributes)
	if b.Magic < 2 {
		table, first = crc32.IEEETable, posMagic
	}
	sum := uint32(0)
	end := pos + int64(length)
	if n := int64(len(head)); n >= int64(length) {
		return crc32.Checksum(head[first:length], table) == b.CRC, nil
	}
	sum = crc32.Checksum(head[first:], table)
	buf := make([]byte, min(64<<10, end-pos))
	for at := pos + int64(len(head)); at < end; {
		part := buf[:min(int64(len(buf)), end-at)]
		if n, err := r.ReadAt(part, at); n < len(part) {
			return false, noEOF(err)
		}
		sum = crc32.Update(sum, table, part)
		at += int64(len(part))
	}
	return sum == b.CRC, nil
}

// nextResync gathers batches whose checksums are right. A batch with a wrong
// one is kept when the next batch, or the end of the file, is where its size
// says, and no good batches lie in front of that; otherwise the bytes up to the
// next good batch are skipped.
func (s *Scanner) nextResync(c *Chunk) bool {
	c.grow(len(s.carry))
	c.filled = copy(c.buf, s.carry)
	for c.total < chunkTarget {
		pos := c.pos + int64(c.total)
		if pos >= s.end {
			s.finish(nil)
			break
		}
		size, why := s.goodAt(c, pos)
		if why == nil {
			c.starts = append(c.starts, int32(c.total))
			c.total += size
			continue
		}
		if !corrupt.Is(why) {
			s.finish(why)
			break
		}
		if c.total > 0 {
			break // the hole is found again at the start of the next chunk
		}
		ok, err := s.skipHole(c)
		if err != nil {
			s.finish(err)
			break
		}
		if !ok {
			s.tail = s.end - pos
			s.finish(nil)
			break
		}
		c.Skipped, c.Reason = [2]int64{pos, c.pos}, why
	}
	s.carry = append(s.carry[:0], c.buf[c.total:c.filled]...)
	return len(c.starts) > 0
}

// skipHole moves the chunk to the next good batch behind its start: first among
// the bytes that were read, then behind them.
func (s *Scanner) skipHole(c *Chunk) (bool, error) {
	from := max(1, c.filled-BatchHeaderSize)
	i, ok, err := findIn(s.at, c.buf[min(1, c.filled):c.filled], from-1, c.pos+1, s.end)
	if err != nil {
		return false, err
	}
	if ok {
		c.filled = copy(c.buf, c.buf[i+1:c.filled])
		c.pos += int64(i + 1)
		return true, nil
	}
	next, ok, err := s.search.find(s.ctx, s.at, c.pos+int64(from), s.end)
	if ok {
		c.pos, c.filled = next, 0
	}
	return ok, err
}

// goodAt loads the batch at pos and judges it: its size, or why it cannot be one.
func (s *Scanner) goodAt(c *Chunk, pos int64) (int, error) {
	at := int(pos - c.pos)
	short := damage(pos, "batch", &Fault{Kind: FaultHeaderPastEnd, Want: HeaderUpToMagic, Got: s.end - pos})
	short.File = s.file
	if s.end-pos <= HeaderUpToMagic {
		return 0, short
	}
	if err := s.fillAhead(c, at+BatchHeaderSize); err != nil {
		return 0, err
	}
	size, err := s.entrySize(c.buf[at:], pos)
	if err != nil {
		return 0, err
	}
	if pos > s.end-int64(size) {
		return 0, short
	}
	var b Batch
	if f := b.parseHeader(c.buf[at:c.filled], pos, size); f != nil {
		return 0, s.withFile(damage(pos, "batch header", f))
	}
	// Judge before loading: a damaged size can claim the rest of the file.
	good, err := checksumAt(s.at, pos, s.end, c.buf[at:c.filled])
	if err != nil {
		return 0, err
	}
	if !good {
		next, got := pos+int64(size), ""
		if next != s.end && !s.startsBatch(next) {
			got = " and no batch behind it"
		} else if inside, ok, err := s.goodUpTo(pos+1, next); err != nil {
			return 0, err
		} else if ok {
			got = " and a batch at " + strconv.FormatInt(inside, 10) + " within it"
		}
		if got != "" {
			bad := damage(pos, "batch at offset "+strconv.FormatInt(b.BaseOffset, 10), &Fault{Kind: FaultChecksum, Got: int64(size)})
			bad.Got = "size " + strconv.Itoa(size) + got
			bad.File = s.file
			return 0, bad
		}
	}
	return size, s.fillAhead(c, at+size)
}

// fillAhead makes sure of n bytes of the chunk, and reads some more at once.
func (s *Scanner) fillAhead(c *Chunk, n int) error {
	if n <= c.filled {
		return nil
	}
	left := s.end - c.pos
	return c.fill(int(min(int64(max(n, c.filled+scanWindow)), left)))
}

// goodUpTo looks in [from, to) for good batches, one behind the other, the last of
// which ends at to: what a batch covers that lost as many bytes as they have. A
// batch within the value of a record does not end there, as its headers follow.
func (s *Scanner) goodUpTo(from, to int64) (pos int64, ok bool, err error) {
	end := from
	for end < to {
		next, found, err := s.search.find(s.ctx, s.at, end, to)
		if !found || err != nil {
			return 0, false, err
		}
		if next != end || end == from {
			pos = next
		}
		var size [4]byte
		if err := s.readFull(size[:], next+posLength); err != nil {
			return 0, false, err
		}
		end = next + LogOverhead + int64(binary.BigEndian.Uint32(size[:]))
	}
	return pos, end == to, nil
}

// startsBatch reports whether a batch with the right checksum starts at pos.
func (s *Scanner) startsBatch(pos int64) bool {
	head := make([]byte, min(s.end-pos, BatchHeaderSize))
	if s.readFull(head, pos) != nil || !plausible(head, s.end-pos) {
		return false
	}
	good, err := checksumAt(s.at, pos, s.end, head)
	return err == nil && good
}
