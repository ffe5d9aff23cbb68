package snapfile

import (
	"cmp"
	"context"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strconv"

	"kraftctl/decode"
	"kraftctl/decode/control"
	"kraftctl/decode/corrupt"
	"kraftctl/decode/index"
	"kraftctl/decode/metadata"
	"kraftctl/internal/feature"
	"kraftctl/internal/timeline"
	"kraftctl/internal/vfs"
)

// Rules of snapshots, by the names that fsck has for them.
const (
	ruleHeader  = "snapshot-header"
	ruleFooter  = "snapshot-footer"
	ruleOffsets = "snapshot-offsets"
	ruleEpoch   = "snapshot-epoch"
	// and those that it has none for
	ruleTransaction = "snapshot-transaction" // a snapshot has no transactions
	ruleVoters      = "snapshot-voters"      // a voter set needs kraft.version 1
	ruleVersion     = "snapshot-version"     // metadata, but no metadata.version
)

// Report is what a file or directory with metadata holds.
type Report struct {
	Path string
	// Snapshot is the snapshot that the state begins with; empty if there is none.
	Snapshot string
	// Header and Footer are whether that has them; HeaderTime is the append time of
	// the last record that it stands for, in milliseconds.
	Header, Footer bool
	HeaderTime     int64
	Types          []TypeCount // by bytes, the most first
	Batches        int64
	Records        int64
	Bytes          int64 // of batches
	// Problems are all that is wrong; More counts those that are not listed.
	Problems []timeline.Problem
	More     int
	State    *timeline.State
}

// TypeCount is how many records of a type there are, and their bytes without those
// of batches.
type TypeCount struct {
	Type    string
	Records int64
	Bytes   int64
}

// Inspect reads a file, or the latest state of a directory, and verifies it:
// checksums, a snapshot's header, footer, offsets and epochs, that all records
// decode, and that all fit when they are replayed. What is wrong is in the report;
// the error is about what cannot be read at all.
func Inspect(ctx context.Context, fsys vfs.FS, path string) (*Report, error) {
	line, err := timeline.Open(fsys, path)
	if err != nil {
		return nil, err
	}
	state, err := line.At(ctx, timeline.Latest)
	if err != nil {
		return nil, err
	}
	v := &verifier{report: &Report{Path: path, Snapshot: state.Snapshot, HeaderTime: -1, State: state,
		Problems: slices.Clone(state.Problems), More: state.More}, counts: map[string]*TypeCount{}}
	err = Scan(ctx, fsys, path, state, v.record)
	if cerr := ctx.Err(); cerr != nil {
		return nil, cerr
	}
	v.end(err)
	return v.report, nil
}

// verifier checks a snapshot's structure and counts its records.
type verifier struct {
	report *Report
	counts map[string]*TypeCount

	file     string // that is read
	snapshot bool   // it is a snapshot
	epoch    int32
	next     int64 // offset that comes next in a snapshot
	position int64 // of the last batch
	data     bool  // there were metadata records
	version  bool  // there was a metadata version
	kraft    int16
}

// problem adds a problem, once for a rule and file if there are many.
func (v *verifier) problem(rule string, pos, offset int64, text string) {
	for _, p := range v.report.Problems {
		if p.Rule == rule && p.File == v.file {
			v.report.More++
			return
		}
	}
	v.report.Problems = append(v.report.Problems, timeline.Problem{Rule: rule, File: v.file, Pos: pos, Offset: offset, Text: text})
}

// begin tells of a file.
func (v *verifier) begin(r *Record) {
	v.file, v.next = r.File, 0
	name, err := index.ParseFileName(filepath.Base(r.File))
	first := r.IsControl && r.Control.Type == decode.SnapshotHeader
	named := err == nil && (name.Kind == index.KindSnapshot || name.Kind == index.KindBootstrap)
	v.snapshot = first || named
	v.epoch = r.Batch.LeaderEpoch
	if err == nil && name.Kind == index.KindSnapshot {
		v.epoch = name.Epoch
	}
	if v.snapshot && !first {
		v.problem(ruleHeader, 0, -1, "it does not begin with a snapshot header")
	}
}

