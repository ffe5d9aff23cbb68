package fsck

import (
	"cmp"
	"errors"
	"slices"
	"strconv"

	"kraftctl/decode/corrupt"
)

// Finding is one thing that a rule has to say.
type Finding struct {
	Rule ID
	// File is the file or directory, as it follows from the path that was given.
	File string
	// Position is the byte in File, -1 where it has no meaning.
	Position int64
	// Offset is the offset in the partition, -1 where it has no meaning.
	Offset  int64
	Message string
	// Want is what a sound file has there, Got what was found; both may be empty.
	Want, Got string
	// More counts further findings of the rule in the same file that were left out.
	More int64
}

// Severity is that of the finding's rule.
func (f Finding) Severity() Severity { return rulesByID[f.Rule].Severity }

// Report is the outcome of a Check.
type Report struct {
	// Findings are sorted by file, position, offset and rule.
	Findings []Finding
	// Errors, Warnings and Infos count the findings of each severity, with those
	// that were left out.
	Errors, Warnings, Infos int64
	// Files and Bytes tell how much was looked at.
	Files, Bytes int64
}

// DefaultPerRule is how many findings of one rule are kept for one file.
const DefaultPerRule = 10

// sink gathers findings. Each task has its own.
type sink struct {
	limit int
	list  []Finding
	seen  map[ruleFile]ruleCount
}

type ruleFile struct {
	rule ID
	file string
}

// ruleCount is how often a rule was hit, and where its last finding is.
type ruleCount struct{ n, last int }

func newSink(limit int) *sink {
	if limit <= 0 {
		limit = DefaultPerRule
	}
	return &sink{limit: limit, seen: make(map[ruleFile]ruleCount)}
}

// add keeps a finding. A file that is damaged all over does not fill the memory
// with findings: behind the limit they are only counted.
func (s *sink) add(f Finding) { s.addLimited(f, s.limit) }

// once keeps the first finding of a rule in a file and counts the others. It
// is for what is the same everywhere in a file.
func (s *sink) once(f Finding) { s.addLimited(f, 1) }

func (s *sink) addLimited(f Finding, limit int) {
	key := ruleFile{f.Rule, f.File}
	c := s.seen[key]
	if c.n >= limit {
		s.list[c.last].More += 1 + f.More
		return
	}
	s.list = append(s.list, f)
	s.seen[key] = ruleCount{c.n + 1, len(s.list) - 1}
}

func (s *sink) addAll(list []Finding) {
	for _, f := range list {
		s.add(f)
	}
}

// alarming reports whether there is something to look at a second time.
func (s *sink) alarming() bool {
	return slices.ContainsFunc(s.list, func(f Finding) bool {
		return f.Severity() > Info || f.Rule == tailTornActive
	})
}

// keepSame drops the findings that other does not have.
func (s *sink) keepSame(other *sink) {
	type key struct {
		rule      ID
		file, got string
		pos, off  int64
	}
	k := func(f Finding) key { return key{f.Rule, f.File, f.Got, f.Position, f.Offset} }
	there := make(map[key]bool, len(other.list))
	for _, f := range other.list {
		there[k(f)] = true
	}
	list := s.list
	s.list, s.seen = nil, make(map[ruleFile]ruleCount)
	for _, f := range list {
		if there[k(f)] {
			s.add(f)
		}
	}
}

// count fills in the numbers of a report and sorts its findings.
func (r *Report) count() {
	slices.SortStableFunc(r.Findings, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Position, b.Position),
			cmp.Compare(a.Offset, b.Offset), cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Message, b.Message))
	})
	for _, f := range r.Findings {
		n := 1 + f.More
		switch f.Severity() {
		case Error:
			r.Errors += n
		case Warning:
			r.Warnings += n
		default:
			r.Infos += n
		}
	}
}

func itoa[T ~int | ~int8 | ~int16 | ~int32 | ~int64](n T) string {
	return strconv.FormatInt(int64(n), 10)
}

// damage turns an error of a parser into a finding.
func damage(rule ID, path string, err error) Finding {
	f := Finding{Rule: rule, File: path, Position: -1, Offset: -1, Message: err.Error()}
	var e *corrupt.Error
	if errors.As(err, &e) {
		f.Position, f.Message, f.Want, f.Got = e.Pos, e.What, e.Want, e.Got
		if e.Err != nil {
			f.Message += ": " + e.Err.Error()
		}
	}
	return f
}
