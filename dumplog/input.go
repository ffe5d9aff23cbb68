package dumplog

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/klauspost/compress/zstd"

	"kraftctl/decode"
	"kraftctl/decode/index"
	"kraftctl/internal/vfs"
)

// maxSmallFile bounds the files that are read whole when they come from a
// pipe or a compressed copy: index files are at most 10 MiB unless configured.
const maxSmallFile = 256 << 20

// maxZstdWindow bounds the memory that a zstd copy may ask for, in bytes.
const maxZstdWindow = 128 << 20

// input is one file to dump.
type input struct {
	path string // as it was given, or as it follows from what was given
	name index.FileName
	// dir is the name of the directory, which tells what topic it belongs to.
	dir string
	// grouped inputs are segments of one directory and continue each other.
	grouped bool
	stream  io.Reader // for standard input
}

// Standard input as it is named by who asks for it, and in what is said of it.
const (
	stdinName  = "-"
	stdinTitle = "(standard input)"
)

// packed reports whether an input can only be read from its start to its end.
func (in *input) packed() bool {
	_, compressed := uncompressedName(in.path)
	return compressed || in.stream != nil
}

// OptionError says that the options cannot be meant for these inputs.
type OptionError struct{ what string }

func (e *OptionError) Error() string { return e.what }

// check refuses inputs that cannot be shown in the way that was asked for.
func (d *dump) check(inputs []input) error {
	refuse := func(format string, args ...any) error { return &OptionError{fmt.Sprintf(format, args...)} }
	streams := 0
	for i := range inputs {
		in := &inputs[i]
		segment := isSegment(in.name.Kind)
		if in.stream != nil {
			streams++
		}
		switch {
		case streams > 1:
			return refuse("standard input can be read only once")
		case d.o.Resync && segment && in.packed():
			return refuse("--resync: %s cannot be read at a position: decompress or save it to a file first", in.path)
		case d.o.Summary != nil && !segment:
			return refuse("--summary: %s (%s) is no segment or snapshot", in.path, in.name.Kind)
		case !d.o.Follow || i < len(inputs)-1:
		case in.packed():
			return refuse("--follow: %s is not a file that grows", in.path)
		case in.name.Kind != index.KindLog || in.name.State != index.StateLive:
			return refuse("--follow: %s (%s) is no segment that a node appends to", in.path, in.name.Kind)
		}
	}
	return nil
}

// resolve turns what was given into files.
func (d *dump) resolve(path string) ([]input, error) {
	if path == stdinName {
		return []input{{path: stdinTitle, name: index.FileName{Kind: index.KindLog}, stream: d.o.Stdin}}, nil
	}
	info, err := d.fs.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return d.directory(path)
	}
	in := input{path: path, dir: filepath.Base(filepath.Dir(absolute(path)))}
	name := filepath.Base(path)
	if plain, ok := uncompressedName(name); ok {
		name = plain
	}
	in.name, err = index.ParseFileName(name)
	if err != nil {
		// A copy with a name of its own: the ending says what it is.
		in.name.Kind = kindByEnding(name)
		if in.name.Kind == index.KindUnknown {
			return nil, err
		}
		in.name.Offset = -1
	}
	if in.name.Kind == index.KindUnknown {
		return nil, errors.New("not a file that Kafka writes, by its name")
	}
	return []input{in}, nil
}

// kindByEnding is for copies of segments and snapshots whose names say nothing else.
func kindByEnding(name string) index.Kind {
	switch filepath.Ext(name) {
	case ".log":
		return index.KindLog
	case ".checkpoint":
		return index.KindSnapshot
	case ".txnindex":
		return index.KindTxnIndex
	case ".snapshot":
		return index.KindProducerSnapshot
	}
	return index.KindUnknown
}

// compressedEndings are those of copies that are looked through.
var compressedEndings = []string{".gz", ".zst"}

// uncompressedName takes the ending of a compressed copy off a name.
func uncompressedName(name string) (string, bool) {
	for _, ending := range compressedEndings {
		if plain, ok := strings.CutSuffix(name, ending); ok {
			return plain, true
		}
	}
	return name, false
}

// directory lists the files of a partition's directory, segments in order.
func (d *dump) directory(path string) ([]input, error) {
	entries, err := d.fs.ReadDir(path)
	if err != nil {
		return nil, err
	}
	dir := filepath.Base(absolute(path))
	var segments, others []input
	var partitions []string
	for _, e := range entries {
		if e.IsDir() {
			if _, err := index.ParseDirName(e.Name()); err == nil {
				partitions = append(partitions, e.Name())
			}
			continue
		}
		plain, _ := uncompressedName(e.Name()) // a directory may have been packed file by file
		name, err := index.ParseFileName(plain)
		if err != nil || name.Kind == index.KindUnknown {
			continue
		}
		in := input{path: filepath.Join(path, e.Name()), name: name, dir: dir}
		switch {
		case name.Kind == index.KindLog && name.State == index.StateLive:
			in.grouped = true
			segments = append(segments, in) // ReadDir sorts, and the names have fixed widths
		case d.o.Summary != nil && !isSegment(name.Kind):
			// There is nothing to summarize.
		case d.o.All && name.Kind != index.KindLock && name.State == index.StateLive:
			others = append(others, in)
		}
	}
	if len(segments) == 0 && len(others) == 0 {
		if len(partitions) > 0 {
			return nil, fmt.Errorf("has no segments, but %d partitions: name one of them, for example %s",
				len(partitions), filepath.Join(path, partitions[0]))
		}
		return nil, errors.New("has no segments")
	}
	if d.o.Follow {
		return append(others, segments...), nil // what is followed comes last
	}
	return append(segments, others...), nil
}

