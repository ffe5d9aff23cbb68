package fsck

import "fmt"

// Severity says how much a rule matters.
type Severity uint8

// The severities, from the least to the most.
const (
	// Info needs nobody.
	Info Severity = iota
	// Warning should be looked at: a sound node does not leave this behind.
	Warning
	// Error is damage.
	Error
)

var severityNames = [...]string{Info: "info", Warning: "warning", Error: "error"}

// String names the severity in lower case.
func (s Severity) String() string {
	if int(s) < len(severityNames) {
		return severityNames[s]
	}
	return fmt.Sprintf("severity %d", uint8(s))
}

// ParseSeverity is the opposite of String.
func ParseSeverity(name string) (Severity, bool) {
	for s, n := range severityNames {
		if n == name {
			return Severity(s), true
		}
	}
	return 0, false
}

// ID names a rule: lower case words with dashes. It never changes its meaning
// between releases, so that scripts can rely on it.
type ID string

// Rule is an entry of the catalogue.
type Rule struct {
	ID       ID
	Severity Severity
	// Title says in a few words what was found.
	Title string
	// Meaning says what follows from it.
	Meaning string
	// Action says what to do.
	Action string
}

// Catalogue gives all rules, grouped by what they look at.
func Catalogue() []Rule {
	var all []Rule
	for _, group := range [][]Rule{
		logRules, recordRules, partitionRules, indexRules, producerRules, epochRules,
		metadataRules, directoryRules, generalRules,
	} {
		all = append(all, group...)
	}
	return all
}

var rulesByID = func() map[ID]Rule {
	m := make(map[ID]Rule)
	for _, r := range Catalogue() {
		m[r.ID] = r
	}
	return m
}()

// Lookup gives the rule of an ID.
func Lookup(id ID) (Rule, bool) {
	r, ok := rulesByID[id]
	return r, ok
}
