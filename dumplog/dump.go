package dumplog

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"kraftctl/decode"
	"kraftctl/decode/corrupt"
	"kraftctl/decode/index"
	"kraftctl/decode/jsonw"
	"kraftctl/internal/vfs"
)

// Dump reads the inputs and prints what they hold to out, and what is wrong
// with them to errOut. Damage and unreadable files do not end it: they are
// findings, and the next batch or file is read. The error is one of writing, an
// *OptionError for options that cannot be meant, or that of the context when it
// ended before everything was shown. Following ends with the context and
// without an error.
func Dump(ctx context.Context, fsys vfs.FS, out, errOut io.Writer, o Options) (Result, error) {
	if o.Filter == nil {
		all := NewFilter()
		o.Filter = &all
	}
	d := &dump{ctx: ctx, fs: fsys, out: out, errOut: errOut, o: o}
	err := d.run()
	if o.Follow && ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		err = nil
	}
	return d.result, err
}

func (d *dump) run() error {
	inputs := d.inputs()
	if err := d.check(inputs); err != nil {
		return err
	}
	if d.o.Filter.Topic != "" {
		if err := d.learnTopic(inputs); err != nil {
			return err
		}
	}
	d.total(inputs)
	for i, in := range inputs {
		if err := d.ctx.Err(); err != nil {
			return err
		}
		show := d.input
		if d.o.Follow && i == len(inputs)-1 {
			show = d.follow
		}
		if err := show(in); err != nil {
			return err
		}
	}
	d.topicNote()
	return d.endGroup()
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
	// searched are the directories that were searched for ids of the topic.
	searched []string
	table    tableState

	// group is the directory whose segments are being dumped, and what is
	// carried from one segment to the next.
	group   string
	last    int64 // offset of the last record, -1 before the first
	end     int64 // last offset of its batch
	summary *Summary

	// Of the current file.
	sparse int64          // steps between offsets that are normal after compaction
	listed map[Rule]int64 // findings of the rules that are listed up to maxPerFile
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
func (d *dump) input(in input) error {
	f, err := d.begin(in)
	if f == nil {
		return err
	}
	defer f.Close()
	if isSegment(in.name.Kind) {
		err = d.segment(f)
	} else {
		err = d.entries(f)
	}
	d.endFile(in.path)
	return err
}

// begin opens a file and shows its title. Without a file and an error there is
// nothing to show.
func (d *dump) begin(in input) (*opened, error) {
	if err := d.startGroup(in); err != nil {
		return nil, err
	}
	f, err := d.open(in)
	if err != nil {
		if in.grouped && notExist(err) {
			return nil, nil // a running node has deleted the segment since
		}
		if d.ctx.Err() != nil {
			return nil, d.ctx.Err() // while it waited for the first bytes of a stream
		}
		d.unreadable(in.path, err)
		return nil, nil
	}
	d.result.Files++
	if err := d.title(in); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
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
	d.group = group
	d.forgetOffsets()
	if d.o.Summary != nil {
		d.summary = &Summary{File: group}
	}
	return nil
}

// forgetOffsets is for where what comes next does not continue what came before.
func (d *dump) forgetOffsets() { d.last, d.end = -1, -1 }

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

// segment dumps a segment or snapshot.
func (d *dump) segment(f *opened) error {
	run, err := d.segmentRun(f)
	if err != nil {
		return err
	}
	scan := f.scanner(decode.ScanOptions{End: d.o.MaxBytes, Resync: d.o.Resync})
	_, err = d.scan(run, scan, f, true)
	return err
}

// scan runs over a stretch of a file. final says that nothing more is expected
// behind it, so that what is left over is a finding. more says that there may
// be: the stretch did not end in damage.
func (d *dump) scan(run *segmentRun, scan *decode.Scanner, f *opened, final bool) (more bool, err error) {
	err = run.run(scan)
	d.result.Batches += run.batches
	d.result.Records += run.records
	run.batches, run.records = 0, 0
	d.last, d.end = run.last, run.end
	cut := f.cut(d.o.MaxBytes)
	if cut && final {
		d.forgetOffsets() // of the next segment
	}
	switch {
	case errors.Is(err, errWrite):
		return false, err
	case err != nil && d.ctx.Err() != nil && errors.Is(err, d.ctx.Err()):
		return false, err
	case err != nil:
		return d.stopped(f, scan, err, final)
	case final && scan.Tail() > 0 && !cut:
		d.find(Finding{File: f.path, Rule: RuleTail, Pos: scan.Position(), Offset: -1, Got: scan.Tail()})
		if d.o.Output == OutputText && d.o.Summary == nil {
			return false, d.print("Found " + itoa(scan.Tail()) + " invalid bytes at the end of " + filepath.Base(f.path) + "\n")
		}
	}
	return true, nil
}

// stopped reports what ended the reading of a file before its end. Zeros up to
// the end are space that was reserved (log.preallocate), or what a crash left of
// a write that did not reach the disk: only the latter is worth a word, and
// while the file is written to the two cannot be told apart.
func (d *dump) stopped(f *opened, scan *decode.Scanner, err error, final bool) (more bool, _ error) {
	var fault *decode.Fault
	if errors.As(err, &fault) && fault.Kind == decode.FaultSizeTooSmall && fault.Got == 0 {
		switch {
		case d.onlyZeros(f, scan.Position()):
			if final {
				d.find(Finding{File: f.path, Rule: RuleZeros, Pos: scan.Position(), Offset: -1, Got: f.size - scan.Position()})
			}
			return true, nil
		case d.ctx.Err() != nil:
			return false, d.ctx.Err() // not all was looked at
		case !final && !f.sizeIsZero(scan.Position()):
			return true, nil // a batch was written there just now
		}
	}
	if !d.o.Resync && !d.o.Follow && f.at != nil && corrupt.Is(err) {
		err = fmt.Errorf("%w (--resync goes on behind it)", err)
	}
	d.find(Finding{File: f.path, Rule: RuleDamage, Pos: scan.Position(), Offset: -1, Err: err})
	d.result.Unreadable++
	return false, nil
}

// sizeIsZero looks at the size of the batch at a position.
func (o *opened) sizeIsZero(pos int64) bool {
	var head [decode.LogOverhead]byte
	_, err := o.at.ReadAt(head[:], pos)
	return err != nil || [4]byte(head[8:]) == [4]byte{}
}

// onlyZeros reports whether nothing but zeros follows.
func (d *dump) onlyZeros(f *opened, pos int64) bool {
	if f.at == nil {
		return false
	}
	end := f.size
	if f.zeroEnd >= end { // they were looked at before: the first ones will do
		end = min(end, pos+zerosAgain)
	}
	if zeros, err := decode.OnlyZeros(d.ctx, f.at, pos, end); err != nil || !zeros {
		return false
	}
	f.zeroEnd = f.size
	return true
}

// zerosAgain is how many bytes of an end in zeros are looked at each time.
const zerosAgain = 64 << 10

// segmentRun prepares the dump of a segment in the output that was asked for.
func (d *dump) segmentRun(f *opened) (*segmentRun, error) {
	decoder := d.decoder(f.input)
	run := &segmentRun{
		ctx: d.ctx,
		out: d.out, last: d.last, end: d.end, started: f.grouped && d.last >= 0, lenient: true,
		deep:            d.deep(),
		progress:        d.o.Progress,
		maxDecompressed: d.o.MaxDecompressed,
		workers:         d.o.Workers,
		damaged: func(found Finding) bool {
			found.File = f.path
			d.find(found)
			return true
		},
		gapFound: func(g gap) { d.gap(f.input, g) },
	}
	if d.topic != nil && f.input.stream != nil {
		// The ids of the topic are learned on the way, so batch by batch.
		run.workers, d.topic.learning = 1, true
	} else if d.topic != nil {
		d.topic.learning = false
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

// gap tells of offsets that do not follow each other. Where batches cover the
// offsets in between, records were removed by compaction, which is normal in
// all logs but the metadata log: that is never compacted.
func (d *dump) gap(in input, g gap) {
	if g.sparse && d.decoder(in) != DecodeMetadata {
		d.sparse++
		return
	}
	d.list(Finding{File: in.path, Rule: RuleGap, Pos: -1, Offset: g.next, Want: g.last, Got: g.next})
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

// maxPerFile is how many findings of a rule that list prints for one file.
const maxPerFile = 1000

// list is find for what there may be millions of in one file.
func (d *dump) list(f Finding) {
	if d.listed == nil {
		d.listed = map[Rule]int64{}
	}
	if d.listed[f.Rule]++; d.listed[f.Rule] <= maxPerFile {
		d.find(f)
	}
}

const normalGap = "normal after compaction or aborted transactions' cleanup"

// endFile tells what was only counted in a file.
func (d *dump) endFile(path string) {
	for _, rule := range []Rule{RuleGap, RuleIndex} {
		if more := d.listed[rule] - maxPerFile; more > 0 {
			d.find(Finding{File: path, Rule: rule, Pos: -1, Offset: -1, Err: fmt.Errorf("%d more of the kind %s", more, rule)})
		}
	}
	switch {
	case d.sparse == 1:
		d.note(path, "1 gap in offsets ("+normalGap+")")
	case d.sparse > 1:
		d.note(path, itoa(d.sparse)+" gaps in offsets ("+normalGap+")")
	}
	d.listed, d.sparse = nil, 0
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

// note tells something where errors go that is no finding. path may be empty.
func (d *dump) note(path, text string) {
	if d.o.JSONErrors {
		line := append([]byte(nil), `{"kind":"note","file":`...)
		line = append(jsonw.AppendString(line, path), `,"message":`...)
		line = append(jsonw.AppendString(line, text), "}\n"...)
		_, _ = d.errOut.Write(line)
		return
	}
	if path != "" {
		text = path + ": " + text
	}
	_, _ = io.WriteString(d.errOut, "note: "+text+"\n")
}

// unreadable reports a file that cannot be read.
func (d *dump) unreadable(path string, err error) {
	d.result.Unreadable++
	d.find(Finding{File: path, Rule: RuleUnread, Pos: -1, Offset: -1, Err: err})
}
