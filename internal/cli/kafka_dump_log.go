package cli

import (
	_ "embed" // the help text
	"errors"
	"math"
	"strconv"
	"strings"

	"kraftctl/dumplog"
	"kraftctl/internal/javaerr"
	"kraftctl/internal/term"
)

// kafkaVersion is the release whose tool kafka-dump-log stands in for.
const kafkaVersion = "4.4.0"

const dumpLogDescription = "This tool helps to parse a log file and dump its contents to the console, useful for debugging a seemingly corrupt log segment."

// kafkaDumpLogHelp is the help as Kafka 4.4.0 lays it out, whatever the width of
// the terminal.
//
//go:embed kafka_dump_log_help.txt
var kafkaDumpLogHelp string

const stringDecoder = "org.apache.kafka.tools.api.StringDecoder"

// kafkaDumpLogOptions are the options of kafka-dump-log 4.4.0.
var kafkaDumpLogOptions = []joptOption{
	{name: "cluster-metadata-decoder"},
	{name: "deep-iteration"},
	{name: "files", arg: joptRequired},
	{name: "help"},
	{name: "index-sanity-check"},
	{name: "key-decoder-class", arg: joptOptional, value: stringDecoder},
	{name: "max-bytes", arg: joptRequired, value: "2147483647"},
	{name: "max-message-size", arg: joptRequired, value: strconv.Itoa(dumplog.DefaultMaxMessageSize)},
	{name: "offsets-decoder"},
	{name: "print-data-log"},
	{name: "remote-log-metadata-decoder"},
	{name: "share-group-state-decoder"},
	{name: "skip-record-metadata"},
	{name: "transaction-log-decoder"},
	{name: "value-decoder-class", arg: joptOptional, value: stringDecoder},
	{name: "verify-index-only"},
	{name: "version"},
}

// runKafkaDumpLog is kafka-dump-log 4.4.0: its options, output and exit codes.
func runKafkaDumpLog(e *Env, args []string) term.Code {
	s := e.Streams
	set, err := parseJopt(kafkaDumpLogOptions, args)
	if err != nil {
		return die(e, err)
	}
	switch {
	case len(args) == 0 || set.has("help"):
		say(s.Err, dumpLogDescription+"\n"+kafkaDumpLogHelp)
		return term.NotFine
	case set.has("version"):
		say(s.Out, kafkaVersion+"\n")
		return term.OK
	case !set.has("files"):
		say(s.Err, "Missing required argument \"[files]\"\n"+kafkaDumpLogHelp)
		return term.NotFine
	}
	o, err := kafkaDumpLogFrom(set)
	if err != nil {
		return die(e, err)
	}
	if err := dumplog.Kafka(e.FS, s.Out, s.Err, o); err != nil {
		return die(e, err)
	}
	return term.OK
}

// die reports an error the way the Java runtime reports an exception that
// nobody caught, without its stack trace.
func die(e *Env, err error) term.Code {
	var exception *dumplog.Exception
	if !errors.As(err, &exception) {
		exception = &dumplog.Exception{Class: javaerr.IO, Message: err.Error()}
	}
	say(e.Streams.Err, "Exception in thread \"main\" "+exception.Error()+"\n")
	for errors.As(exception.Err, &exception) {
		say(e.Streams.Err, "Caused by: "+exception.Error()+"\n")
	}
	return term.NotFine
}

func kafkaDumpLogFrom(set *joptSet) (dumplog.KafkaOptions, error) {
	files, err := set.value("files")
	if err != nil {
		return dumplog.KafkaOptions{}, err
	}
	o := dumplog.KafkaOptions{
		Files:           splitJava(files),
		DeepIteration:   set.has("deep-iteration"),
		Decoder:         kafkaDecoder(set),
		SkipMetadata:    set.has("skip-record-metadata"),
		IndexSanityOnly: set.has("index-sanity-check"),
		VerifyIndexOnly: set.has("verify-index-only"),
		MaxMessageSize:  func() (int32, error) { return set.integer("max-message-size") },
		KeyDecoder:      stringDecoder,
		ValueDecoder:    stringDecoder,
	}
	// The decoder classes are only looked at when a log needs them, after its
	// "Dumping" line; so are the limits.
	var keyErr, valueErr error
	if o.Decoder == dumplog.DecodeClasses {
		o.KeyDecoder, keyErr = set.value("key-decoder-class")
		o.ValueDecoder, valueErr = set.value("value-decoder-class")
	}
	o.MaxBytes = func() (int32, error) {
		n, err := set.integer("max-bytes")
		return n, errors.Join(valueErr, keyErr, err)
	}
	return o, nil
}

// kafkaDecoder chooses the decoder: of several, the first in this order counts.
func kafkaDecoder(set *joptSet) dumplog.Decoder {
	for _, d := range []struct {
		option  string
		decoder dumplog.Decoder
	}{
		{"offsets-decoder", dumplog.DecodeOffsets},
		{"transaction-log-decoder", dumplog.DecodeTransactions},
		{"cluster-metadata-decoder", dumplog.DecodeMetadata},
		{"remote-log-metadata-decoder", dumplog.DecodeRemoteLog},
		{"share-group-state-decoder", dumplog.DecodeShareGroupState},
		{"print-data-log", dumplog.DecodeClasses},
		{"value-decoder-class", dumplog.DecodeClasses},
		{"key-decoder-class", dumplog.DecodeClasses},
	} {
		if set.has(d.option) {
			return d.decoder
		}
	}
	return dumplog.DecodeNothing
}

// splitJava splits at commas like String.split: empty parts at the end are
// dropped, those before it are kept.
func splitJava(s string) []string {
	parts := strings.Split(s, ",")
	for len(parts) > 1 && parts[len(parts)-1] == "" {
		parts = parts[:len(parts)-1]
	}
	if s != "" && len(parts) == 1 && parts[0] == "" {
		return nil // only commas: nothing at all
	}
	return parts
}

// parseInteger is Integer.valueOf.
func parseInteger(s string) (int32, bool) {
	v, err := strconv.ParseInt(s, 10, 32)
	if err != nil || v > math.MaxInt32 {
		return 0, false
	}
	return int32(v), true
}
