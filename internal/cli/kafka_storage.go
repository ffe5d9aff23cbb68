package cli

import (
	"crypto/rand"
	"errors"
	"time"

	"kraftctl/format"
	"kraftctl/internal/argparse"
	"kraftctl/internal/feature"
	"kraftctl/internal/javaerr"
	"kraftctl/internal/kafkaconfig"
	"kraftctl/internal/term"
	"kraftctl/internal/vfs"
)

// maxConfigFile bounds what is read of a configuration file, in bytes.
const maxConfigFile = 64 << 20

// runKafkaStorage is kafka-storage 4.4.0: its options, output and exit codes.
func runKafkaStorage(e *Env, args []string) term.Code {
	k := &kafkaStorage{e}
	set, err := kafkaStorageParser().Parse(args, k.argumentFile, helpColumns(e))
	if err == nil {
		err = k.run(set)
	}
	return k.end(err)
}

type kafkaStorage struct{ *Env }

// helpColumns is the width of help and errors.
func helpColumns(e *Env) int {
	if e.Streams.Columns != nil {
		return argparse.Columns(*e.Streams.Columns, true, 0)
	}
	width := 0
	if e.Streams.TTYWidth != nil {
		width = e.Streams.TTYWidth()
	}
	return argparse.Columns("", false, width)
}

// errProblems ends a command whose output tells what is wrong.
var errProblems = errors.New("problems were found")

// end reports how the command ended, as Kafka's tool does.
func (k *kafkaStorage) end(err error) term.Code {
	var (
		help    *argparse.HelpRequested
		usage   *argparse.UsageError
		crash   *argparse.CrashError
		refused *format.RefusedError
		already *format.FormattedError
		write   *format.WriteError
	)
	switch {
	case err == nil:
		return term.OK
	case errors.As(err, &help):
		say(k.Streams.Out, help.Text)
		return term.OK
	case errors.Is(err, errProblems):
	case errors.As(err, &usage):
		say(k.Streams.Err, usage.Text)
	case errors.As(err, &crash):
		say(k.Streams.Err, "Exception in thread \"main\" "+crash.Exception+"\n")
	case errors.As(err, &refused):
		say(k.Streams.Err, refused.Kafka()+"\n")
	case errors.As(err, &already):
		say(k.Streams.Err, already.Error()+"\n")
	case errors.As(err, &write):
		say(k.Streams.Err, "Error while writing meta.properties file "+write.Dir+": "+write.Err.Error()+"\n")
	default:
		return die(k.Env, err)
	}
	return term.NotFine
}

func (k *kafkaStorage) run(set *argparse.Result) error {
	var config *kafkaconfig.Config
	if set.Has("config") {
		var err error
		if config, err = k.config(set.String("config")); err != nil {
			return err
		}
	}
	switch set.Command {
	case "info":
		return k.info(config)
	case "format":
		return k.format(set, config)
	case "version-mapping":
		return versionMapping(k.Env, set.String("release_version"), set.Has("release_version"))
	case "feature-dependencies":
		return featureDependencies(k.Env, set.Strings("feature"))
	}
	return randomUUID(k.Env)
}

// config reads and checks the configuration file.
func (k *kafkaStorage) config(name string) (*kafkaconfig.Config, error) {
	text, err := vfs.ReadInput(k.FS, name, maxConfigFile)
	if err != nil {
		return nil, javaerr.File(name, err)
	}
	return k.outside().Load(text, nil)
}

// argumentFile reads what @FILE stands for.
func (k *kafkaStorage) argumentFile(name string) ([]byte, error) {
	return vfs.ReadInput(k.FS, name, maxConfigFile)
}

func (k *kafkaStorage) info(c *kafkaconfig.Config) error {
	text, fine, err := format.KafkaInfo(k.FS, c.Dirs(), c.Roles.Broker || c.Roles.Controller)
	say(k.Streams.Out, text)
	if err == nil && !fine {
		err = errProblems
	}
	return err
}

func (k *kafkaStorage) format(set *argparse.Result, c *kafkaconfig.Config) error {
	optional := func(name string) *string {
		if !set.Has(name) {
			return nil
		}
		s := set.String(name)
		return &s
	}
	o := format.Options{
		ClusterID: set.String("cluster_id"), ReleaseVersion: optional("release_version"), Features: set.Strings("feature"), SCRAM: set.Strings("add_scram"),
		Standalone: set.Bool("standalone"), NoInitialControllers: set.Bool("no_initial_controllers"), InitialControllers: optional("initial_controllers"),
		IgnoreFormatted: set.Bool("ignore_formatted"), AsKafka: true,
	}
	env := format.Env{Now: time.Now, Random: rand.Reader}
	request, err := o.Request(c, env)
	if err != nil {
		return err
	}
	plan, err := format.NewPlan(k.FS, request, env)
	var already *format.FormattedError
	if plan != nil && !isException(err) && !errors.As(err, &already) {
		for _, f := range plan.Ensemble.Failed {
			say(k.Streams.Out, "I/O error trying to read log directory "+f.Path+". Ignoring...\n")
		}
	}
	switch {
	case err != nil:
		return err
	case len(plan.Dirs) == 0:
		say(k.Streams.Out, "All of the log directories are already formatted.\n")
		return nil
	}
	err = plan.Preflight(k.FS)
	if err == nil {
		err = plan.Apply(k.FS)
	}
	// Kafka says what it does as it goes, up to what it fails at.
	var failed string
	var unusable *format.UnusableError
	var write *format.WriteError
	switch {
	case errors.As(err, &unusable):
		failed = unusable.Dir
		err = &format.WriteError{Dir: unusable.Dir, Err: errors.New("java.io.IOException: " + unusable.Found)}
	case errors.As(err, &write):
		failed = write.Dir
	}
	text := "Bootstrap metadata: " + plan.Bootstrap.Kafka() + "\n"
	for _, d := range plan.Dirs {
		text += "Formatting " + d.Kind.String() + " " + d.Path + " with metadata.version " + plan.Bootstrap.MetadataVersion.String() + ".\n"
		if d.Path == failed {
			break
		}
	}
	say(k.Streams.Out, text) // what was done was done, whoever listens
	return err
}

// isException tells Kafka's exceptions from its refusals.
func isException(err error) bool {
	var e *javaerr.Exception
	return errors.As(err, &e)
}

// versionMapping prints the levels that a release version stands for.
func versionMapping(e *Env, release string, given bool) error {
	v, err := mappedVersion(release, given)
	if err != nil {
		return err
	}
	if !given {
		release = v.String()
	}
	text := levelText(feature.MetadataName, int16(v)) + " (" + release + ")\n"
	for i := range feature.Features {
		f := &feature.Features[i]
		text += levelText(f.Name, f.Default(v)) + "\n"
	}
	return write(e, text)
}

// mappedVersion is the metadata version that a release version means, the latest
// without one.
func mappedVersion(release string, given bool) (feature.MetadataVersion, error) {
	if !given {
		return feature.LatestProduction, nil
	}
	v, err := feature.ByName(release, feature.LatestProduction, feature.LatestTesting)
	if err != nil {
		return 0, &format.RefusedError{Text: err.Error()}
	}
	return v, nil
}

// randomUUID prints an id for a cluster.
func randomUUID(e *Env) error {
	id, err := format.RandomUUID(rand.Reader)
	if err != nil {
		return err
	}
	return write(e, id.String()+"\n")
}
