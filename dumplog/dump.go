package dumplog

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"kraftctl/decode"
	"kraftctl/decode/index"
	"kraftctl/internal/vfs"
)

// Dump reads the inputs and prints what they hold to out, and what is wrong
// with them to errOut. Damage and unreadable files do not end it: they are
// findings, and the next batch or file is read. The error is one of writing, or
// of options that cannot be meant.
func Dump(ctx context.Context, fsys vfs.FS, out, errOut io.Writer, o Options) (Result, error) {
	if o.Filter == nil {
		all := NewFilter()
		o.Filter = &all
	}
	d := &dump{ctx: ctx, fs: fsys, out: out, errOut: errOut, o: o}
	inputs := d.inputs()
	if o.Filter.Topic != "" {
		d.learnTopic(inputs)
	}
	d.total(inputs)
	for i, in := range inputs {
		if ctx.Err() != nil {
			return d.result, nil
		}
		follow := o.Follow && i == len(inputs)-1
		if err := d.input(in, follow); err != nil {
			return d.result, err
		}
	}
	return d.result, d.endGroup()
}

// dump is one run over some inputs.
type dump struct {
	ctx    context.Context
	fs     vfs.FS
	out    io.Writer
	errOut io.Writer
	o      Options
	result Result
	topic  *topicSet
	table  tableState

	// group is the directory whose segments are being dumped, and what is
	// carried from one segment to the next.
	group   string
	last    int64 // offset of the last record, -1 before the first
	summary *Summary
}

// inputs lists all files. One that cannot be found is told of at once.
func (d *dump) inputs() []input {
	var all []input
	for _, path := range d.o.Inputs {
		found, err := d.resolve(path)
		if err != nil {
			d.unreadable(path, err)
			continue
		}
		all = append(all, found...)
	}
	return all
}

// total tells how many bytes there are to read.
func (d *dump) total(inputs []input) {
	if d.o.Total == nil {
		return
	}
	var bytes int64
	for _, in := range inputs {
		if info, err := d.fs.Stat(in.path); err == nil && in.stream == nil {
			bytes += info.Size()
		}
	}
	d.o.Total(bytes)
}

// learnTopic finds the ids of the topic that the filter asks for. Segments of a
// directory are looked through from the first one on, whichever were named.
func (d *dump) learnTopic(inputs []input) {
	d.topic = newTopicSet(d.o.Filter.Topic)
	for _, in := range inputs {
		if in.stream != nil || d.decoder(in) != DecodeMetadata || !isSegment(in.name.Kind) {
			continue
		}
		o, err := d.open(in)
		if err != nil {
			continue // the dump itself reports it
		}
		_ = d.topic.learn(o.scanner(decode.ScanOptions{})) // likewise
		o.Close()
	}
}

func isSegment(k index.Kind) bool {
	return k == index.KindLog || k == index.KindSnapshot || k == index.KindBootstrap
}

// decoder is how an input's keys and values are decoded.
func (d *dump) decoder(in input) Decoder {
	if d.o.Decoder != DecodeNothing {
		return d.o.Decoder
	}
	return decoderFor(in)
}

// input dumps one file.
func (d *dump) input(in input, follow bool) error {
	if err := d.startGroup(in); err != nil {
		return err
	}
	f, err := d.open(in)
	if err != nil {
		if in.grouped && notExist(err) {
			return nil // a running node has deleted the segment since
		}
		d.unreadable(in.path, err)
		return nil
	}
	defer f.Close()
	d.result.Files++
	if err := d.title(in); err != nil {
		return err
	}
	if isSegment(in.name.Kind) {
		return d.segment(f, follow)
	}
	return d.entries(f)
}

// startGroup ends the group before when the input does not belong to it.
func (d *dump) startGroup(in input) error {
	group := in.path
	if in.grouped {
		group = filepath.Dir(in.path)
	}
	if group == d.group {
		return nil
	}
	if err := d.endGroup(); err != nil {
		return err
	}
	d.group, d.last = group, -1
	if d.o.Summary != nil {
		d.summary = &Summary{File: group}
	}
	return nil
}

