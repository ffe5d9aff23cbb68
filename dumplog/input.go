package dumplog

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
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

// stdinName stands for standard input.
const stdinName = "-"

// resolve turns what was given into files.
func (d *dump) resolve(path string) ([]input, error) {
	if path == stdinName {
		return []input{{path: "(standard input)", name: index.FileName{Kind: index.KindLog}, stream: d.o.Stdin}}, nil
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
		return nil, fmt.Errorf("%s: not a file that Kafka writes, by its name", path)
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

// uncompressedName takes the ending of a compressed copy off a name.
func uncompressedName(name string) (string, bool) {
	for _, ending := range []string{".gz", ".zst"} {
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
		case d.o.All && name.Kind != index.KindLock && name.State == index.StateLive:
			others = append(others, in)
		}
	}
	if len(segments) == 0 && len(others) == 0 {
		if len(partitions) > 0 {
			return nil, fmt.Errorf("%s: has no segments, but %d partitions: name one of them, for example %s", path,
				len(partitions), filepath.Join(path, partitions[0]))
		}
		return nil, fmt.Errorf("%s: has no segments", path)
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
	closer func()
}

func (o *opened) Close() {
	if o.closer != nil {
		o.closer()
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

// open opens an input, and looks through compression.
func (d *dump) open(in input) (*opened, error) {
	o := &opened{input: in, size: -1, stream: in.stream}
	if in.stream == nil {
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
	if in.name.Kind != index.KindLog && in.name.Kind != index.KindSnapshot && in.name.Kind != index.KindBootstrap {
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
		o.stream, o.closer = r, r.Close
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
