package dumplog

import (
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strconv"
	"strings"

	"kraftctl/decode"
	"kraftctl/decode/index"
	"kraftctl/internal/vfs"
)

// DefaultMaxMessageSize is the size of the largest batch that index checks
// look for, unless told otherwise: 5 MiB.
const DefaultMaxMessageSize = 5 * 1024 * 1024

// Decoder chooses how keys and values are printed.
type Decoder uint8

// The decoders of kafka-dump-log.
const (
	DecodeNothing         Decoder = iota
	DecodeClasses                 // by decoder class, UTF-8 text by default
	DecodeMetadata                // __cluster_metadata
	DecodeOffsets                 // __consumer_offsets
	DecodeTransactions            // __transaction_state
	DecodeShareGroupState         // __share_group_state
	DecodeRemoteLog               // __remote_log_metadata
)

// KafkaOptions are the options of kafka-dump-log 4.4.0.
type KafkaOptions struct {
	Files           []string
	DeepIteration   bool
	Decoder         Decoder
	KeyDecoder      string // class name
	ValueDecoder    string
	SkipMetadata    bool
	IndexSanityOnly bool
	VerifyIndexOnly bool
	// MaxBytes and MaxMessageSize are looked at when a file needs them: Kafka's
	// tool prints what comes before a bad value is met.
	MaxBytes       func() (int32, error)
	MaxMessageSize func() (int32, error)
}

// Kafka does what kafka-dump-log 4.4.0 does: the same bytes on out, and on
// errOut the same reports. The error is an *Exception where the real tool dies
// with one.
func Kafka(fsys vfs.FS, out, errOut io.Writer, o KafkaOptions) error {
	k := &kafkaRun{fs: fsys, out: out, errOut: errOut, o: o}
	for _, file := range o.Files {
		if err := k.file(file); err != nil {
			return asException(err)
		}
	}
	return k.report()
}

// kafkaRun is one run over some files.
type kafkaRun struct {
	fs     vfs.FS
	out    io.Writer
	errOut io.Writer
	o      KafkaOptions

	mismatches     fileMap[indexMismatch]
	timestamps     fileMap[timeMismatch]
	outOfOrder     fileMap[timeMismatch]
	notFound       fileMap[indexMismatch]
	nonConsecutive fileMap[gap]
}

func (k *kafkaRun) file(path string) error {
	path = javaPath(path)
	if _, err := io.WriteString(k.out, "Dumping "+path+"\n"); err != nil {
		return err
	}
	name := path[strings.LastIndexByte(path, '/')+1:]
	extension := ""
	if dot := strings.LastIndexByte(name, '.'); dot >= 0 {
		extension = name[dot:]
	}
	switch extension {
	case ".log", ".checkpoint":
		return k.segment(path, name, extension)
	case ".index":
		return k.offsetIndex(path, name)
	case ".timeindex":
		return k.timeIndex(path, name)
	case ".snapshot":
		return k.producerSnapshot(path)
	case ".txnindex":
		return k.transactionIndex(path)
	}
	_, err := io.WriteString(k.errOut, "Ignoring unknown file "+path+"\n")
	return err
}

// firstPart is the name up to its first dot, which holds the base offset.
func firstPart(name string) string {
	part, _, _ := strings.Cut(name, ".")
	return part
}

// baseOffset reads the offset in a file's name.
func baseOffset(name string) (int64, error) {
	return parseLong(firstPart(name))
}

func parseLong(s string) (int64, error) {
	v, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		return 0, exceptionf(classNumberFormat, "For input string: %q", s)
	}
	return v, nil
}

