package dumplog

import (
	"cmp"
	"strconv"
	"time"
)

// Section is a part of a summary as a table, for whoever draws tables.
type Section struct {
	Title  string
	Header []string
	Rows   [][]string
	Right  []bool // which columns hold numbers
}

// Sections gives the summary as tables; those without rows are left out. The
// first has the file's or directory's name for its title.
func (s *Summary) Sections() []Section {
	n := func(v int64) string { return strconv.FormatInt(v, 10) }
	count := func(total int64, more bool) string {
		if more {
			return "at least " + n(total)
		}
		return n(total)
	}
	records := n(s.Records)
	if !s.RecordsRead {
		records += " declared"
	}
	fileBytes := "unknown"
	if s.FileBytes != nil {
		fileBytes = n(*s.FileBytes)
	}
	overview := Section{Title: cmp.Or(s.File, "Overview"), Header: []string{"Figure", "Value"}, Right: []bool{false, true}, Rows: [][]string{
		{"Offsets", rangeText(s.FirstOffset, s.LastOffset, n)},
		{"Timestamps", rangeText(s.FirstTimestamp, s.LastTimestamp, timeText)},
		{"Files", n(int64(s.Files))},
		{"Bytes", fileBytes},
		{"Bytes in batches", n(s.Bytes)},
		{"Batches", n(s.Batches)},
		{"Data batches", n(s.DataBatches)},
		{"Control batches", n(s.ControlBatches)},
		{"Empty batches", n(s.EmptyBatches)},
		{"Invalid batches", n(s.InvalidBatches)},
		{"Records", records},
		{"Producers", count(s.ProducerCount, s.MoreProducers)},
		{"Committed transactions", n(s.Committed)},
		{"Aborted transactions", n(s.Aborted)},
		{"Open transactions", count(s.OpenCount, s.MoreOpen)},
		{"Leader epochs", count(s.EpochCount, s.MoreEpochs)},
	}}
	types := Section{Title: "Record types", Header: []string{"Type", "Records", "Tombstones", "Bytes"}, Right: []bool{false, true, true, true}}
	for _, t := range s.Types {
		types.Rows = append(types.Rows, []string{t.Type, n(t.Records), n(t.Tombstones), n(t.Bytes)})
	}
	codecs := Section{Title: "Compression", Header: []string{"Codec", "Batches", "Compressed bytes", "Raw bytes", "Ratio"},
		Right: []bool{false, true, true, true, true}}
	for i := range s.Codecs {
		c := &s.Codecs[i]
		raw, ratio := "", ""
		if c.RawBytes >= 0 {
			raw = n(c.RawBytes)
		}
		if r := c.Ratio(); r > 0 {
			ratio = strconv.FormatFloat(r, 'f', 2, 64)
		}
		codecs.Rows = append(codecs.Rows, []string{c.Codec, n(c.Batches), n(c.CompressedBytes), raw, ratio})
	}
	epochs := Section{Title: "Leader epochs", Header: []string{"Epoch", "First offset"}, Right: []bool{true, true}}
	for _, e := range s.LeaderEpochs {
		epochs.Rows = append(epochs.Rows, []string{n(int64(e.Epoch)), n(e.FirstOffset)})
	}
	open := Section{Title: "Open transactions", Header: []string{"Producer id", "Epoch", "First offset"}, Right: []bool{true, true, true}}
	for _, t := range s.OpenTransactions {
		open.Rows = append(open.Rows, []string{n(t.ProducerID), n(int64(t.ProducerEpoch)), n(t.FirstOffset)})
	}
	var out []Section
	for _, section := range []Section{overview, types, codecs, epochs, s.producerSection(), open} {
		if len(section.Rows) > 0 {
			out = append(out, section)
		}
	}
	return out
}

func (s *Summary) producerSection() Section {
	n := func(v int64) string { return strconv.FormatInt(v, 10) }
	out := Section{Title: "Producers",
		Header: []string{"Producer id", "Epoch", "Batches", "Records", "First sequence", "Last sequence", "Transactional"},
		Right:  []bool{true, true, true, true, true, true, false}}
	for i := range s.Producers {
		p := &s.Producers[i]
		transactional := "no"
		if p.Transactional {
			transactional = "yes"
		}
		out.Rows = append(out.Rows, []string{n(p.ProducerID), n(int64(p.ProducerEpoch)), n(p.Batches), n(p.Records),
			n(int64(p.FirstSequence)), n(int64(p.LastSequence)), transactional})
	}
	if s.OtherBatches > 0 {
		out.Rows = append(out.Rows, []string{"others", "", n(s.OtherBatches), n(s.OtherRecords), "", "", ""})
	}
	return out
}

func rangeText(low, high int64, text func(int64) string) string {
	if low == -1 && high == -1 {
		return "none"
	}
	return text(low) + " to " + text(high)
}

// timeText is a time in milliseconds since the epoch as a person reads it, in UTC.
func timeText(ms int64) string {
	return string(appendTime(nil, ms))
}

// maxYear9999 is the last millisecond whose date has a four-digit year.
const maxYear9999 = 253402300799999

// appendTime appends a time in UTC with milliseconds, always 24 characters
// long, or the plain number where no date can be made of it.
func appendTime(dst []byte, ms int64) []byte {
	if ms < 0 || ms > maxYear9999 {
		return strconv.AppendInt(dst, ms, 10)
	}
	return time.UnixMilli(ms).UTC().AppendFormat(dst, "2006-01-02T15:04:05.000Z")
}
