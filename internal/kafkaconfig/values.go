package kafkaconfig

import (
	"slices"
	"strings"
)

// nothing is the value of keys that 4.4.0 does not know.
var nothing = value{null: true}

// get finds the value of a key.
func (c *Config) get(key string) *value {
	if i, ok := byName()[key]; ok && i < len(c.values) {
		return &c.values[i]
	}
	return &nothing
}

func (c *Config) text(key string) string { return c.get(key).text }

// typed finds the value of a key that has a value of one of the types.
func (c *Config) typed(key string, types ...Type) (*value, bool) {
	i, ok := byName()[key]
	if !ok || !definitions[i].Releases.Current() || !slices.Contains(types, definitions[i].Type) {
		return &nothing, false
	}
	v := &c.values[i]
	return v, !v.null
}

// Int is the value of an INT, SHORT or LONG; ok is false if it is null, or if
// the key has another type or is none of 4.4.0's. So it is with all getters.
func (c *Config) Int(key string) (n int64, ok bool) {
	v, ok := c.typed(key, Int, Short, Long)
	return v.num, ok
}

// Float is the value of a DOUBLE.
func (c *Config) Float(key string) (f float64, ok bool) {
	v, ok := c.typed(key, Double)
	return v.frac, ok
}

// Bool is the value of a BOOLEAN.
func (c *Config) Bool(key string) (yes, ok bool) {
	v, ok := c.typed(key, Boolean)
	return v.yes, ok
}

// Text is the value of a STRING or CLASS.
func (c *Config) Text(key string) (s string, ok bool) {
	v, ok := c.typed(key, String, Class)
	return v.text, ok
}

// List is the value of a LIST.
func (c *Config) List(key string) (list []string, ok bool) {
	v, ok := c.typed(key, List)
	return slices.Clone(v.list), ok
}

// Password is the value of a PASSWORD.
func (c *Config) Password(key string) (s Secret, ok bool) {
	v, ok := c.typed(key, Password)
	return Secret{v.text}, ok
}

// Given reports whether a key of 4.4.0 was set, or its synonym was.
func (c *Config) Given(key string) bool { return c.get(key).given }

// Show is the value of any key of 4.4.0 as Kafka prints it: passwords hidden,
// null as such.
func (c *Config) Show(key string) string {
	i, ok := byName()[key]
	if !ok || i >= len(c.values) {
		return ""
	}
	return c.values[i].javaText(definitions[i].Type)
}

// Secret is a password. Every way of printing hides it.
type Secret struct{ text string }

// Reveal gives the password itself.
func (s Secret) Reveal() string { return s.text }

// String is what Kafka prints.
func (Secret) String() string { return hidden }

// GoString hides the password from %#v.
func (Secret) GoString() string { return hidden }

// MarshalText hides the password from encoders.
func (Secret) MarshalText() ([]byte, error) { return []byte(hidden), nil }

// pluginPrefixes start keys that go to plugins.
var pluginPrefixes = []string{"config.providers.", "rsm.config.", "rlmm.config."}

// pluginKeys are those that Kafka's own plugins read: the authorizer.
var pluginKeys = []string{"super.users", "allow.everyone.if.no.acl.found"}

// sortUnknown fills Unknown and Obsolete.
func (c *Config) sortUnknown() {
	prefixes := append(slices.Clone(pluginPrefixes),
		c.text("remote.log.storage.manager.impl.prefix"), c.text("remote.log.metadata.manager.impl.prefix"))
	for _, p := range c.pairs {
		d, ok := Lookup(p.Key)
		switch {
		case ok && d.Releases.Current():
		case ok:
			c.Obsolete = append(c.Obsolete, p.Key)
		case slices.ContainsFunc(prefixes, func(s string) bool { return s != "" && strings.HasPrefix(p.Key, s) }):
		case listenerKey(p.Key), slices.Contains(pluginKeys, p.Key):
		default:
			c.Unknown = append(c.Unknown, p.Key)
		}
	}
}

// listenerKey reports whether a key is a known one for one listener, or for one
// mechanism of it: listener.name.NAME.KEY, listener.name.NAME.MECHANISM.KEY.
func listenerKey(key string) bool {
	rest, ok := strings.CutPrefix(key, "listener.name.")
	for ok {
		if _, rest, ok = strings.Cut(rest, "."); ok {
			if _, known := Lookup(rest); known {
				return true
			}
		}
	}
	return false
}
