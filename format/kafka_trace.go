package format

import (
	"errors"
	"strconv"
	"strings"

	"kraftctl/decode/corrupt"
	"kraftctl/decode/index"
	"kraftctl/internal/javaerr"
)

// kafka-storage info prints the stack trace of a damaged meta.properties on
// standard output, and scripts that read it get to see it. These are the frames
// of Kafka 4.4.0 on Java 17.

const (
	frameVersion     = "org.apache.kafka.metadata.properties.MetaPropertiesVersion."
	frameUtils       = "org.apache.kafka.metadata.properties.PropertiesUtils."
	frameBuilder     = "org.apache.kafka.metadata.properties.MetaProperties$Builder."
	frameBuilderInit = frameBuilder + "<init>(MetaProperties.java:"
	frameBase64      = "java.base/java.util.Base64$Decoder."
	frameUUID        = "org.apache.kafka.common.Uuid.fromString(Uuid.java:"
	frameParseInt    = "java.base/java.lang.Integer.parseInt(Integer.java:"
)

// frames below the reading of the properties.
var infoFrames = []string{
	"kafka.tools.StorageTool$.$anonfun$infoCommand$1(StorageTool.scala:434)",
	"scala.collection.immutable.List.foreach(List.scala:323)",
	"kafka.tools.StorageTool$.infoCommand(StorageTool.scala:418)",
	"kafka.tools.StorageTool$.execute(StorageTool.scala:85)",
	"kafka.tools.StorageTool$.main(StorageTool.scala:48)",
	"kafka.tools.StorageTool.main(StorageTool.scala)",
}

// metaTrace gives Kafka's message about a damaged meta.properties, and its trace.
func metaTrace(e *corrupt.Error) (message, trace string) {
	message = e.Err.Error()
	var frames, cause []string
	causeLine, more := "", 0
	var version *index.VersionError
	number := func(line string) {
		if e.Got == "none" {
			frames = []string{frameUtils + "loadRequiredIntProp(PropertiesUtils.java:97)", frameBuilderInit + line + ")"}
			return
		}
		frames = []string{frameUtils + "loadRequiredIntProp(PropertiesUtils.java:102)", frameBuilderInit + line + ")"}
		causeLine = javaerr.NumberFormat + ": For input string: " + e.Got
		cause = []string{"java.base/java.lang.NumberFormatException.forInputString(NumberFormatException.java:67)",
			frameParseInt + parseIntLine(unquote(e.Got)) + ")", frameParseInt + "786)", frameUtils + "loadRequiredIntProp(PropertiesUtils.java:100)"}
		more = len(infoFrames) + 1
	}
	switch e.What {
	case "version":
		frames = []string{frameVersion + "fromNumberString(MetaPropertiesVersion.java:43)", frameBuilderInit + "97)"}
		if errors.As(e.Err, &version) {
			message = "Unknown meta.properties version number " + strconv.FormatInt(version.Got, 10)
			frames = []string{frameVersion + "fromNumber(MetaPropertiesVersion.java:53)", frameVersion + "fromNumberString(MetaPropertiesVersion.java:46)", frameBuilderInit + "97)"}
		}
	case "node.id":
		number("105")
	case "broker.id":
		number("102")
	case "directory.id":
		causeLine = javaerr.IllegalArgument + ": " + message
		message = "Unable to read directory.id as a Uuid: " + message
		frames = []string{frameBuilderInit + "113)"}
		cause, more = append(uuidFrames(e.Err.Error()), frameBuilderInit+"110)"), len(infoFrames)
	default:
		frames = []string{frameBuilder + "build(MetaProperties.java:171)"}
	}
	var b strings.Builder
	b.WriteString(javaerr.Runtime + ": " + message + "\n")
	for _, f := range append(frames, infoFrames...) {
		b.WriteString("\tat " + f + "\n")
	}
	if causeLine != "" {
		b.WriteString("Caused by: " + causeLine + "\n")
		for _, f := range cause {
			b.WriteString("\tat " + f + "\n")
		}
		b.WriteString("\t... " + strconv.Itoa(more) + " more\n")
	}
	return message, b.String()
}

func unquote(s string) string {
	if u, err := strconv.Unquote(s); err == nil {
		return u
	}
	return s
}

// parseIntLine is the line of Integer.parseInt that rejects a text.
func parseIntLine(s string) string {
	switch _, err := strconv.ParseInt(s, 10, 64); {
	case s == "":
		return "678"
	case s == "+" || s == "-":
		return "658"
	case s[0] < '0' && s[0] != '+' && s[0] != '-':
		return "654"
	case err == nil && len(strings.TrimLeft(s, "+-0")) == 10 && strings.TrimLeft(s, "+-0") < "2147483650":
		return "672" // one that only its last digit makes too large
	}
	return "668"
}

// uuidFrames are those of Uuid.fromString and of the decoder that it uses.
func uuidFrames(message string) []string {
	for _, d := range []struct{ prefix, frame, line string }{
		{"Input byte[] should", "decodedOutLength(Base64.java:709)", "565"},
		{"Input byte array has wrong", "decode0(Base64.java:838)", "566"},
		{"Illegal base64", "decode0(Base64.java:848)", "566"},
		{"Last unit", "decode0(Base64.java:868)", "566"},
		{"Input byte array has incorrect", "decode0(Base64.java:876)", "566"},
	} {
		if strings.HasPrefix(message, d.prefix) {
			return []string{frameBase64 + d.frame, frameBase64 + "decode(Base64.java:" + d.line + ")", frameBase64 + "decode(Base64.java:589)", frameUUID + "140)"}
		}
	}
	if strings.HasPrefix(message, "Input string with prefix") {
		return []string{frameUUID + "137)"}
	}
	return []string{frameUUID + "143)"}
}
