package decode

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strconv"

	"kraftctl/decode/corrupt"
)

const (
	// chunkTarget is how many bytes of whole batches a chunk gathers.
	chunkTarget = 512 << 10
	// scanWindow is how much is read at once to walk over small batches.
	scanWindow = 64 << 10
	// hopSize is the batch size from which reading headers alone is cheaper
	// than reading all the bytes between them.
	hopSize = 8 << 10
	// maxEmptyReads is how often a stream may give nothing and no error.
	maxEmptyReads = 100
	// headSlack is read beyond the last batch: a damaged size can be smaller
	// than the fixed part of a batch, whose fields are then those bytes.
	headSlack = BatchHeaderSize
)

// Scanner cuts a segment or snapshot into chunks of whole batches, looking only
// at the sizes. It is the base of Reader and Process: chunks can be read and
// decoded on several cores while their order is kept. It holds no more than
// what a chunk needs, whatever the file's size.
type Scanner struct {
	file   string
	at     io.ReaderAt
	stream io.Reader
	start  int64 // first position
	pos    int64 // where the next chunk starts
	end    int64 // first position that is not read; unknown (-1) for a stream
	size   int64 // end of the file, which may be behind end
	carry  []byte
	eof    bool
	done   bool
	tail   int64
	err    error

	resync bool
	head   [BatchHeaderSize]byte
	search finder
	ctx    context.Context // set by Process; looked at while searching

	// ahead holds bytes around the last header that Header read.
	ahead      []byte
	aheadStart int64
}

// ScanOptions say what part of a file is scanned and how.
type ScanOptions struct {
	File  string // name for error messages
	Start int64  // byte position of the first batch
	End   int64  // byte position at which scanning stops; 0 is the end of the file
	// Resync goes on behind damage at the next batch whose checksum is right.
	Resync bool
}

// NewScanner scans size bytes of r. Nothing is read before the first chunk.
func NewScanner(r io.ReaderAt, size int64, o ScanOptions) *Scanner {
	end := size
	if o.End > 0 && o.End < size {
		end = o.End
	}
	return &Scanner{file: o.File, at: r, start: o.Start, pos: o.Start, end: end, size: size, resync: o.Resync}
}

// NewStreamScanner scans what r gives until its end, for input that cannot be
// read at a position, like a pipe or a compressed copy.
func NewStreamScanner(r io.Reader, o ScanOptions) *Scanner {
	return &Scanner{file: o.File, stream: r, start: o.Start, pos: o.Start, end: -1, resync: o.Resync}
}

// Chunk is a run of whole batches. It is reused.
type Chunk struct {
	// Skipped is the range of bytes before this chunk that holds no batch;
	// only resync leaves such holes.
	Skipped [2]int64
	// Reason says why those bytes were skipped.
	Reason error

	pos    int64
	buf    []byte
	filled int     // contiguous bytes of buf that are read
	total  int     // bytes of whole batches
	starts []int32 // of the batches, in buf
	scan   *Scanner
}

// Len is the number of batches.
func (c *Chunk) Len() int { return len(c.starts) }

// Bytes is the number of bytes of all batches.
func (c *Chunk) Bytes() int { return c.total }

// Batch gives the i-th batch. It points into the chunk. Load comes first.
func (c *Chunk) Batch(i int, b *Batch) error {
	start := int(c.starts[i])
	size := int(int32(binary.BigEndian.Uint32(c.buf[start+posLength:]))) + LogOverhead
	pos := c.pos + int64(start)
	b.Raw = c.buf[start : start+size]
	if f := b.parseHeader(c.buf[start:c.filled], pos, size); f != nil {
		e := damage(pos, "batch at offset "+strconv.FormatInt(b.BaseOffset, 10), f)
		e.File = c.scan.file
		return e
	}
	return nil
}

// Err is what stopped the scan: nil at the regular end, damage, or an I/O error.
func (s *Scanner) Err() error { return s.err }

// Tail is the number of bytes after the last whole batch, known at the end.
func (s *Scanner) Tail() int64 { return s.tail }

// Position is where the next chunk starts: at the end, the end of the last whole batch.
func (s *Scanner) Position() int64 { return s.pos }

