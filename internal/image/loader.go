package image

import (
	"kraftctl/decode/kbin"
	"kraftctl/decode/metadata"
)

// Loader replays records in the order of the log, metadata transactions included
// (KIP-868): what stands between a BeginTransactionRecord and its end counts from
// the end on, and not at all if it is aborted or if the end is not there yet.
type Loader struct {
	delta *Delta
	last  Provenance // of the last record outside of transactions, or of a transaction's end
	fresh bool       // there were records since published
	img   *Image     // the last one that was made

	open   bool
	before *Image // what there was when the open transaction began
}

// NewLoader starts with an image.
func NewLoader(base *Image) *Loader {
	return &Loader{delta: NewDelta(base), img: base, last: base.provenance}
}

// Record replays a record that stands at a place in the log. An error, a
// *ReplayError, is about this record alone: Kafka's shell logs it and goes on,
// Kafka's nodes end.
func (l *Loader) Record(message kbin.Message, at Provenance) error {
	switch message.(type) {
	case *metadata.BeginTransactionRecord:
		if l.open {
			return refuse(message, "the transaction before has not ended")
		}
		l.open, l.before = true, l.Image()
		return nil
	case *metadata.EndTransactionRecord:
		if !l.open {
			return refuse(message, "no transaction has begun")
		}
		l.open, l.before = false, nil
		l.advance(at)
		return nil
	case *metadata.AbortTransactionRecord:
		if !l.open {
			return refuse(message, "no transaction has begun")
		}
		l.delta.reset(l.before)
		l.open, l.before = false, nil
		l.advance(at)
		return nil
	}
	err := l.delta.Replay(message)
	l.advance(at)
	return err
}

// Pass tells of a record that is none of the metadata, or that cannot be read:
// it moves the offset only.
func (l *Loader) Pass(at Provenance) { l.advance(at) }

func (l *Loader) advance(at Provenance) {
	if !l.open {
		l.last, l.fresh = at, true
	}
}

// Open reports whether a transaction has begun and not ended.
func (l *Loader) Open() bool { return l.open }

// Image is the metadata without that of an open transaction.
func (l *Loader) Image() *Image {
	switch {
	case l.open:
		return l.before
	case l.fresh:
		l.img, l.fresh = l.delta.Image(l.last), false
	}
	return l.img
}

// Working is the metadata with that of an open transaction.
func (l *Loader) Working() *Image {
	if l.open {
		return l.delta.Image(l.last)
	}
	return l.Image()
}

// Current is Working as the next record finds it: it is to be looked at before
// that only, and costs nothing.
func (l *Loader) Current() *Image { return &l.delta.img }

// Reset forgets all metadata, as a node does that was formatted with some when the
// log begins with its own.
func (l *Loader) Reset() {
	l.delta.reset(Empty())
	l.open, l.before, l.fresh = false, nil, true
}
