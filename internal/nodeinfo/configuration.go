package nodeinfo

import (
	"strings"

	"kraftctl/internal/kafkaconfig"
)

// maxSuggestions bounds for how many unknown keys a similar one is searched.
const maxSuggestions = 20

// checkConfig reports what is wrong with the configuration.
func (c *collector) checkConfig() {
	if c.o.ConfigErr != nil {
		c.add(configInvalid, c.o.ConfigFile, "%s", c.o.ConfigErr)
	}
	if !c.known {
		return
	}
	if r := c.config.Roles; !r.Broker && !r.Controller {
		c.add(configRolesMissing, c.o.ConfigFile, "process.roles is not set")
	}
	c.unknownKeys()
	c.otherKeys()
}

// unknownKeys reports the keys that no release knows.
func (c *collector) unknownKeys() {
	var foreign names
	var all []kafkaconfig.Definition
	for i, key := range c.config.Unknown {
		if i < maxSuggestions {
			if all == nil {
				all = kafkaconfig.Definitions()
			}
			if near := nearest(key, all); near != "" {
				c.add(configKeyUnknown, c.o.ConfigFile, "no release of Kafka knows the key %s: did you mean %s?", quoteName(key), near)
				continue
			}
		}
		foreign.add(key)
	}
	if foreign.n > 0 {
		c.add(configKeyForeign, c.o.ConfigFile, "no release of Kafka knows %s", foreign.String())
	}
}

// otherKeys reports the keys that the target does not know but other releases do.
func (c *collector) otherKeys() {
	var zookeeper, other names
	for _, p := range c.config.Pairs() {
		d, ok := kafkaconfig.Lookup(p.Key)
		switch {
		case strings.HasPrefix(p.Key, "zookeeper."):
			zookeeper.add(p.Key)
		case ok && !knows(c.target.Name, d.Releases):
			other.add(p.Key + " (" + strings.Join(d.Releases.Names(), ", ") + ")")
		}
	}
	if zookeeper.n > 0 {
		c.add(configZooKeeper, c.o.ConfigFile, "keys for ZooKeeper: %s", zookeeper.String())
	}
	if other.n > 0 {
		c.add(configKeyOther, c.o.ConfigFile, "Kafka %s does not know %s", c.target.Name, other.String())
	}
}

// knows reports whether a release ("4.0") knows a key, as far as the table of
// keys goes: it has some releases only. Between two of them a key counts as known
// if one of them knows it.
func knows(target string, releases kafkaconfig.Releases) bool {
	names := kafkaconfig.ReleaseNames()
	before, after := -1, len(names) // the neighbours of target, or target twice
	for i, n := range names {
		short := n[:strings.LastIndexByte(n, '.')]
		if short <= target {
			before = i
		}
		if short >= target && i < after {
			after = i
		}
	}
	has := func(i int) bool { return i >= 0 && i < len(names) && releases&(1<<i) != 0 }
	return has(before) || has(after)
}

// nearest gives the key that a wrong one was probably meant to be, "" if none is
// near.
func nearest(key string, all []kafkaconfig.Definition) string {
	const longest = 120 // no key of Kafka's is longer
	if len(key) > longest {
		return ""
	}
	limit := min(3, len(key)/4)
	best, found := limit+1, ""
	for _, d := range all {
		if d.Internal || abs(len(d.Name)-len(key)) >= best {
			continue
		}
		if n := distance(key, d.Name); n < best {
			best, found = n, d.Name
		}
	}
	return found
}

func abs(n int) int { return max(n, -n) }

// distance is the number of letters to insert, delete, replace or exchange with
// their neighbour to get from a to b.
func distance(a, b string) int {
	rows := [3][]int{make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)}
	for j := range rows[1] {
		rows[1][j] = j
	}
	for i := 1; i <= len(a); i++ {
		before, last, row := rows[0], rows[1], rows[2]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			change := 1
			if a[i-1] == b[j-1] {
				change = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+change)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		rows = [3][]int{last, row, before}
	}
	return rows[1][len(b)]
}
