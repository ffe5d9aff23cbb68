package kafkaconfig

import (
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"kraftctl/internal/props"
	"kraftctl/internal/vfs"
)

// fetch asks a provider for the values of the keys of a path.
func (o Outside) fetch(p provider, r *request) (map[string]string, *Error) {
	if p.class == "EnvVarConfigProvider" {
		return o.fromEnvironment(p, r)
	}
	if r.path == "" {
		return nil, nil
	}
	if strings.Contains(r.path, nul) {
		return nil, invalidPath(r.setting, r.path)
	}
	if o.FS == nil {
		return nil, refused(r.setting, "files")
	}
	real, ok := o.allow(p, r.path)
	switch {
	case !ok:
		return nil, nil
	case p.class == "FileConfigProvider":
		return o.fromProperties(r)
	}
	return o.fromDirectory(r, real)
}

// allow gives the name of a file or directory that allowed.paths has nothing
// against: without links if there are such limits.
func (o Outside) allow(p provider, name string) (string, bool) {
	if p.allowed == nil {
		return name, true
	}
	real, err := o.RealPath(name)
	if err != nil {
		return "", false
	}
	return real, slices.ContainsFunc(p.allowed, func(a string) bool { return a == real || a == "/" || strings.HasPrefix(real, a+"/") })
}

// fromEnvironment looks variables of the environment up.
func (o Outside) fromEnvironment(p provider, r *request) (map[string]string, *Error) {
	if r.path != "" {
		return nil, configError(r.setting, "Path is not supported for EnvVarConfigProvider, invalid value '"+r.path+"'")
	}
	out := map[string]string{}
	for _, k := range r.keys {
		if p.names != nil && !p.names.MatchString(k) {
			continue
		}
		if o.LookupEnv == nil {
			return nil, refused(r.setting, "the environment")
		}
		if s, ok := o.LookupEnv(k); ok {
			out[k] = s
		}
	}
	return out, nil
}

// fromProperties reads keys of a properties file.
func (o Outside) fromProperties(r *request) (map[string]string, *Error) {
	text, err := o.read(r.path)
	if err != nil {
		e := configError(r.setting, "Could not read properties from file "+r.path)
		e.Err = err
		return nil, e
	}
	list, err := props.Read(text, props.UTF8)
	if err != nil {
		e := illegal(r.setting, malformedEscape)
		e.Err = err
		return nil, e
	}
	out := map[string]string{}
	for _, p := range list {
		out[p.Key] = p.Value
	}
	return out, nil
}

// fromDirectory reads files of a directory.
func (o Outside) fromDirectory(r *request, dir string) (map[string]string, *Error) {
	out := map[string]string{}
	for _, k := range r.keys {
		if k == "" || k == "." || k == ".." || strings.ContainsAny(k, "/"+nul) {
			continue
		}
		file := dir + "/" + k
		for strings.Contains(file, "//") {
			file = strings.ReplaceAll(file, "//", "/")
		}
		if info, err := o.FS.Stat(file); err != nil || !info.Mode().IsRegular() {
			continue
		}
		text, err := o.read(file)
		if err != nil {
			e := configError(r.setting, "Could not read file "+file+" for property "+k)
			e.Err = err
			return nil, e
		}
		out[k] = string(text)
	}
	return out, nil
}

var errNotUTF8 = errors.New("the file is not UTF-8")

// read reads a file of UTF-8, of whatever kind, as Kafka does.
func (o Outside) read(name string) ([]byte, error) {
	text, err := vfs.ReadInput(o.FS, name, maxResolved)
	if err == nil && !utf8.Valid(text) {
		err = errNotUTF8
	}
	return text, err
}