// record checks and counts a record.
func (v *verifier) record(r *Record) error {
	if r.File != v.file {
		v.begin(r)
	}
	if r.First {
		v.report.Batches++
		v.report.Bytes += int64(r.Batch.Size)
		v.position = r.Batch.Position
		if v.snapshot {
			v.batch(r.Batch)
		}
	}
	v.report.Records++
	kind := "UNREADABLE"
	switch {
	case r.IsControl:
		kind = r.Control.Type.String()
		v.control(r)
	case r.Err == nil:
		kind = metadata.TypeName(r.Frame.APIKey)
		v.metadata(r)
	}
	if v.snapshot && v.report.Footer && r.Control.Type != decode.SnapshotFooter {
		v.problem(ruleFooter, r.Batch.Position, r.Record.Offset, "there is a record behind the footer")
	}
	c := v.counts[kind]
	if c == nil {
		c = &TypeCount{Type: kind}
		v.counts[kind] = c
	}
	c.Records++
	c.Bytes += int64(len(r.Record.Key) + len(r.Record.Value))
	return nil
}

// batch checks that a snapshot's batches follow each other.
func (v *verifier) batch(b *decode.Batch) {
	if b.BaseOffset != v.next {
		v.problem(ruleOffsets, b.Position, b.BaseOffset, "the batch begins at offset "+strconv.FormatInt(b.BaseOffset, 10)+", expected "+strconv.FormatInt(v.next, 10))
	}
	v.next = b.NextOffset()
	if b.LeaderEpoch != v.epoch {
		v.problem(ruleEpoch, b.Position, b.BaseOffset, "the batch is of epoch "+strconv.Itoa(int(b.LeaderEpoch))+", expected "+strconv.Itoa(int(v.epoch)))
	}
}

func (v *verifier) control(r *Record) {
	if r.Err != nil || !v.snapshot {
		return
	}
	switch m := r.Control.Message.(type) {
	case *control.SnapshotHeaderRecord:
		if v.report.Header {
			v.problem(ruleHeader, r.Batch.Position, r.Record.Offset, "there is a second header")
		}
		v.report.Header, v.report.HeaderTime = true, m.LastContainedLogTimestamp
	case *control.SnapshotFooterRecord:
		v.report.Footer = true
	case *control.KRaftVersionRecord:
		v.kraft = m.KRaftVersion
	case *control.VotersRecord:
		if v.kraft < 1 {
			v.problem(ruleVoters, r.Batch.Position, r.Record.Offset, "there is a voter set, but kraft.version is 0")
		}
	}
}

func (v *verifier) metadata(r *Record) {
	v.data = true
	switch m := r.Frame.Message.(type) {
	case *metadata.FeatureLevelRecord:
		v.version = v.version || m.Name == feature.MetadataName
	case *metadata.BeginTransactionRecord, *metadata.EndTransactionRecord, *metadata.AbortTransactionRecord:
		if v.snapshot {
			v.problem(ruleTransaction, r.Batch.Position, r.Record.Offset, "a snapshot has no transactions, but there is "+m.MessageName())
		}
	}
}

// end completes the report; err is what ended reading. What the timeline has told
// already is not told again.
func (v *verifier) end(err error) {
	r := v.report
	var damage *corrupt.Error
	switch {
	case len(r.Problems) > 0 || err == nil:
	case errors.As(err, &damage):
		v.file = damage.File
		v.problem("batch-header", damage.Pos, -1, err.Error())
	case errors.Is(err, io.ErrUnexpectedEOF):
		v.problem("tail-torn", v.position, -1, "it ends in the middle of a batch")
	default:
		v.problem("file-unreadable", -1, -1, err.Error())
	}
	if v.snapshot && v.data && !v.version {
		v.problem(ruleVersion, -1, -1, "there are metadata records, but no metadata.version among them")
	}
	for _, c := range v.counts {
		r.Types = append(r.Types, *c)
	}
	slices.SortFunc(r.Types, func(a, b TypeCount) int {
		return cmp.Or(cmp.Compare(b.Bytes, a.Bytes), cmp.Compare(b.Records, a.Records), cmp.Compare(a.Type, b.Type))
	})
}