// Next finds the next chunk. Load must be called before its batches are looked
// at. Next must not be called concurrently, Load of different chunks may.
func (s *Scanner) Next(c *Chunk) bool {
	if s.done {
		return false
	}
	c.scan, c.pos, c.total, c.filled = s, s.pos, 0, 0
	c.starts = c.starts[:0]
	c.Skipped, c.Reason = [2]int64{}, nil
	var ok bool
	switch {
	case s.resync:
		ok = s.nextResync(c)
	case s.stream != nil:
		ok = s.nextStream(c)
	default:
		ok = s.nextAt(c)
	}
	s.pos = c.pos + int64(c.total)
	return ok
}

// entrySize reads the size of the entry whose first 17 bytes are head, which
// lies at position pos.
func (s *Scanner) entrySize(head []byte, pos int64) (int, error) {
	length := int32(binary.BigEndian.Uint32(head[posLength:]))
	if length < MinEntrySize {
		e := damage(pos, "batch length", &Fault{Kind: FaultSizeTooSmall, Want: MinEntrySize, Got: int64(length)})
		e.File = s.file
		return 0, e
	}
	return int(length) + LogOverhead, nil
}

func (s *Scanner) finish(err error) { s.done, s.err = true, err }

func (s *Scanner) nextAt(c *Chunk) bool {
	for c.total < chunkTarget {
		pos := c.pos + int64(c.total)
		if pos >= s.end-HeaderUpToMagic {
			s.tail = s.end - pos
			s.finish(nil)
			break
		}
		head, err := s.headAt(c, pos)
		if err != nil {
			s.finish(err)
			break
		}
		size, err := s.entrySize(head, pos)
		if err != nil {
			s.finish(err)
			break
		}
		if pos > s.end-int64(size) {
			s.tail = s.end - pos
			s.finish(nil)
			break
		}
		if c.total > 0 && size > chunkTarget {
			break // a large batch gets a chunk of its own
		}
		c.starts = append(c.starts, int32(c.total))
		c.total += size
	}
	return len(c.starts) > 0
}

// headAt gives at least the first 17 bytes of the entry at pos: from what the
// chunk has read already, by reading on, or by reading just the header when
// the batches are large.
func (s *Scanner) headAt(c *Chunk, pos int64) ([]byte, error) {
	at := int(pos - c.pos)
	if at+HeaderUpToMagic <= c.filled {
		return c.buf[at:c.filled], nil
	}
	if len(c.starts) > 0 && at/len(c.starts) >= hopSize {
		head := s.head[:HeaderUpToMagic]
		return head, s.readFull(head, pos)
	}
	want := at + scanWindow
	if left := s.size - c.pos; int64(want) > left {
		want = int(left)
	}
	if err := c.fill(want); err != nil {
		return nil, err
	}
	return c.buf[at:c.filled], nil
}

// fill reads on until the first want bytes of the chunk are there.
func (c *Chunk) fill(want int) error {
	if want <= c.filled {
		return nil
	}
	c.grow(want)
	err := c.scan.readFull(c.buf[c.filled:want], c.pos+int64(c.filled))
	if err == nil {
		c.filled = want
	}
	return err
}

// grow makes room for n bytes, and for a whole chunk where the file has that much.
func (c *Chunk) grow(n int) {
	if n <= len(c.buf) {
		return
	}
	usual := chunkTarget + scanWindow
	if c.scan.at == nil {
		usual = 2 * n // what a stream will bring is not known
	} else if left := c.scan.size - c.pos; left < int64(usual) {
		usual = int(left)
	}
	bigger := make([]byte, max(n, usual))
	copy(bigger, c.buf[:c.filled])
	c.buf = bigger
}

func (s *Scanner) readFull(p []byte, pos int64) error {
	n, err := s.at.ReadAt(p, pos)
	if n == len(p) {
		return nil
	}
	if err == nil || errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return fmt.Errorf("%s: reading %d bytes at %d: %w", s.file, len(p), pos, err)
}