func (d *dump) endGroup() error {
	s := d.summary
	d.summary = nil
	if s == nil || s.Files == 0 {
		return nil
	}
	return d.o.Summary(s)
}

// title prints the lines that come before a file's content in text output.
func (d *dump) title(in input) error {
	if d.o.Summary != nil || d.o.Output == OutputJSON {
		return nil
	}
	text := "Dumping " + in.path + "\n"
	switch in.name.Kind {
	case index.KindLog:
		if in.name.Offset >= 0 && in.stream == nil {
			text += "Log starting offset: " + itoa(in.name.Offset) + "\n"
		}
	case index.KindBootstrap:
		text += "KRaft bootstrap snapshot\n"
	case index.KindSnapshot:
		if in.name.Offset >= 0 {
			text += "Snapshot end offset: " + itoa(in.name.Offset) + ", epoch: " + itoa(int64(in.name.Epoch)) + "\n"
		}
	}
	if d.o.Output == OutputTable && isSegment(in.name.Kind) {
		text += string(d.table.segment(nil, d.deep()))
	}
	return d.print(text)
}

// deep reports whether records are looked at.
func (d *dump) deep() bool {
	return d.o.Deep || d.o.Contents || d.o.Filter.byRecord() || d.o.Summary != nil
}

// segment dumps a segment or snapshot, and follows it if asked to.
func (d *dump) segment(f *opened, follow bool) error {
	run, err := d.segmentRun(f)
	if err != nil {
		return err
	}
	scan := f.scanner(decode.ScanOptions{End: d.o.MaxBytes, Resync: d.o.Resync && f.at != nil})
	if err := d.scan(run, scan, f, !follow); err != nil {
		return err
	}
	if follow {
		return d.follow(run, f, scan.Position())
	}
	return nil
}

// scan runs over a stretch of a file. final says that nothing more is expected
// behind it, so that what is left over is a finding.
func (d *dump) scan(run *segmentRun, scan *decode.Scanner, f *opened, final bool) error {
	err := run.run(scan)
	d.result.Batches += run.batches
	d.result.Records += run.records
	run.batches, run.records = 0, 0
	for _, g := range run.gaps {
		d.find(Finding{File: f.path, Rule: RuleGap, Pos: -1, Offset: g.next, Want: g.last, Got: g.next})
	}
	run.gaps = run.gaps[:0]
	d.last = run.last
	switch {
	case errors.Is(err, errWrite):
		return err
	case err != nil:
		d.stopped(f, scan, err)
	case final && scan.Tail() > 0 && d.o.MaxBytes == 0:
		d.find(Finding{File: f.path, Rule: RuleTail, Pos: scan.Position(), Offset: -1, Got: scan.Tail()})
		if d.o.Output == OutputText && d.o.Summary == nil {
			return d.print("Found " + itoa(scan.Tail()) + " invalid bytes at the end of " + filepath.Base(f.path) + "\n")
		}
	}
	return nil
}

// stopped reports what ended the reading of a file before its end.
func (d *dump) stopped(f *opened, scan *decode.Scanner, err error) {
	var fault *decode.Fault
	if errors.As(err, &fault) && fault.Kind == decode.FaultSizeTooSmall && fault.Got == 0 && f.onlyZeros(scan.Position()) {
		d.find(Finding{File: f.path, Rule: RuleZeros, Pos: scan.Position(), Offset: -1, Got: f.size - scan.Position()})
		return
	}
	if !d.o.Resync && f.at != nil {
		err = fmt.Errorf("%w (--resync goes on behind it)", err)
	}
	d.find(Finding{File: f.path, Rule: RuleDamage, Pos: scan.Position(), Offset: -1, Err: err})
	d.result.Unreadable++
}

