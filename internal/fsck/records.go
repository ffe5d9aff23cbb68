package fsck

import (
	"errors"
	"fmt"

	"kraftctl/decode"
	"kraftctl/decode/corrupt"
	"kraftctl/decode/index"
)

// cause strips a corrupt.Error of the file, which findings name themselves.
func cause(err error) string {
	var damage *corrupt.Error
	if !errors.As(err, &damage) {
		return err.Error()
	}
	e := *damage
	e.File, e.Pos = "", -1
	return e.Error()
}

// recordVisitor decodes all records, and what is in those of Kafka's own topics.
type recordVisitor struct {
	w       *walker
	records *decode.Records
	decode  func(r *decode.Record) (rule ID, problem string)
	raw     []byte
	err     error
}

func newRecordVisitor(w *walker, topic string, records *decode.Records) *recordVisitor {
	v := &recordVisitor{w: w, records: records}
	switch topic {
	case index.MetadataTopic:
		v.decode = metadataDecoder()
	case "__consumer_offsets":
		v.decode = coordinatorDecoder(decode.NewOffsetsDecoder())
	case "__transaction_state":
		v.decode = coordinatorDecoder(decode.NewTransactionDecoder())
	case "__share_group_state":
		v.decode = coordinatorDecoder(decode.NewShareDecoder())
	}
	return v
}

func (v *recordVisitor) batch(b *decode.Batch) {
	if v.err != nil {
		return
	}
	if b.Raw == nil {
		// The checksum says that the size is real, so it may be loaded.
		if cap(v.raw) < b.Size {
			v.raw = make([]byte, b.Size)
		}
		whole := *b
		whole.Raw = v.raw[:b.Size]
		if n, err := v.w.f.ReadAt(whole.Raw, b.Position); n < b.Size {
			v.err = err
			return
		}
		b = &whole
	}
	if codec := b.Attributes & 7; codec > 4 {
		return // reported already
	}
	previous := int64(-1)
	for v.records.Reset(b); v.records.Next(); {
		r := &v.records.Record
		if b.Magic >= 2 && (r.Offset < b.BaseOffset || r.Offset > b.LastOffset() || r.Offset <= previous) {
			f := v.w.bad(recordsOffsets, b, "record with offset %d in the batch of offsets %d to %d", r.Offset, b.BaseOffset, b.LastOffset())
			f.Got = itoa(r.Offset)
			v.w.s.add(f)
			return
		}
		previous = r.Offset
		if v.decode == nil || b.IsControl() {
			continue
		}
		if rule, problem := v.decode(r); problem != "" {
			f := v.w.bad(rule, b, "record at offset %d: %s", r.Offset, problem)
			f.Offset = r.Offset
			v.w.s.add(f)
		}
	}
	if err := v.records.Err(); err != nil && !b.IsControl() {
		v.failed(b, err)
	}
}

func (v *recordVisitor) failed(b *decode.Batch, err error) {
	rule := recordsBad
	var f *decode.Fault
	if errors.As(err, &f) && f.Kind == decode.FaultDecompress {
		rule = recordsDecompress
	}
	v.w.s.add(v.w.bad(rule, b, "%s", cause(err)))
}

func (v *recordVisitor) damaged(int64, int64) {}
func (v *recordVisitor) end(int64)            {}

// metadataDecoder checks the frames of metadata records.
func metadataDecoder() func(r *decode.Record) (ID, string) {
	frames := decode.NewMetadataDecoder()
	return func(r *decode.Record) (ID, string) {
		_, err := frames.Decode(r.Value)
		if err == nil {
			return "", ""
		}
		var f *decode.FrameError
		if errors.As(err, &f) && f.Unknown() {
			return metadataUnknown, err.Error()
		}
		return metadataRecord, err.Error()
	}
}

func coordinatorDecoder(d *decode.CoordinatorDecoder) func(r *decode.Record) (ID, string) {
	return func(r *decode.Record) (ID, string) {
		if _, err := d.Decode(r); err != nil {
			return coordinatorRecord, fmt.Sprint(err)
		}
		return "", ""
	}
}
