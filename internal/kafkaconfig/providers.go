package kafkaconfig

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"kraftctl/internal/props"
	"kraftctl/internal/vfs"
)

// Outside is what ${PROVIDER:PATH:KEY} in a value may refer to, through one of
// the providers that config.providers names: variables of the environment, keys
// of properties files, files of a directory. Where a part is nil, a value that
// needs it is an error.
type Outside struct {
	LookupEnv func(name string) (string, bool)
	FS        vfs.FS
	// RealPath makes a name absolute and free of symbolic links, and fails if
	// there is no such file. It is needed where allowed.paths limits what may be
	// read.
	RealPath func(name string) (string, error)
}

const (
	keyProviders   = "config.providers"
	providerPrefix = "config.providers."
	providerClass  = "org.apache.kafka.common.config.provider."

	// maxResolved bounds what the variables of one configuration may grow to,
	// and what is read of one file.
	maxResolved = 16 << 20
)

// provider is one of config.providers.
type provider struct {
	class   string // of Kafka's three, without the package
	allowed []string
	names   *regexp.Regexp // of the environment; nil: all
}

// variable is a ${...} of a value.
type variable struct{ provider, path, key string }

// request is what is wanted of one path of one provider.
type request struct {
	provider, path string
	setting        string // that asked for it first
	keys           []string
}

// resolve replaces the variables of all values. What a provider does not know
// stays as it is.
func (o Outside) resolve(list []props.Property) ([]props.Property, *Error) {
	providers, err := o.providers(list)
	if len(providers) == 0 || err != nil {
		return list, err
	}
	found := map[variable]string{}
	for _, r := range requests(list, providers) {
		values, err := o.fetch(providers[r.provider], r)
		if err != nil {
			return nil, err
		}
		for k, v := range values {
			found[variable{r.provider, r.path, k}] = v
		}
	}
	out, total := slices.Clone(list), 0
	for i, p := range out {
		text, ok := expand(p.Value, func(v variable) (string, bool) { s, ok := found[v]; return s, ok })
		if total += len(text); !ok || text != p.Value && total > maxResolved {
			return nil, configError(p.Key, "The values that "+keyProviders+" gives are too large")
		}
		out[i].Value = text
	}
	return out, nil
}

// requests collects what the values want of the providers, in the order in
// which Kafka's maps give it, which decides over the error.
func requests(list []props.Property, providers map[string]provider) []*request {
	type place struct{ provider, path string }
	all, seen := map[place]*request{}, map[variable]bool{}
	var names []string
	paths := map[string][]string{}
	for _, p := range list {
		expand(p.Value, func(v variable) (string, bool) {
			if _, ok := providers[v.provider]; !ok {
				return "", false
			}
			at := place{v.provider, v.path}
			if all[at] == nil {
				all[at] = &request{provider: v.provider, path: v.path, setting: p.Key}
				names, paths[v.provider] = append(names, v.provider), append(paths[v.provider], v.path)
			}
			if !seen[v] {
				seen[v] = true
				all[at].keys = append(all[at].keys, v.key)
			}
			return "", false
		})
	}
	var out []*request
	for _, name := range mapOrder(unique(names)) {
		for _, path := range mapOrder(paths[name]) {
			out = append(out, all[place{name, path}])
		}
	}
	return out
}

// expand replaces the variables of a text: ${, a name without }, a colon,
// perhaps a path and a colon, and a key up to the next }. It fails if the result
// is too large.
func expand(text string, lookup func(variable) (string, bool)) (out string, ok bool) {
	var b strings.Builder
	for {
		start := strings.Index(text, "${")
		if start < 0 {
			break
		}
		length := strings.IndexByte(text[start:], '}')
		if length < 0 {
			break
		}
		whole := text[start : start+length+1]
		name, rest, ok := strings.Cut(whole[2:length], ":")
		if !ok { // a later ${ before the same } has no colon either
			b.WriteString(text[:start+length+1])
			text = text[start+length+1:]
			continue
		}
		v := variable{provider: name, key: rest}
		if p, k, ok := strings.Cut(rest, ":"); ok {
			v.path, v.key = p, k
		}
		value, found := lookup(v)
		if !found {
			value = whole
		}
		if b.Len()+len(value) > maxResolved {
			return "", false
		}
		b.WriteString(text[:start])
		b.WriteString(value)
		text = text[start+length+1:]
	}
	b.WriteString(text)
	return b.String(), true
}

// providers reads config.providers, in the order of a map, which decides over
// the error. A name without a class is passed over.
func (o Outside) providers(list []props.Property) (map[string]provider, *Error) {
	names, ok := props.Get(list, keyProviders)
	if !ok || names == "" {
		return nil, nil
	}
	out := map[string]provider{}
	for _, name := range mapOrder(unique(strings.Split(names, ","))) {
		key := providerPrefix + name + ".class"
		class, ok := props.Get(list, key)
		if !ok {
			continue
		}
		if !knownClass(class) {
			return nil, badValue(key, class, "Could not load config provider class or one of its dependencies")
		}
		p := provider{class: strings.TrimPrefix(class, providerClass)}
		params := providerPrefix + name + ".param."
		var err *Error
		switch p.class {
		case "EnvVarConfigProvider":
			p.names, err = allowedNames(list, params+"allowlist.pattern")
		case "FileConfigProvider", "DirectoryConfigProvider":
			p.allowed, err = o.allowedPaths(list, params+"allowed.paths")
		case "ConfigProvider":
			return nil, failure(kafkaException, "Could not find a public no-argument constructor for "+class, key)
		default:
			return nil, failure("java.lang.ClassCastException", "class "+class, key)
		}
		if err != nil {
			return nil, err
		}
		out[name] = p
	}
	return out, nil
}

// allowedNames reads the pattern of variables that may be used. Go's patterns
// are nearly Java's; what Go cannot read is an error.
func allowedNames(list []props.Property, key string) (*regexp.Regexp, *Error) {
	text, ok := props.Get(list, key)
	if !ok {
		return nil, nil
	}
	re, err := regexp.Compile(`\A(?:` + text + `)\z`)
	if err != nil {
		e := failure("java.util.regex.PatternSyntaxException", err.Error(), key)
		e.Err = err
		return nil, e
	}
	return re, nil
}

// allowedPaths reads the paths below which files may be read; none: everywhere.
func (o Outside) allowedPaths(list []props.Property, key string) ([]string, *Error) {
	text, _ := props.Get(list, key)
	if text == "" {
		return nil, nil
	}
	if o.FS == nil || o.RealPath == nil {
		return nil, refused(key, "files")
	}
	var out []string
	for _, p := range strings.Split(text, ",") {
		if strings.Contains(p, nul) {
			return nil, invalidPath(key, p)
		}
		clean := path.Clean(p)
		if !path.IsAbs(p) {
			return nil, configError(key, "Path "+clean+" is not absolute")
		}
		real, err := o.RealPath(clean)
		if err != nil {
			return nil, configError(key, "Path "+clean+" does not exist")
		}
		out = append(out, real)
	}
	return out, nil
}

const nul = "\x00"

func invalidPath(key, name string) *Error {
	return failure("java.nio.file.InvalidPathException", "Nul character not allowed: "+name, key)
}

// refused is what a variable gives where its kind cannot be looked up.
func refused(key, what string) *Error {
	return configError(key, "Values from "+what+" through "+keyProviders+" cannot be used here")
}
