package kafkaconfig

import (
	"errors"
	"io/fs"
	"path"
	"strings"
	"testing"

	"kraftctl/internal/vfs"
)

const threeProviders = "config.providers=env,file,dir\n" +
	"config.providers.env.class=org.apache.kafka.common.config.provider.EnvVarConfigProvider\n" +
	"config.providers.file.class=org.apache.kafka.common.config.provider.FileConfigProvider\n" +
	"config.providers.dir.class=org.apache.kafka.common.config.provider.DirectoryConfigProvider\n"

func outside(t *testing.T) Outside {
	t.Helper()
	m := vfs.NewMem()
	for name, text := range map[string]string{"/c/values": "a=A\\u00e9\xc3\xa9\nb = B\na=A2\n", "/c/bad": "a=\\u1", "/c/latin1": "a=\xe9", "/c/dir/f": "one\n", "/c/dir/latin1": "\xff"} {
		if err := m.MkdirAll(path.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		f, err := m.Create(name, 0o600)
		if err == nil {
			_, err = f.Write([]byte(text))
		}
		if err := errors.Join(err, f.Close()); err != nil {
			t.Fatal(err)
		}
	}
	return Outside{
		FS: m,
		LookupEnv: func(name string) (string, bool) {
			v, ok := map[string]string{"X": "x1", "EMPTY": ""}[name]
			return v, ok
		},
		RealPath: func(name string) (string, error) {
			if !path.IsAbs(name) {
				name = "/c/" + name
			}
			name = path.Clean(name)
			if _, err := m.Stat(name); err != nil {
				return "", fs.ErrNotExist
			}
			return name, nil
		},
	}
}

func TestProviders(t *testing.T) {
	const config = "org.apache.kafka.common.config.ConfigException: "
	tests := []struct{ value, more, want string }{
		{"${env:X}", "", "x1"},
		{"${env::X}${env:NOPE}", "", "x1${env:NOPE}"},
		{"a${env:EMPTY}b", "", "ab"},
		{"${env:p:X}", "", config + "Path is not supported for EnvVarConfigProvider, invalid value 'p'"},
		{"${env:X}", "config.providers.env.param.allowlist.pattern=Y.*", "${env:X}"},
		{"${env:X}", "config.providers.env.param.allowlist.pattern=X|Y", "x1"},
		{"${file:/c/values:a}, ${file:/c/values:b}", "", "A2, B"},
		{"${file:/c/values:nope}${file:a}", "", "${file:/c/values:nope}${file:a}"},
		{"${file:/c/nope:a}", "", config + "Could not read properties from file /c/nope"},
		{"${file:/c/dir:a}", "", config + "Could not read properties from file /c/dir"},
		{"${file:/c/latin1:a}", "", config + "Could not read properties from file /c/latin1"},
		{"${file:/c/bad:a}", "", `java.lang.IllegalArgumentException: Malformed \uxxxx encoding.`},
		{`${file:\u0000:a}`, "", "java.nio.file.InvalidPathException: Nul character not allowed: \x00"},
		{"${dir:/c/dir:f}", "", "one"}, // trimmed as every value is
		{"${dir:/c/dir/:f}${dir:/c:dir}${dir:/c/dir:../values}", "", "one\n${dir:/c:dir}${dir:/c/dir:../values}"},
		{"${dir:/c//dir:latin1}", "", config + "Could not read file /c/dir/latin1 for property latin1"},
		{"${dir:/c/dir:f}", "config.providers.dir.param.allowed.paths=/c/values", "${dir:/c/dir:f}"},
		{"${dir:dir:f}", "config.providers.dir.param.allowed.paths=/c/values,/c/dir/", "one"},
		{"x", "config.providers.dir.param.allowed.paths=rel", config + "Path rel is not absolute"},
		{"x", "config.providers.dir.param.allowed.paths=/x/", config + "Path /x does not exist"},
		{"${x} ${env:X} ${", "", "${x} x1 ${"},
		{"${${env:X}}", "", "${${env:X}}"},
		{"$${env:X}", "", "$x1"},
	}
	for _, c := range tests {
		got := ""
		cfg, err := outside(t).Load([]byte(controller+threeProviders+"metadata.log.dir="+c.value+"\n"+c.more), nil)
		if err == nil {
			got, _ = cfg.Text("metadata.log.dir")
		} else {
			got = answer(err)
		}
		if got != c.want {
			t.Errorf("%s %s\nwant %s\n got %s", c.value, c.more, c.want, got)
		}
	}
}

// Without an Outside, what would have to be looked up is refused, and nothing else.
func TestProvidersRefused(t *testing.T) {
	for _, value := range []string{"${env:X}", "${file:/c/values:a}", "${dir:/c/dir:f}"} {
		_, err := Load([]byte(controller+threeProviders+"my.key="+value), nil)
		if err == nil || !strings.Contains(err.Error(), "cannot be used here") {
			t.Errorf("%s: %v", value, err)
		}
	}
	c := load(t, controller+threeProviders+"metadata.log.dir=${other:x}\n")
	if c.MetadataLogDir != "${other:x}" {
		t.Error(c.MetadataLogDir)
	}
}

// Values cannot be blown up beyond measure.
func TestProvidersAreBounded(t *testing.T) {
	o := outside(t)
	large := strings.Repeat("x", 1<<20)
	o.LookupEnv = func(string) (string, bool) { return large, true }
	for _, text := range []string{"my.key=" + strings.Repeat("${env:X}", 100), "a=${env:X}\nb=${env:X}\nc=" + strings.Repeat("${env:X}", 15)} {
		if _, err := o.Load([]byte(controller+threeProviders+text), nil); err == nil || !strings.Contains(err.Error(), "too large") {
			t.Errorf("%.40s: %v", text, err)
		}
	}
}
