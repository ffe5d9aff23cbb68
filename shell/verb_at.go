package shell

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	"kraftctl/internal/timeline"
	"kraftctl/shell/imagetree"
)

var atVerb = &verb{
	name: "at", usage: "at [OFFSET|TIME|-DURATION|latest]", short: "Go to another offset of the log: all of the tree moves there.", most: 1,
	long: `An OFFSET is that of the last record that counts. A TIME is 2026-11-29T12:30:00Z, a
date or a time of the day (UTC); a -DURATION, as in -90m, counts back from the end.
Without an argument it tells where the tree is.`,
	run: func(ctx context.Context, c *call) error {
		if len(c.args) > 0 {
			at, err := c.resolve(ctx, c.args[0])
			if err == nil {
				err = c.moveTo(ctx, at)
			}
			var out *timeline.OutOfReachError
			if errors.As(err, &out) {
				c.missing = true
				c.complain("at", err)
				return nil
			}
			if err != nil {
				return err
			}
		}
		return c.print(c.where() + "\n")
	},
}

// where tells what is shown, in one line.
func (s *Shell) where() string {
	p := s.state.Image.Provenance()
	text := "offset " + strconv.FormatInt(s.state.Offset(), 10)
	if p.Epoch >= 0 {
		text += ", epoch " + strconv.Itoa(int(p.Epoch))
	}
	if s.state.Time >= 0 {
		text += ", " + imagetree.Time(s.state.Time)
	}
	switch {
	case s.at == timeline.Latest:
		text += " (the end)"
	case s.at > s.state.Offset():
		text += " (the end; offset " + strconv.FormatInt(s.at, 10) + " is not there yet)"
	}
	return text
}

// resolve reads an offset or a time.
func (s *Shell) resolve(ctx context.Context, text string) (int64, error) {
	return ResolveAt(ctx, s.source, text)
}

// ResolveAt reads what --at and the command at take: an offset, a time, a duration
// back from the end, or latest. The error is a *UsageError for what is none of
// them.
func ResolveAt(ctx context.Context, t *timeline.Timeline, text string) (int64, error) {
	if text == "latest" {
		return timeline.Latest, nil
	}
	if n, err := strconv.ParseInt(text, 10, 64); err == nil && n >= 0 {
		return n, nil
	}
	ms, ok := absoluteTime(text)
	if !ok { // it may depend on the end of the log, which has to be read for it
		last, err := t.LastTime(ctx)
		if err != nil {
			return 0, err
		}
		ms, ok = parseTime(text, last)
	}
	if !ok {
		return 0, usagef(text, ": it is no offset, no time and not latest")
	}
	return t.OffsetAt(ctx, ms)
}

// parseTime reads a time, in milliseconds. What is left out is taken from the time
// at the end of the log.
func parseTime(text string, last int64) (int64, bool) {
	end := time.UnixMilli(last).UTC()
	if back, ok := strings.CutPrefix(text, "-"); ok {
		d, err := time.ParseDuration(back)
		return end.Add(-d).UnixMilli(), err == nil && back[0] != '-' && back[0] != '+'
	}
	if ms, ok := absoluteTime(text); ok {
		return ms, true
	}
	for _, layout := range []string{"15:04:05.999", "15:04"} {
		if t, err := time.Parse(layout, text); err == nil {
			day := end.Truncate(24 * time.Hour)
			return day.Add(t.Sub(t.Truncate(24 * time.Hour))).UnixMilli(), true
		}
	}
	return 0, false
}

// absoluteTime reads a time with its day.
func absoluteTime(text string) (ms int64, ok bool) {
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05.999", "2006-01-02 15:04:05.999", "2006-01-02T15:04", "2006-01-02 15:04", "2006-01-02"} {
		if t, err := time.Parse(layout, text); err == nil {
			return t.UnixMilli(), true
		}
	}
	return 0, false
}

var offsetsVerb = &verb{
	name: "offsets", stateless: true, usage: "offsets", short: "List the offsets that can be reached, and the snapshots.",
	run: func(_ context.Context, c *call) error {
		var rows [][]string
		for _, r := range c.source.Reach() {
			last, how := strconv.FormatInt(r.Last, 10), "every offset"
			if r.Last == timeline.Latest {
				last = "the end"
			}
			if !r.Exact {
				how = "this one only, by a snapshot"
			}
			rows = append(rows, []string{strconv.FormatInt(r.First, 10), last, how})
		}
		if len(rows) == 0 {
			return c.print("This is a single file: the shell shows the end of it. A directory has more.\n")
		}
		if err := c.rows([]string{"FROM", "TO", "REACHED"}, rows, []bool{true, true}); err != nil {
			return err
		}
		rows = nil
		for _, s := range c.source.Snapshots() {
			rows = append(rows, []string{strconv.FormatInt(s.EndOffset-1, 10), strconv.Itoa(int(s.Epoch)), strconv.FormatInt(s.Bytes, 10), c.clean(s.Name)})
		}
		if len(rows) == 0 {
			return nil
		}
		if err := c.print("\n"); err != nil {
			return err
		}
		return c.rows([]string{"LAST OFFSET", "EPOCH", "BYTES", "SNAPSHOT"}, rows, []bool{true, true, true})
	},
}

var problemsVerb = &verb{
	name: "problems", usage: "problems", short: "Tell what keeps the metadata from being complete or certain.",
	run: func(_ context.Context, c *call) error {
		for _, p := range c.state.Problems {
			if err := c.print(c.clean(p.String()) + "\n"); err != nil {
				return err
			}
		}
		if n := c.state.More; n > 0 {
			return c.print("and " + strconv.Itoa(n) + " more\n")
		}
		if len(c.state.Problems) == 0 {
			return c.print("There are none.\n")
		}
		return nil
	},
}