// onlyZeros reports whether nothing but zeros follows: space that was reserved,
// or what a crash left of a write that did not reach the disk.
func (o *opened) onlyZeros(pos int64) bool {
	if o.at == nil {
		return false
	}
	buf := make([]byte, 64<<10)
	for pos < o.size {
		n, err := o.at.ReadAt(buf[:min(int64(len(buf)), o.size-pos)], pos)
		for _, b := range buf[:n] {
			if b != 0 {
				return false
			}
		}
		if pos += int64(n); err != nil || n == 0 {
			break
		}
	}
	return pos >= o.size
}

// segmentRun prepares the dump of a segment in the output that was asked for.
func (d *dump) segmentRun(f *opened) (*segmentRun, error) {
	decoder := d.decoder(f.input)
	run := &segmentRun{
		out: d.out, last: d.last, started: f.grouped && d.last >= 0, lenient: true,
		deep:            d.deep(),
		progress:        d.o.Progress,
		maxDecompressed: d.o.MaxDecompressed,
		workers:         d.o.Workers,
		damaged: func(found Finding) bool {
			found.File = f.path
			d.find(found)
			return true
		},
	}
	if !d.o.Filter.all() {
		run.filter = func() *filter { return newFilter(d.o.Filter, decoder, d.topic) }
	}
	if d.o.Summary != nil {
		d.summary.addFile(f.size)
		run.formatter = func() (formatter, error) { return newSummaryCollector(decoder), nil }
		run.gathered = func(c formatter) { d.summary.take(c.(*summaryCollector)) }
		return run, nil
	}
	run.formatter = func() (formatter, error) { return d.formatter(f.input, decoder) }
	_, err := run.formatter()
	return run, err
}

// formatter makes the formatter of one worker.
func (d *dump) formatter(in input, decoder Decoder) (formatter, error) {
	// Whatever decoder was chosen, what lies in the metadata log can be secret.
	secrets := decoderFor(in) == DecodeMetadata && !d.o.ShowSecrets
	shown := decoder
	if secrets {
		shown = DecodeMetadata
	}
	switch d.o.Output {
	case OutputJSON:
		return newJSONFormatter(jsonOptions{file: in.path, decoder: shown, showSecrets: d.o.ShowSecrets}), nil
	case OutputHex:
		return newHexFormatter(hexOptions{file: in.path, decoder: shown, fold: d.o.Fold, showSecrets: d.o.ShowSecrets,
			maxDecompressed: d.o.MaxDecompressed}), nil
	case OutputTable:
		return newTableFormatter(&d.table, shown, d.o.ShowSecrets), nil
	}
	f := &textFormatter{skipMetadata: d.o.SkipMetadata, palette: d.o.Palette}
	if !d.o.Contents {
		return f, nil
	}
	var err error
	f.printer, err = newPrinter(decoder, d.o.KeyDecoder, d.o.ValueDecoder, true)
	if err == nil && !d.o.ShowSecrets {
		f.printer = newMaskingPrinter(f.printer, secrets)
	}
	return f, err
}

func (d *dump) print(text string) error {
	_, err := io.WriteString(d.out, text)
	return err
}

// find reports a finding: among the output where that is JSON, and else where
// errors go.
func (d *dump) find(f Finding) {
	d.result.Findings++
	if d.o.Output == OutputJSON && d.o.Summary == nil {
		_, _ = d.out.Write(append(appendFindingJSON(nil, f), '\n')) // a broken pipe shows in the next batch
		return
	}
	if d.o.JSONErrors {
		_, _ = d.errOut.Write(append(appendFindingJSON(nil, f), '\n'))
		return
	}
	_, _ = io.WriteString(d.errOut, f.String()+"\n")
}

// unreadable reports a file that cannot be read.
func (d *dump) unreadable(path string, err error) {
	d.result.Unreadable++
	d.find(Finding{File: path, Rule: RuleUnread, Pos: -1, Offset: -1, Err: err})
}