func (k *kafkaRun) segment(path, name, extension string) error {
	maxBytes, err := k.o.MaxBytes()
	if err != nil {
		return err
	}
	newFormatter := func() (formatter, error) {
		p, err := newPrinter(k.o.Decoder, k.o.KeyDecoder, k.o.ValueDecoder, false)
		return &textFormatter{skipMetadata: k.o.SkipMetadata, printer: p}, err
	}
	if _, err := newFormatter(); err != nil {
		return err
	}
	title, err := segmentTitle(name, extension)
	if err != nil {
		return err
	}
	if _, err := io.WriteString(k.out, title+"\n"); err != nil {
		return err
	}
	f, err := k.fs.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	size, err := vfs.Size(f)
	if err != nil {
		return err
	}
	if size > math.MaxInt32 {
		return exceptionf(classKafka, "The size of segment %s (%d) is larger than the maximum allowed segment size of 2147483647", path, size)
	}
	if maxBytes < 0 {
		return exceptionf(classIllegalArgument, "Invalid size: %d in read from FileRecords(size=%d, file=%s, start=0, end=2147483647)", maxBytes, size, path)
	}
	run := &segmentRun{out: k.out, formatter: newFormatter, last: -1,
		deep: k.o.DeepIteration || k.o.Decoder != DecodeNothing}
	whole := maxBytes == math.MaxInt32
	tail := int64(0)
	if maxBytes > 0 {
		scan := decode.NewScanner(f, size, decode.ScanOptions{File: path, End: int64(maxBytes)})
		if err := run.run(scan); err != nil {
			return err
		}
		tail = scan.Tail()
	}
	if whole && tail > 0 {
		if _, err := fmt.Fprintf(k.out, "Found %d invalid bytes at the end of %s\n", tail, name); err != nil {
			return err
		}
	}
	if len(run.gaps) > 0 {
		k.nonConsecutive.add(absolute(path), run.gaps...)
	}
	return nil
}

// segmentTitle is the line that says what a segment or snapshot is.
func segmentTitle(name, extension string) (string, error) {
	if extension == ".log" {
		base, err := baseOffset(name)
		if err != nil {
			return "", err
		}
		return "Log starting offset: " + itoa(base), nil
	}
	if name == index.BootstrapName {
		return "KRaft bootstrap snapshot", nil
	}
	// Snapshot names are cut at fixed places: 20 digits, a dash, 10 digits.
	const offsetDigits, epochDigits = 20, 10
	if len(name) < offsetDigits {
		return "", exceptionf(classOutOfBounds, "begin 0, end %d, length %d", offsetDigits, len(name))
	}
	offset, err := parseLong(name[:offsetDigits])
	if err != nil {
		return "", err
	}
	end := offsetDigits + 1 + epochDigits
	if len(name) < end {
		return "", exceptionf(classOutOfBounds, "begin %d, end %d, length %d", offsetDigits+1, end, len(name))
	}
	epoch, err := strconv.ParseInt(name[offsetDigits+1:end], 10, 32)
	if err != nil {
		return "", exceptionf(classNumberFormat, "For input string: %q", name[offsetDigits+1:end])
	}
	return "Snapshot end offset: " + itoa(offset) + ", epoch: " + itoa(epoch), nil
}

// newPrinter makes the printer of a decoder. ext allows what Kafka's tool does not know.
func newPrinter(d Decoder, keyClass, valueClass string, ext bool) (printer, error) {
	switch d {
	case DecodeMetadata:
		return &metadataPrinter{decoder: decode.NewMetadataDecoder()}, nil
	case DecodeOffsets:
		return &coordinatorPrinter{decode.NewOffsetsDecoder(), groupValue}, nil
	case DecodeTransactions:
		return &coordinatorPrinter{decode.NewTransactionDecoder(), transactionValue}, nil
	case DecodeShareGroupState:
		return &coordinatorPrinter{decode.NewShareDecoder(), plainValue}, nil
	case DecodeRemoteLog:
		return &remotePrinter{decode.NewRemoteLogDecoder()}, nil
	case DecodeClasses:
		value, err := classDecoder(valueClass, ext)
		if err != nil {
			return nil, err
		}
		key, err := classDecoder(keyClass, ext)
		if err != nil {
			return nil, err
		}
		return &classPrinter{key: key, value: value}, nil
	}
	return nil, nil
}

// javaPath is a path as java.io.File keeps it: without doubled slashes and
// without one at the end. Dots stay.
func javaPath(path string) string {
	for strings.Contains(path, "//") {
		path = strings.ReplaceAll(path, "//", "/")
	}
	if len(path) > 1 {
		path = strings.TrimSuffix(path, "/")
	}
	return path
}

// absolute is a path as reports name it: below the working directory, with its
// dots. On Windows it is whatever the system makes of it.
func absolute(path string) string {
	if strings.HasPrefix(path, "/") {
		return path
	}
	dir, err := filepath.Abs("")
	if err != nil {
		return path
	}
	return strings.TrimSuffix(dir, "/") + "/" + path
}
