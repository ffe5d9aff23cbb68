package cli

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kraftctl/format"
	"kraftctl/internal/feature"
	"kraftctl/internal/javaerr"
	"kraftctl/internal/kafkaconfig"
	"kraftctl/internal/props"
	"kraftctl/internal/term"
	"kraftctl/internal/vfs"
)

// newStorage is the group of the commands about a node's storage.
func newStorage(e *Env) *cobra.Command {
	c := &cobra.Command{
		Use:   "storage",
		Short: "Format a node's log directories, look into them, check them",
		Long: `Format a node's log directories, look into them, and tell whether Kafka will
start on them. For scripts that know kafka-storage there is "kraftctl
kafka-storage", which takes its options and prints its output byte for byte.`,
	}
	c.AddCommand(newStorageFormat(e), newStorageInfo(e), newStorageCheck(e), newStorageRandomUUID(e), newStorageVersionMapping(e), newStorageFeatureDependencies(e), newStorageTemplate(e))
	return c
}

// nodeConfig are the flags that name a node's configuration.
type nodeConfig struct {
	file string
	set  []string
}

func (n *nodeConfig) addFlags(f *pflag.FlagSet) {
	f.StringVarP(&n.file, "config", "c", "", "the node's configuration, a server.properties")
	f.StringArrayVar(&n.set, "set", nil, "KEY=VALUE in place of or over the configuration file; may be repeated")
}

// load reads the configuration as Kafka would.
func (n *nodeConfig) load(e *Env) (*kafkaconfig.Config, error) {
	if n.file == "" && len(n.set) == 0 {
		return nil, term.Usagef("which node? Name its configuration with --config FILE, or give settings with --set KEY=VALUE")
	}
	text, overrides, err := n.read(e)
	if err != nil {
		return nil, err
	}
	c, err := e.outside().Load(text, overrides)
	if err != nil {
		return nil, n.explain(err)
	}
	return c, nil
}

// read gives the text of the configuration file and the settings over it.
func (n *nodeConfig) read(e *Env) (text []byte, overrides []props.Property, err error) {
	for _, setting := range n.set {
		key, value, ok := strings.Cut(setting, "=")
		if key = strings.TrimSpace(key); !ok || key == "" {
			return nil, nil, term.Usagef("--set %s: it is KEY=VALUE", maskSetting(setting))
		}
		overrides = append(overrides, props.Property{Key: key, Value: strings.TrimSpace(value)})
	}
	if n.file != "" {
		text, err = vfs.ReadInput(e.FS, n.file, maxConfigFile)
	}
	return text, overrides, err
}

// maskSetting shows a setting that has no key, which may be half of a secret.
func maskSetting(setting string) string {
	if key, _, ok := strings.Cut(setting, "="); ok {
		return key + "=..."
	}
	return "..."
}

// configError is an error of a configuration with the name of its file.
type configError struct {
	text string
	err  error
}

func (e *configError) Error() string { return e.text }

func (e *configError) Unwrap() error { return e.err }

// explain puts an error about a configuration with the file, the key and the value.
func (n *nodeConfig) explain(err error) error {
	where := n.file
	if where == "" {
		where = "--set"
	}
	var syntax *props.SyntaxError
	if errors.As(err, &syntax) {
		return &term.Error{Code: term.Unreadable, Err: fmt.Errorf("%s: %w", where, err), Path: n.file, Offset: syntax.Pos}
	}
	var bad *kafkaconfig.Error
	if !errors.As(err, &bad) {
		return err
	}
	text := strings.TrimPrefix(bad.Error(), "requirement failed: ")
	if bad.Key != "" && !strings.Contains(text, bad.Key) {
		text = bad.Key + ": " + text
	}
	if bad.Value != "" && !strings.Contains(text, bad.Value) {
		text += " (the value is " + bad.Value + ")"
	}
	return &term.Error{Code: term.Unreadable, Err: &configError{where + ": " + text, bad}, Path: n.file, Offset: -1,
		Hint: "Kafka does not start with this configuration either."}
}

// targetFlag adds the flag that says which release a node is of.
func targetFlag(f *pflag.FlagSet, target *string, usage string) {
	names := make([]string, len(feature.Releases))
	for i, r := range feature.Releases {
		names[i] = r.Name
	}
	f.StringVar(target, "target", feature.LatestRelease().Name, usage+": "+strings.Join(names, ", "))
}

// release reads a --target. A patch level may stand behind it.
func release(target string) (*feature.Release, error) {
	name := target
	if parts := strings.Split(target, "."); len(parts) == 3 {
		if _, err := strconv.ParseUint(parts[2], 10, 16); err == nil {
			name = parts[0] + "." + parts[1]
		}
	}
	if r := feature.ByReleaseName(name); r != nil {
		return r, nil
	}
	return nil, term.Usagef("--target %s: it is a release from %s to %s", target, feature.Releases[0].Name, feature.LatestRelease().Name)
}

// asUsage makes an error about what was asked for one of wrong usage.
func asUsage(err error) error {
	if err == nil {
		return nil
	}
	return &term.Error{Code: term.Usage, Err: plain(err), Offset: -1}
}

// plain is an exception of Kafka's without its class.
func plain(err error) error {
	var e *javaerr.Exception
	if !errors.As(err, &e) {
		return err
	}
	text := e.Message
	for errors.As(e.Err, &e) {
		text += " " + e.Message
	}
	return errors.New(text)
}

// newStorageRandomUUID prints ids.
func newStorageRandomUUID(e *Env) *cobra.Command {
	var count int
	c := &cobra.Command{
		Use:   "random-uuid",
		Short: "Print a random id for a cluster or a directory",
		Example: `  kraftctl storage random-uuid
  CLUSTER_ID=$(kraftctl storage random-uuid)`,
		Args: noArguments,
		RunE: func(*cobra.Command, []string) error {
			if count < 1 {
				return term.Usagef("--count %d: it is at least 1", count)
			}
			for range count {
				if err := randomUUID(e); err != nil {
					return err
				}
			}
			return nil
		},
	}
	c.Flags().IntVarP(&count, "count", "n", 1, "how many")
	return c
}

// refusedHint says what can be done about a directory that is not formatted as asked.
func refusedHint(err error) error {
	var (
		already  *format.FormattedError
		unusable *format.UnusableError
		write    *format.WriteError
	)
	switch {
	case errors.As(err, &unusable):
		return &term.Error{Code: term.Refused, Err: err, Path: unusable.Dir, Offset: -1, Hint: capital(unusable.Remedy) + "."}
	case errors.As(err, &write) && (errors.Is(err, format.ErrBusy) || errors.As(err, &already)):
		return &term.Error{Code: term.Refused, Err: err, Path: write.Dir, Offset: -1,
			Hint: "Another process formats the same directories. See what it has done with: kraftctl storage info"}
	case errors.As(err, &already):
		return &term.Error{Code: term.Refused, Err: fmt.Errorf("%s is formatted already", already.Dir), Path: already.Dir, Offset: -1,
			Hint: "Use --if-needed to format what is not formatted yet and verify the rest, as containers do."}
	case errors.As(err, &write):
		return &term.Error{Code: term.Unreadable, Err: err, Path: write.Dir, Offset: -1}
	}
	var known *term.Error
	if errors.As(err, &known) {
		return err
	}
	return &term.Error{Code: term.Refused, Err: plain(err), Offset: -1,
		Hint: "Nothing was written. Give the id that the directories have, or other directories: kraftctl storage info shows what is in them."}
}

// capital begins a sentence.
func capital(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
