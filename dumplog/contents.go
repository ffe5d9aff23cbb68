package dumplog

import (
	"errors"
	"strconv"

	"kraftctl/decode"
	"kraftctl/internal/mask"
)

// recordContents tells in one line what a record is and says, for outputs that
// people read.
type recordContents struct {
	secrets *secretFinder
	meta    *decode.FrameDecoder
	coord   *coordinatorPrinter
	name    func(int16) string
	scratch []byte
}

func newRecordContents(d Decoder, showSecrets bool) *recordContents {
	c := &recordContents{secrets: newSecretFinder(d == DecodeMetadata, showSecrets)}
	c.meta, c.coord, c.name = recordDecoders(d)
	return c
}

// appendText gives the record's type, as in a Summary, and appends its key and
// value in at most width characters.
func (c *recordContents) appendText(dst []byte, b *decode.Batch, r *decode.Record, width int) (string, []byte) {
	switch {
	case b.IsControl():
		return c.control(dst, r, width)
	case r.Damage != nil:
		return unreadableType, appendCut(dst, []byte(r.Damage.Error()), width)
	case c.meta != nil:
		return c.frame(dst, r, width)
	case c.coord != nil:
		return c.coordinator(dst, r, width)
	}
	start, keyWidth := len(dst), width*2/5
	if r.Key != nil {
		dst = append(appendCut(dst, r.Key, keyWidth), " = "...)
	}
	if r.Value == nil {
		return "tombstone", append(dst, "null"...)
	}
	if c.secrets.hides(r.Value) {
		return "data", append(dst, masked...)
	}
	dst = appendCut(dst, r.Value, max(width-(len(dst)-start), width-keyWidth))
	return "data", dst
}

func (c *recordContents) control(dst []byte, r *decode.Record, width int) (string, []byte) {
	control, err := decode.DecodeControl(r)
	if err != nil {
		return unreadableType, appendCut(dst, []byte(err.Error()), width)
	}
	switch control.Type {
	case decode.NotControl:
		return typeName("", control.TypeID), dst
	case decode.Abort, decode.Commit:
		return control.Type.String(), appendLabeled(dst, "coordinatorEpoch: ", int64(control.CoordinatorEpoch))
	}
	c.scratch = control.Message.AppendJSON(c.scratch[:0], control.Version)
	return control.Type.String(), appendCut(dst, c.scratch, width)
}

func (c *recordContents) frame(dst []byte, r *decode.Record, width int) (string, []byte) {
	frame, err := c.meta.Decode(r.Value)
	if err != nil {
		return c.unreadable(err, frame.APIKey), appendCut(dst, []byte(err.Error()), width)
	}
	if c.secrets.inMetadata() {
		mask.Frame(&frame)
	}
	c.scratch = frame.Message.AppendJSON(c.scratch[:0], frame.Version)
	return typeName(c.name(frame.APIKey), frame.APIKey), appendCut(dst, c.scratch, width)
}

func (c *recordContents) coordinator(dst []byte, r *decode.Record, width int) (string, []byte) {
	record, err := c.coord.decoder.Decode(r)
	if err != nil {
		return c.unreadable(err, record.Type), appendCut(dst, []byte(err.Error()), width)
	}
	c.scratch = record.Key.AppendJSON(c.scratch[:0], 0)
	c.scratch = append(c.scratch, " = "...)
	if record.Value == nil {
		c.scratch = append(c.scratch, "null"...)
	} else {
		c.scratch = c.coord.value(c.scratch, record.Value, record.ValueVersion)
	}
	return typeName(c.name(record.Type), record.Type), appendCut(dst, c.scratch, width)
}

// unreadable gives the type of a record that cannot be decoded, as far as it
// can be told.
func (c *recordContents) unreadable(err error, id int16) string {
	var frame *decode.FrameError
	if errors.As(err, &frame) && frame.Problem <= decode.FrameTypeTooBig {
		return unreadableType
	}
	var coordinator *decode.CoordinatorError
	if errors.As(err, &coordinator) && coordinator.Problem <= decode.CoordinatorKeyShort {
		return unreadableType
	}
	return typeName(c.name(id), id)
}

// unreadableType stands for the type of a record that does not tell it.
const unreadableType = "unreadable"

// typeName is the name of a record type, or its number where nobody has named it.
func typeName(name string, id int16) string {
	if name == "" {
		return "UNKNOWN(" + strconv.Itoa(int(id)) + ")"
	}
	return name
}
