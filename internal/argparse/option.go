package argparse

import (
	"slices"
	"strings"
	"unicode/utf8"

	"kraftctl/internal/javatext"
)

// option reads an argument that looks like an option, and the value of it.
func (r *reading) option(arg string) error {
	i, value, hasValue, err := r.findOption(arg)
	if err != nil {
		return err
	}
	if i >= 0 {
		return r.apply(i, value, hasValue)
	}
	if !strings.HasPrefix(arg, "--") {
		return r.cluster(arg)
	}
	return r.unknown(arg)
}

// findOption looks for an option by its whole name, then by the name before
// an equals sign, then by the beginning of its name. The index is -1 if there
// is none.
func (r *reading) findOption(arg string) (i int, value string, hasValue bool, err error) {
	if i := r.byName(arg); i >= 0 {
		return i, "", false, nil
	}
	name, value, hasValue := strings.Cut(arg, "=")
	if hasValue {
		if i := r.byName(name); i >= 0 {
			return i, value, true, nil
		}
	}
	i = -1
	var found []string
	for k := range r.level.options {
		for _, n := range r.level.options[k].Names {
			if strings.HasPrefix(n, name) {
				found = append(found, n)
				i = k
			}
		}
	}
	if len(found) > 1 {
		slices.SortFunc(found, javatext.Compare)
		return -1, "", false, r.fail(r.level, "ambiguous option: "+name+" could match "+strings.Join(found, ", "), "")
	}
	return i, value, hasValue, nil
}

// byName is the index of an option by its whole name, or -1.
func (r *reading) byName(name string) int {
	for i := range r.level.options {
		if slices.Contains(r.level.options[i].Names, name) {
			return i
		}
	}
	return -1
}

// cluster reads "-abc": short options without a value one after the other, the
// last of which may have a value, here or as the next argument.
func (r *reading) cluster(arg string) error {
	rest := arg[1:]
	for rest != "" {
		_, n := utf8.DecodeRuneInString(rest)
		i := r.byName("-" + rest[:n])
		if i < 0 {
			return r.unknown(arg)
		}
		rest = rest[n:]
		if k := r.level.options[i].Kind; k == Store || k == Append {
			return r.apply(i, rest, rest != "")
		}
		if err := r.choose(&r.level.options[i]); err != nil {
			return err
		}
		if err := r.set(i, ""); err != nil {
			return err
		}
	}
	r.args.skip()
	return nil
}

// apply gives an option its value: the one it came with, or the next argument.
// The argument of the option itself is still the current one.
func (r *reading) apply(i int, value string, hasValue bool) error {
	o := &r.level.options[i]
	if err := r.choose(o); err != nil {
		return err
	}
	if o.Kind == StoreTrue || o.Kind == help {
		if hasValue {
			return r.fail(r.level, "argument "+o.label()+": ignore implicit argument '"+value+"'", "")
		}
		if err := r.set(i, ""); err != nil {
			return err
		}
		r.args.skip()
		return nil
	}
	r.args.skip()
	if !hasValue {
		next, ok, err := r.current(r.level)
		if err != nil {
			return err
		}
		if !ok || next == "--" || isOption(next) {
			return r.fail(r.level, "argument "+o.label()+": expected one argument", "")
		}
		value = next
		r.args.skip()
	}
	if o.Integer {
		if err := r.integer(o.label(), value); err != nil {
			return err
		}
	}
	return r.set(i, value)
}

// choose refuses an option if another one of its group was given. That comes
// before any look at values.
func (r *reading) choose(o *Option) error {
	g := o.Group - 1
	if g < 0 || g >= len(r.chosen) {
		return nil
	}
	if first := r.chosen[g]; first != nil && first != o {
		return r.fail(r.level, "argument "+o.label()+": not allowed with argument "+first.label(), "")
	}
	r.chosen[g] = o
	return nil
}

// set notes that an option was given.
func (r *reading) set(i int, value string) error {
	o := &r.level.options[i]
	r.seen[i] = true
	dest := o.dest()
	switch o.Kind {
	case help:
		return &HelpRequested{Text: r.level.help(r.columns), Command: r.level.name}
	case StoreTrue:
		r.result.flags[dest] = true
	case Store:
		r.result.values[dest] = []string{value}
	case Append:
		r.result.values[dest] = append(r.result.values[dest], value)
	}
	return nil
}

// unknown refuses an option and names those that are similar. Words of one
// letter are compared with nothing.
func (r *reading) unknown(arg string) error {
	message := "unrecognized arguments: '" + arg + "'" + r.args.hint()
	word := strings.TrimLeft(arg, "-")
	if javatext.Len(word) < 2 {
		return r.fail(r.level, message, "")
	}
	var known []string
	for i := range r.level.options {
		for _, n := range r.level.options[i].Names {
			if k, long := strings.CutPrefix(n, "--"); long && javatext.Len(k) > 1 {
				known = append(known, k)
			}
		}
	}
	return r.fail(r.level, message, suggest(word, known, "--"))
}
