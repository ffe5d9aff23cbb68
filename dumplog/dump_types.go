package dumplog

import (
	"slices"
	"strconv"
	"strings"

	"kraftctl/decode"
	"kraftctl/decode/coordinator"
	"kraftctl/decode/metadata"
	"kraftctl/decode/remotelog"
)

// Types of records that nothing decodes, as a Summary names them.
const (
	typeData      = "data"
	typeTombstone = "tombstone"
	typeUnknown   = "UNKNOWN"
)

// RecordTypes gives the names of all record types, sorted: of metadata,
// coordinator, remote log and control records, and those that a Summary uses
// for what has no type. UNKNOWN stands for all numbers without a name.
func RecordTypes() []string {
	names := []string{typeData, typeTombstone, typeUnknown, unreadableType}
	for _, id := range metadata.Keys() {
		names = append(names, metadata.TypeName(id))
	}
	for _, id := range remotelog.Keys() {
		names = append(names, remotelog.TypeName(id))
	}
	for _, g := range []coordinator.Registry{coordinator.Group, coordinator.Transaction, coordinator.Share} {
		for _, id := range g.Types() {
			names = append(names, g.Name(id))
		}
	}
	for t := decode.Abort; t <= decode.KRaftVoters; t++ {
		names = append(names, t.String())
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// CheckType reports whether there is a record type of this name; letter case and
// underscores do not matter, and UNKNOWN(99) is a type as well. If there is none
// it gives the names that are close.
func CheckType(name string) (ok bool, near []string) {
	key := typeKey(name)
	if number, found := strings.CutPrefix(key, typeUnknown+"("); found {
		if number, found = strings.CutSuffix(number, ")"); found {
			_, err := strconv.ParseInt(number, 10, 16)
			return err == nil, []string{typeUnknown}
		}
	}
	for _, t := range RecordTypes() {
		other := typeKey(t)
		switch {
		case other == key:
			return true, nil
		case len(key) >= 3 && strings.Contains(other, key), distance(key, other) <= max(2, len(key)/4):
			near = append(near, t)
		}
	}
	return false, near
}

// typeKey makes names of types equal that mean the same: LeaderChange, as the
// text output has it, is LEADER_CHANGE.
func typeKey(name string) string { return strings.ReplaceAll(strings.ToUpper(name), "_", "") }

// ofType reports whether a record's type is one of those that are wanted.
func (f *filter) ofType(name string, tombstone bool) bool {
	key := typeKey(name)
	for _, w := range f.wanted {
		switch {
		case w == key,
			w == typeUnknown && strings.HasPrefix(key, typeUnknown+"("),
			tombstone && w == "TOMBSTONE": // also of a type that is known
			return true
		}
	}
	return false
}

// distance is how many letters must be changed, added or removed to make b of a.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, diagonal+1, row[j]+1)
		}
	}
	return row[len(b)]
}
