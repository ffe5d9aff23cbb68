package fsck

import (
	"errors"
	"fmt"
	"math"

	"kraftctl/decode"
	"kraftctl/decode/corrupt"
	"kraftctl/decode/index"
)

// maxAwaited bounds the entries whose last stable offset is a transaction that
// has not started yet.
const maxAwaited = 64

// txnIndexVisitor merges a .txnindex file with the abort markers of its
// segment. It is driven by the txnVisitor.
type txnIndexVisitor struct {
	indexFile
	r    *index.TxnReader // nil: there is no file, and so no entries
	base int64
	err  error

	read  int64
	entry index.AbortedTxn
	pos   int64
	have  bool
	last  int64 // highest last offset so far

	// later are findings that compaction would explain: it removes the records
	// of aborted transactions and keeps their markers for a while.
	later   *sink
	awaited []awaitedStart
	// older are last stable offsets below the segment, with the position of the
	// first entry that has them.
	older map[int64]int64
}

// awaitedStart is a last stable offset behind its transaction. A follower that
// appends several batches at once knows of transactions that start behind the
// marker.
type awaitedStart struct {
	offset int64
	f      Finding
}

func newTxnIndexVisitor(x indexFile, base int64) *txnIndexVisitor {
	v := &txnIndexVisitor{indexFile: x, base: base, last: math.MinInt64, later: newSink(x.s.limit), older: make(map[int64]int64)}
	if x.f != nil {
		v.r = index.NewTxnReader(x.f, x.file)
	}
	v.pull()
	return v
}

// pull reads the next entry that is in order.
func (v *txnIndexVisitor) pull() {
	for v.have = false; !v.have && v.r != nil; {
		e, err := v.r.Next()
		if err != nil {
			v.err = ioError(err)
			var damage *corrupt.Error
			if errors.As(err, &damage) {
				f := v.at(txnBad, damage.Pos, -1, "%s", damage.What)
				f.Want, f.Got = damage.Want, damage.Got
				v.s.add(f)
			}
			v.r = nil
			return
		}
		pos := v.read * index.AbortedTxnSize
		v.read++
		var f Finding
		switch {
		case e.LastOffset < v.base:
			f = v.at(txnOrder, pos, e.LastOffset, "last offset %d is below the segment's base offset", e.LastOffset)
			f.Want, f.Got = "at least "+itoa(v.base), itoa(e.LastOffset)
		case e.LastOffset <= v.last:
			f = v.at(txnOrder, pos, e.LastOffset, "last offset %d is not beyond that of the entry before it", e.LastOffset)
			f.Want, f.Got = "above "+itoa(v.last), itoa(e.LastOffset)
		case e.FirstOffset > e.LastOffset || e.FirstOffset < 0:
			f = v.at(txnOrder, pos, e.LastOffset, "the transaction starts at offset %d and ends at %d", e.FirstOffset, e.LastOffset)
			f.Want, f.Got = "at most "+itoa(e.LastOffset), itoa(e.FirstOffset)
		default:
			v.entry, v.pos, v.have, v.last = e, pos, true, e.LastOffset
			continue
		}
		v.s.add(f)
	}
}

// upTo drops the entries before an offset, for which there was no marker. Where
// the log is damaged there may have been.
func (v *txnIndexVisitor) upTo(offset int64, blind bool) {
	for v.have && v.entry.LastOffset < offset {
		if !blind {
			f := v.at(txnMarker, v.pos, v.entry.LastOffset, "there is no abort marker at offset %d", v.entry.LastOffset)
			f.Want, f.Got = "a marker of producer "+itoa(v.entry.ProducerID), "none"
			v.s.add(f)
		}
		v.pull()
	}
}

// aborted compares an abort marker with the entry for it, if there is one.
func (v *txnIndexVisitor) aborted(b *decode.Batch, offset, first int64, begun bool, txns *txnVisitor) (e index.AbortedTxn, ok bool) {
	if !v.have || v.entry.LastOffset != offset {
		return e, false
	}
	e = v.entry
	if e.ProducerID != b.ProducerID {
		f := v.at(txnMarker, v.pos, offset, "the abort marker at offset %d is of another producer", offset)
		f.Want, f.Got = itoa(b.ProducerID), itoa(e.ProducerID)
		v.s.add(f)
	} else if !txns.blind && !txns.full {
		v.firstOffset(e, first, begun)
		v.stableOffset(e, txns)
	}
	v.pull()
	return e, true
}

func (v *txnIndexVisitor) firstOffset(e index.AbortedTxn, first int64, begun bool) {
	if e.FirstOffset < v.base || begun && e.FirstOffset == first {
		return // it began in an earlier segment, or where it should
	}
	want := int64(-1)
	if begun {
		want = first
	}
	f := wrongFirst(v.file, v.pos, e.ProducerID, want, e.FirstOffset)
	if begun && first < e.FirstOffset {
		v.s.add(f)
	} else {
		v.later.add(f)
	}
}

// wrongFirst is the finding about a first offset; want is -1 if it is not known.
func wrongFirst(file string, pos, producer, want, got int64) Finding {
	f := Finding{Rule: txnFirst, File: file, Position: pos, Offset: got, Got: itoa(got),
		Message: fmt.Sprintf("no transaction of producer %d starts at offset %d", producer, got)}
	if want >= 0 {
		f.Want = itoa(want)
	}
	return f
}

// stableOffset checks that the last stable offset is the end of the transaction
// or the start of another one.
func (v *txnIndexVisitor) stableOffset(e index.AbortedTxn, txns *txnVisitor) {
	switch stable := e.LastStableOffset; {
	case stable == e.LastOffset+1:
	case stable < v.base && stable >= 0:
		if _, ok := v.older[stable]; !ok && len(v.older) < maxAwaited {
			v.older[stable] = v.pos
		}
	case stable <= e.LastOffset:
		for _, first := range txns.open {
			if first == stable {
				return
			}
		}
		v.later.add(v.strange(v.pos, e.LastOffset, stable))
	case len(v.awaited) < maxAwaited:
		v.awaited = append(v.awaited, awaitedStart{stable, v.strange(v.pos, e.LastOffset, stable)})
	}
}

func (v *txnIndexVisitor) strange(pos, last, stable int64) Finding {
	f := v.at(txnStable, pos, stable, "no transaction starts at offset %d", stable)
	f.Want, f.Got = "the start of a transaction", itoa(stable)
	if last >= 0 {
		f.Want = itoa(last+1) + ", or " + f.Want
	}
	return f
}

// started tells of a batch of a transaction.
func (v *txnIndexVisitor) started(offset int64) {
	for i := 0; i < len(v.awaited); i++ {
		if a := v.awaited[i]; a.offset <= offset {
			if a.offset < offset {
				v.later.add(a.f)
			}
			v.awaited = append(v.awaited[:i], v.awaited[i+1:]...)
			i--
		}
	}
}

func (v *txnIndexVisitor) finish(blind bool) {
	v.upTo(math.MaxInt64, blind)
	if !blind {
		for _, a := range v.awaited {
			v.later.add(a.f) // an append goes into one segment as a whole
		}
	}
}
