package dumplog

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"strconv"
	"syscall"

	"kraftctl/decode"
	"kraftctl/decode/corrupt"
	"kraftctl/internal/javaerr"
)

// Exception is how Kafka's tool dies: a Java class and a message. The tool
// under its own names reports what stopped it in these words, as scripts look
// for them; stack traces are left out.
type Exception = javaerr.Exception

// Classes of the exceptions.
const (
	classCorruptRecord   = "org.apache.kafka.common.errors.CorruptRecordException"
	classInvalidRecord   = "org.apache.kafka.common.InvalidRecordException"
	classKafka           = "org.apache.kafka.common.KafkaException"
	classCorruptIndex    = "org.apache.kafka.storage.internals.log.CorruptIndexException"
	classIllegalArgument = javaerr.IllegalArgument
	classNumberFormat    = javaerr.NumberFormat
	classNoSuchFile      = javaerr.NoSuchFile
	classNoSuchElement   = "java.util.NoSuchElementException"
	classUnderflow       = "java.nio.BufferUnderflowException"
	classOutOfBounds     = "java.lang.StringIndexOutOfBoundsException"
	classIndexBounds     = "java.lang.IndexOutOfBoundsException"
	classNullPointer     = javaerr.NullPointer
	classRuntime         = javaerr.Runtime
	classIO              = javaerr.IO
)

// asException puts an error in Kafka's words.
func asException(err error) *Exception {
	var e *Exception
	if errors.As(err, &e) {
		return e
	}
	var fault *decode.Fault
	if errors.As(err, &fault) {
		var damage *corrupt.Error
		file := ""
		if errors.As(err, &damage) {
			file = damage.File
		}
		class, message := faultText(fault, file)
		return &Exception{Class: class, Message: message, NoMessage: message == "", Err: err}
	}
	var path *fs.PathError
	if errors.As(err, &path) {
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return &Exception{Class: classNoSuchFile, Message: path.Path, Err: err}
		case errors.Is(err, syscall.EISDIR):
			return &Exception{Class: classKafka, Message: "java.io.IOException: Is a directory", Err: err}
		case errors.Is(err, fs.ErrPermission):
			return &Exception{Class: javaerr.AccessDenied, Message: path.Path, Err: err}
		}
	}
	return &Exception{Class: classIO, Message: err.Error(), Err: err}
}

// faultText gives the class and the message for a broken rule of the record format.
func faultText(f *decode.Fault, file string) (class, message string) {
	n := func(v int64) string { return strconv.FormatInt(v, 10) }
	switch f.Kind {
	case decode.FaultSizeTooSmall:
		return classCorruptRecord, "Found record size " + n(f.Got) + " smaller than minimum record overhead (14) in file " + file + "."
	case decode.FaultLegacyInnerSize:
		return classCorruptRecord, "Record size is less than the minimum record overhead (14)"
	case decode.FaultHeaderPastEnd:
		return classKafka, "java.io.EOFException: Failed to read `record batch header` from file channel"
	case decode.FaultWrapperMagic:
		return classInvalidRecord, "Invalid wrapper magic found in legacy deep record iterator " + n(f.Got)
	case decode.FaultMagic:
		return classIllegalArgument, "Invalid magic used in LegacyRecord: " + n(f.Got)
	case decode.FaultCodec:
		return classIllegalArgument, "Unknown compression type id: " + n(f.Got)
	case decode.FaultCount:
		return classInvalidRecord, "Found invalid record count " + n(f.Got) + " in magic v" + n(f.Want) + " batch"
	case decode.FaultBatchTooShort:
		return classIndexBounds, ""
	case decode.FaultPrematureEnd:
		return classInvalidRecord, "Incorrect declared batch size, premature EOF reached"
	case decode.FaultRecordsRemain:
		return classInvalidRecord, "Incorrect declared batch size, records still remaining in file"
	case decode.FaultRecordPastEnd:
		if f.Field != "" && f.Want > math.MaxInt32-8 {
			return classInvalidRecord, "Invalid record size: " + n(f.Want) + " exceeds the configured maximum record size of 2147483639."
		}
		if f.Field != "" {
			return classInvalidRecord, "Invalid record size: expected " + n(f.Want) + " bytes in record payload, but the record payload reached EOF."
		}
		return classInvalidRecord, "Invalid record size: expected " + n(f.Want) + " bytes in record payload, but instead the buffer has only " + n(f.Got) + " remaining bytes."
	case decode.FaultRecordNegative:
		return classInvalidRecord, "Invalid record size: " + n(f.Got) + " is negative."
	case decode.FaultRecordLength:
		return classInvalidRecord, "Invalid record size: expected to read " + n(f.Want) + " bytes in record payload, but instead read " + n(f.Got)
	case decode.FaultRecordStructure:
		return classInvalidRecord, "Found invalid record structure"
	case decode.FaultVarint:
		return classIllegalArgument, "Varint is too long, the most significant bit in the 5th byte is set, converted value: " + strconv.FormatUint(uint64(f.Got), 16)
	case decode.FaultHeaderCount:
		return classInvalidRecord, "Found invalid number of record headers " + n(f.Got)
	case decode.FaultHeaderCountTooLarge:
		return classInvalidRecord, "Found invalid number of record headers. " + n(f.Want) + " is larger than the remaining size of the buffer"
	case decode.FaultHeaderMemory:
		return "java.lang.OutOfMemoryError", "Java heap space"
	case decode.FaultHeaderKey:
		return classInvalidRecord, "Invalid negative header key size " + n(f.Got)
	case decode.FaultDecompress:
		return classKafka, "Failed to decompress record stream"
	case decode.FaultLegacyField:
		return classIllegalArgument, "newLimit > capacity: (" + n(f.Want) + " > " + n(f.Got) + ")"
	case decode.FaultLegacyCodec:
		return classInvalidRecord, "Invalid wrapper compressionType found in legacy deep record iterator " + n(f.Got)
	case decode.FaultLegacyNullWrapper:
		return classInvalidRecord, "Found invalid compressed record set with null value (magic = " + n(f.Got) + ")"
	case decode.FaultLegacyEmptyWrapper:
		return classInvalidRecord, "Found invalid compressed record set with no inner records"
	case decode.FaultLegacyNested:
		return classInvalidRecord, "Inner messages must not be compressed"
	case decode.FaultLegacyWrapperOffset:
		return classInvalidRecord, "Found invalid wrapper offset in compressed v1 message set, wrapper offset '" + n(f.Got) +
			"' is less than the last inner message offset '" + n(f.Want) + "' and it is not zero."
	case decode.FaultControlKey:
		return classInvalidRecord, f.Field
	case decode.FaultControlValue:
		if f.Field == "null" {
			return classNullPointer, ""
		}
		if f.Err != nil {
			return classUnderflow, ""
		}
		return classInvalidRecord, f.Field
	}
	return classRuntime, f.Error()
}

func exceptionf(class, format string, args ...any) *Exception {
	return &Exception{Class: class, Message: fmt.Sprintf(format, args...)}
}