// Load reads the bytes of the chunk's batches that the scan did not read.
func (c *Chunk) Load() error {
	s := c.scan
	if s.at == nil {
		return nil
	}
	want := c.total + headSlack
	if left := s.size - c.pos; int64(want) > left {
		want = int(left)
	}
	if err := c.fill(want); err != nil {
		return err
	}
	return nil
}

func (s *Scanner) nextStream(c *Chunk) bool {
	c.filled = 0
	c.grow(len(s.carry))
	c.filled = copy(c.buf, s.carry)
	s.carry = s.carry[:0]
	for c.total < chunkTarget && !s.done {
		left := c.filled - c.total
		if left <= HeaderUpToMagic {
			s.needMore(c, c.total+scanWindow)
			continue
		}
		size, err := s.entrySize(c.buf[c.total:c.filled], c.pos+int64(c.total))
		if err != nil {
			s.finish(err)
			break
		}
		if size > left {
			// Grow with what really arrives, never to what is only claimed.
			s.needMore(c, min(c.total+size, c.filled+max(scanWindow, c.filled)))
			continue
		}
		c.starts = append(c.starts, int32(c.total))
		c.total += size
	}
	if !s.done {
		// Have the slack for the last header, and keep what belongs to the next chunk.
		if c.filled-c.total < headSlack {
			s.more(c, c.total+headSlack)
		}
		s.carry = append(s.carry, c.buf[c.total:c.filled]...)
	}
	return len(c.starts) > 0
}

// needMore reads on, or ends the scan with a tail when nothing more comes.
func (s *Scanner) needMore(c *Chunk, want int) {
	if !s.more(c, want) && !s.done {
		s.tail = int64(c.filled - c.total)
		s.finish(nil)
	}
}

// more reads from the stream until the chunk has want bytes, or as many as
// come. It returns false when nothing came. Only io.EOF is the end: a packed
// copy that was cut off ends with another error.
func (s *Scanner) more(c *Chunk, want int) bool {
	if s.eof {
		return false
	}
	c.grow(want)
	before := c.filled
	for empty := 0; c.filled < want && !s.eof; {
		n, err := s.stream.Read(c.buf[c.filled:want])
		c.filled += n
		if empty++; n > 0 {
			empty = 0
		}
		if err == nil && empty == maxEmptyReads {
			err = io.ErrNoProgress
		}
		if err != nil {
			s.eof = true
			if !errors.Is(err, io.EOF) {
				s.finish(fmt.Errorf("%s: after %d bytes: %w", s.file, c.pos+int64(c.filled), err))
			}
		}
	}
	return c.filled > before
}

// withFile adds the file's name to damage that does not have it yet.
func (s *Scanner) withFile(err error) error {
	var e *corrupt.Error
	if errors.As(err, &e) && e.File == "" {
		e.File = s.file
	}
	return err
}

// headerWindow is what Header reads at once: small batches lie close together.
const headerWindow = 4 << 10

// Header reads the fixed part of the entry at a position, without the rest of
// it: the batch has no Raw. ok is false when no whole entry starts there. It is
// for jumping to single batches, and independent of Next.
func (s *Scanner) Header(pos int64) (b Batch, ok bool, err error) {
	if pos >= s.end-HeaderUpToMagic {
		return b, false, nil
	}
	want := min(BatchHeaderSize, s.size-pos)
	if pos < s.aheadStart || pos+want > s.aheadStart+int64(len(s.ahead)) {
		if s.ahead == nil {
			s.ahead = make([]byte, headerWindow)
		}
		s.ahead = s.ahead[:min(int64(cap(s.ahead)), s.size-pos)]
		s.aheadStart = pos
		if err := s.readFull(s.ahead, pos); err != nil {
			s.ahead = s.ahead[:0]
			return b, false, err
		}
	}
	at := pos - s.aheadStart
	head := s.ahead[at : at+want]
	size, err := s.entrySize(head, pos)
	if err != nil {
		return b, false, err
	}
	if pos > s.end-int64(size) {
		return b, false, nil
	}
	if f := b.parseHeader(head, pos, size); f != nil && b.Magic >= 2 {
		e := damage(pos, "batch header", f)
		e.File = s.file
		return b, false, e
	}
	return b, true, nil // a message's offset is known whatever its magic
}
