package decode

import (
	"encoding/binary"
	"io"
)

// resyncStep is how many bytes are looked at in one read while searching.
const resyncStep = 1 << 20

// plausible reports whether head could start a batch of at most left bytes.
// It only rules out; the checksum decides.
func plausible(head []byte, left int64) bool {
	if len(head) < HeaderUpToMagic+9 {
		return false
	}
	be := binary.BigEndian
	length := int64(int32(be.Uint32(head[posLength:])))
	if int64(be.Uint64(head)) < 0 || length < MinEntrySize || length+LogOverhead > left {
		return false
	}
	switch int8(head[posMagic]) {
	case 0, 1:
		return head[posLegacyAttributes]&^0x0f == 0
	case 2:
		return length+LogOverhead >= BatchHeaderSize && len(head) >= BatchHeaderSize &&
			be.Uint16(head[posAttributes:])&^0x7f == 0 &&
			int32(be.Uint32(head[posLastDelta:])) >= 0 && int32(be.Uint32(head[posCount:])) >= 0
	}
	return false
}

// FindBatch looks for the first byte position in [from, size) at which a whole
// batch with the right checksum starts. Every position is tried: damage need
// not leave a multiple of anything. ok is false when there is none.
func FindBatch(r io.ReaderAt, from, size int64) (pos int64, ok bool, err error) {
	buf := make([]byte, resyncStep+BatchHeaderSize)
	var body []byte
	for at := from; at < size; at += resyncStep {
		window := buf
		if left := size - at; int64(len(window)) > left {
			window = window[:left]
		}
		if n, err := r.ReadAt(window, at); n < len(window) {
			return 0, false, err
		}
		for i := 0; i < len(window) && i < resyncStep; i++ {
			left := size - at - int64(i)
			if !plausible(window[i:], left) {
				continue
			}
			n := int(binary.BigEndian.Uint32(window[i+posLength:])) + LogOverhead
			raw := window[i:]
			if n > len(raw) {
				if cap(body) < n {
					body = make([]byte, n)
				}
				raw = body[:n]
				if m, err := r.ReadAt(raw, at+int64(i)); m < n {
					return 0, false, err
				}
			}
			if b, err := ParseBatch(raw[:n], at+int64(i)); err == nil && b.Valid() {
				return at + int64(i), true, nil
			}
		}
	}
	return 0, false, nil
}

// nextResync gathers batches whose checksums are right. A batch with a wrong
// one is kept when the next batch, or the end of the file, is where its size
// says; otherwise the bytes up to the next good batch are skipped.
func (s *Scanner) nextResync(c *Chunk) bool {
	var b Batch
	for c.total < chunkTarget {
		pos := c.pos + int64(c.total)
		if pos >= s.end {
			s.finish(nil)
			break
		}
		size, why := s.goodAt(c, pos, &b)
		if why == nil {
			c.starts = append(c.starts, int32(c.total))
			c.total += size
			continue
		}
		if c.total > 0 {
			break // the hole is found again at the start of the next chunk
		}
		next, ok, err := FindBatch(s.at, pos+1, s.end)
		if err != nil {
			s.finish(err)
			return false
		}
		if !ok {
			s.tail = s.end - pos
			s.finish(nil)
			break
		}
		c.Skipped, c.Reason = [2]int64{pos, next}, why
		c.pos, c.filled = next, 0
	}
	return len(c.starts) > 0
}

// goodAt loads the batch at pos and judges it: its size, or why it cannot be one.
func (s *Scanner) goodAt(c *Chunk, pos int64, b *Batch) (int, error) {
	at := int(pos - c.pos)
	short := damage(pos, "batch", &Fault{Kind: FaultHeaderPastEnd, Want: HeaderUpToMagic, Got: s.end - pos})
	short.File = s.file
	if s.end-pos <= HeaderUpToMagic {
		return 0, short
	}
	if err := c.fill(at + int(min(s.end-pos, BatchHeaderSize))); err != nil {
		return 0, err
	}
	size, err := s.entrySize(c.buf[at:], pos)
	if err != nil {
		return 0, err
	}
	if pos > s.end-int64(size) {
		return 0, short
	}
	if err := c.fill(at + size); err != nil {
		return 0, err
	}
	parsed, err := ParseBatch(c.buf[at:at+size], pos)
	if err != nil {
		return 0, s.withFile(err)
	}
	*b = parsed
	if b.Valid() {
		return size, nil
	}
	next := pos + int64(size)
	if next == s.end || s.startsBatch(next) {
		return size, nil
	}
	bad := damage(pos, "batch checksum", &Fault{Kind: FaultChecksum, Want: int64(b.Checksum()), Got: int64(b.CRC)})
	bad.File = s.file
	return 0, bad
}

// startsBatch reports whether a batch with the right checksum starts at pos.
func (s *Scanner) startsBatch(pos int64) bool {
	head := make([]byte, min(s.end-pos, BatchHeaderSize))
	if s.readFull(head, pos) != nil || !plausible(head, s.end-pos) {
		return false
	}
	raw := make([]byte, int(binary.BigEndian.Uint32(head[posLength:]))+LogOverhead)
	if s.readFull(raw, pos) != nil {
		return false
	}
	b, err := ParseBatch(raw, pos)
	return err == nil && b.Valid()
}
