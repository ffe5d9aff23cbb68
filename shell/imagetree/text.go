package imagetree

import (
	"strconv"
	"time"

	"kraftctl/decode/kbin"
	"kraftctl/internal/image"
)

func itoa[T int8 | int16 | uint16 | int32 | int64](n T) string {
	return strconv.FormatInt(int64(n), 10)
}

// provenanceText is how far into the log an image goes. The time has as many
// digits of a second as it needs.
func provenanceText(p image.Provenance) string {
	return "offset " + itoa(p.Offset) + ", epoch " + itoa(p.Epoch) + ", time " + Time(p.Time) + "[UTC]"
}

// Time is a time in milliseconds as text, in UTC, with as many digits of a second
// as it needs. Years of more than four digits have a sign.
func Time(ms int64) string {
	t := time.UnixMilli(ms).UTC()
	text := t.Format("2006-01-02T15:04:05.999Z")
	if t.Year() > 9999 {
		return "+" + text
	}
	return text
}

// appendInts appends a list as Java does: [1, 2].
func appendInts(dst []byte, list []int32) []byte {
	dst = append(dst, '[')
	for i, n := range list {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		dst = strconv.AppendInt(dst, int64(n), 10)
	}
	return append(dst, ']')
}

func appendUUIDs(dst []byte, list []kbin.UUID) []byte {
	dst = append(dst, '[')
	for i, id := range list {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		dst, _ = id.AppendText(dst) // has no errors
	}
	return append(dst, ']')
}