// opened is an input that can be read.
type opened struct {
	input
	file   vfs.File
	size   int64 // -1 for a stream
	at     io.ReaderAt
	stream io.Reader
	// counted limits what is read of a segment that comes from a stream.
	counted *countedReader
	closers []func()
	// zeroEnd: behind some position there are only zeros up to here.
	zeroEnd int64
}

func (o *opened) Close() {
	for _, c := range slices.Backward(o.closers) {
		c()
	}
	if o.file != nil {
		_ = o.file.Close() // it was only read
	}
}

// scanner scans the batches of a segment or snapshot.
func (o *opened) scanner(opt decode.ScanOptions) *decode.Scanner {
	opt.File = o.path
	if o.at == nil {
		return decode.NewStreamScanner(o.stream, opt)
	}
	return decode.NewScanner(o.at, o.size, opt)
}

// cut reports whether the limit of what is to be read ended the reading.
func (o *opened) cut(limit int64) bool {
	if o.counted != nil {
		return o.counted.cut
	}
	return limit > 0 && o.size > limit
}

// countedReader ends at a limit, if there is one.
type countedReader struct {
	r        io.Reader
	n, limit int64
	cut      bool // the limit was reached
}

func (c *countedReader) Read(p []byte) (int, error) {
	if c.limit > 0 {
		if c.cut = c.n >= c.limit; c.cut {
			return 0, io.EOF
		}
		p = p[:min(int64(len(p)), c.limit-c.n)]
	}
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

// interruptible is for a stream to which nobody may ever write: reading from the
// result ends with the context. A read of r that waits then is left behind.
func interruptible(ctx context.Context, r io.Reader) (io.Reader, func()) {
	out, in := io.Pipe()
	go func() {
		_, err := io.Copy(in, r)
		in.CloseWithError(err)
	}()
	stop := context.AfterFunc(ctx, func() { in.CloseWithError(ctx.Err()) })
	return out, func() {
		stop()
		_ = out.Close() // it never fails
	}
}

// open opens an input, and looks through compression.
func (d *dump) open(in input) (*opened, error) {
	o := &opened{input: in, size: -1}
	if in.stream != nil {
		r, closer := interruptible(d.ctx, in.stream)
		o.stream, o.closers = r, append(o.closers, closer)
	} else {
		f, err := d.fs.Open(in.path)
		if err != nil {
			return nil, err
		}
		o.file = f
		if _, compressed := uncompressedName(in.path); !compressed {
			o.at = f
			if o.size, err = vfs.Size(f); err != nil {
				o.Close()
				return nil, err
			}
			return o, nil
		}
		o.stream = f
	}
	if err := o.decompress(); err != nil {
		o.Close()
		return nil, fmt.Errorf("%s: %w", in.path, err)
	}
	if isSegment(in.name.Kind) {
		o.counted = &countedReader{r: o.stream, limit: d.o.MaxBytes}
		o.stream = o.counted
	} else {
		// Small files are looked at from several sides: keep them in memory.
		data, err := io.ReadAll(io.LimitReader(o.stream, maxSmallFile+1))
		if err == nil && len(data) > maxSmallFile {
			err = fmt.Errorf("more than %d bytes", maxSmallFile)
		}
		if err != nil {
			o.Close()
			return nil, fmt.Errorf("%s: %w", in.path, err)
		}
		o.at, o.size, o.stream = bytes.NewReader(data), int64(len(data)), nil
	}
	return o, nil
}

// decompress looks at the first bytes of the stream: gzip and zstd announce
// themselves, and no batch starts like them.
func (o *opened) decompress() error {
	buffered := bufio.NewReaderSize(o.stream, 256<<10)
	o.stream = buffered
	head, err := buffered.Peek(4)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	switch {
	case bytes.HasPrefix(head, []byte{0x1f, 0x8b}):
		r, err := gzip.NewReader(buffered)
		if err != nil {
			return err
		}
		o.stream = r
	case bytes.Equal(head, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		r, err := zstd.NewReader(buffered, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxZstdWindow))
		if err != nil {
			return err
		}
		o.stream = r
		o.closers = append(o.closers, r.Close)
	}
	return nil
}

// decoderFor chooses the decoder by what a file is and where it lies.
func decoderFor(in input) Decoder {
	switch in.name.Kind {
	case index.KindSnapshot, index.KindBootstrap:
		return DecodeMetadata
	}
	dir, err := index.ParseDirName(in.dir)
	if err != nil {
		return DecodeClasses
	}
	switch dir.Topic {
	case index.MetadataTopic:
		return DecodeMetadata
	case "__consumer_offsets":
		return DecodeOffsets
	case "__transaction_state":
		return DecodeTransactions
	case "__share_group_state":
		return DecodeShareGroupState
	case "__remote_log_metadata":
		return DecodeRemoteLog
	}
	return DecodeClasses
}

// notExist reports whether a file is simply not there, or not any more: a
// running node deletes segments.
func notExist(err error) bool { return errors.Is(err, fs.ErrNotExist) }
