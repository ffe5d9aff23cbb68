package cli

import (
	"fmt"
	"strings"

	"kraftctl/dumplog"
)

// joptArgument says whether an option of Kafka's dump tool takes an argument.
type joptArgument uint8

const (
	joptNone joptArgument = iota
	joptOptional
	joptRequired
)

// joptOption is an option of a tool that parses with jopt-simple.
type joptOption struct {
	name  string
	arg   joptArgument
	value string // default
}

// joptSet are the options of one command line.
type joptSet struct {
	options []joptOption
	seen    map[string]bool
	values  map[string][]string
}

func (s *joptSet) has(name string) bool { return s.seen[name] }

// value gives an option's argument or default. More than one is an error only
// once somebody asks, as in Kafka's tool.
func (s *joptSet) value(name string) (string, error) {
	values := s.values[name]
	switch len(values) {
	case 0:
		for _, o := range s.options {
			if o.name == name {
				return o.value, nil
			}
		}
		return "", nil
	case 1:
		return values[0], nil
	}
	return "", &dumplog.Exception{Class: "joptsimple.MultipleArgumentsForOptionException",
		Message: "Found multiple arguments for option " + name + ", but you asked for only one"}
}

func (s *joptSet) integer(name string) (int32, error) {
	text, err := s.value(name)
	if err != nil {
		return 0, err
	}
	v, ok := parseInteger(text)
	if !ok {
		return 0, &dumplog.Exception{Class: "joptsimple.OptionArgumentConversionException",
			Message: fmt.Sprintf("Cannot parse argument '%s' of option %s", text, name)}
	}
	return v, nil
}

// parseJopt parses like jopt-simple without abbreviations: long options with
// one or two dashes, a value after "=" or in the next argument; a required one
// is taken whatever it looks like, an optional one only if it is no option.
// Flags ignore a value. Other arguments are ignored, as by Kafka's tool.
func parseJopt(options []joptOption, args []string) (*joptSet, error) {
	set := &joptSet{options: options, seen: map[string]bool{}, values: map[string][]string{}}
	find := func(name string) *joptOption {
		for i := range options {
			if options[i].name == name {
				return &options[i]
			}
		}
		return nil
	}
	looksLikeOption := func(s string) bool { return len(s) > 1 && s[0] == '-' && s != "--" }
	for i := 0; i < len(args); i++ {
		arg := args[i]
		if arg == "--" {
			break
		}
		if !looksLikeOption(arg) {
			continue
		}
		name, value, hasValue := strings.Cut(strings.TrimPrefix(arg[1:], "-"), "=")
		option := find(name)
		if option == nil {
			return nil, unrecognized(arg, name)
		}
		set.seen[name] = true
		switch {
		case option.arg == joptNone:
		case hasValue:
			set.values[name] = append(set.values[name], value)
		case option.arg == joptRequired:
			if i+1 >= len(args) {
				return nil, &dumplog.Exception{Class: "joptsimple.OptionMissingRequiredArgumentException",
					Message: "Option " + name + " requires an argument"}
			}
			i++
			set.values[name] = append(set.values[name], args[i])
		case i+1 < len(args) && !looksLikeOption(args[i+1]) && args[i+1] != "--":
			i++
			set.values[name] = append(set.values[name], args[i])
		}
	}
	return set, nil
}

// unrecognized names an unknown option: a single dash means a cluster of
// letters, of which the first is the unknown one.
func unrecognized(arg, name string) error {
	if !strings.HasPrefix(arg, "--") {
		for _, letter := range name {
			name = string(letter)
			break
		}
	}
	return &dumplog.Exception{Class: "joptsimple.UnrecognizedOptionException", Message: name + " is not a recognized option"}
}
