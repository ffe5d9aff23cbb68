package image

import (
	"kraftctl/decode/kbin"
	"kraftctl/decode/metadata"
	"kraftctl/internal/feature"
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

	bootstrap       BootstrapFate
	bootstrapBefore BootstrapFate // when the open transaction began
}

// BootstrapFate is what became of the metadata that format wrote.
type BootstrapFate uint8

// What can become of it. From 4.3 on it is not the state of the cluster: the first
// leader writes it to the log, and what another controller was formatted with counts
// for nothing (KAFKA-20164). Before 4.3 it is the state that the log adds to, and is
// not repeated there.
const (
	BootstrapNone       BootstrapFate = iota // there is none
	BootstrapPending                         // the log has had no metadata record yet
	BootstrapKept                            // the log adds to it
	BootstrapSuperseded                      // the log begins with metadata of its own
)

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
		l.open, l.before, l.bootstrapBefore = true, l.Image(), l.bootstrap
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
		l.open, l.before, l.bootstrap = false, nil, l.bootstrapBefore
		l.advance(at)
		return nil
	}
	if l.Supersedes(message) {
		l.delta.reset(Empty())
		l.bootstrap = BootstrapSuperseded
	}
	l.Other()
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

// Bootstrap tells that all so far was the metadata that format wrote: the snapshot
// at offset 0.
func (l *Loader) Bootstrap() { l.bootstrap = BootstrapPending }

// BootstrapFate is what became of the metadata that format wrote.
func (l *Loader) BootstrapFate() BootstrapFate { return l.bootstrap }

// Supersedes reports whether a record would take the place of the metadata that
// format wrote: a log of its own begins with a metadata version.
func (l *Loader) Supersedes(message kbin.Message) bool {
	m, ok := message.(*metadata.FeatureLevelRecord)
	return ok && l.bootstrap == BootstrapPending && m.Name == feature.MetadataName
}

// Other tells of a metadata record that is not replayed, as it does not matter here.
func (l *Loader) Other() {
	if l.bootstrap == BootstrapPending {
		l.bootstrap = BootstrapKept
	}
}
