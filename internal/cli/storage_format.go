package cli

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"kraftctl/decode/kbin"
	"kraftctl/format"
	"kraftctl/internal/kafkaconfig"
	"kraftctl/internal/nodeinfo"
	"kraftctl/internal/term"
	"kraftctl/internal/vfs"
)

// storageFormatOptions are the flags of kraftctl storage format.
type storageFormatOptions struct {
	node           nodeConfig
	target         string
	clusterID      string
	anyClusterID   bool
	releaseVersion string
	initial        string
	scramFile      string
	dryRun         bool
	ifNeeded       bool
	output         string
	allow          format.Allow
	from           formatSource
	format         format.Options
}

func newStorageFormat(e *Env) *cobra.Command {
	o := &storageFormatOptions{}
	c := &cobra.Command{
		Use:   "format",
		Short: "Format the log directories of a node",
		Long: `Format the log directories of a node, all of them or none: files are written
under temporary names and synced first, and meta.properties, which makes a
directory a formatted one, comes last. A crash or a full disk leaves no
directory half done.

Give the release that will start with --target: exactly the files are written
that this release's own kafka-storage writes. The default is for 4.4; Kafka 4.3
starts on that, too, but passes over features and users in it.

Directories that are not empty, belong to another cluster or node, cannot be
written, or are symbolic links are refused before anything is written.

A controller of a dynamic quorum needs one of --standalone (the first
controller, or the only one), --initial-controllers (one of several that start
together) and --no-initial-controllers (one that joins later). With
controller.quorum.voters in the configuration, the quorum is static.

Passwords are better given with --add-scram-file than with --add-scram, which
everybody sees in the list of processes. A line of the file, or of standard
input with -, is an argument of --add-scram; empty lines and lines that begin
with # are passed over.

--from begins the cluster with a copy of the metadata in a snapshot or a node's
directory, as of an offset with @OFFSET: topics, configurations, quotas, access
control entries, users, the next producer id. Its metadata version and features
hold unless others are asked for. Controllers and voters are left out, as are
brokers unless --from-brokers keep: the same broker ids register again, or those
that --map-broker gives them. Partitions keep their replicas, and those in sync;
they have no leader until one of these comes back, unless --from-leaders keep.
All controllers that start together are formatted with the same --from.

Exit codes: 0 formatted, or nothing to do with --if-needed or
--ignore-formatted; 1 with --if-needed, formatted but not the same; 2 wrong
usage; 3 the configuration cannot be used, or writing failed; 4 refused for
safety.`,
		Example: `  kraftctl storage format -c server.properties -t $(kraftctl storage random-uuid) --standalone
  kraftctl storage format -c server.properties -t $CLUSTER_ID --if-needed --standalone
  kraftctl storage format -c broker.properties -t $CLUSTER_ID --target 4.0 --dry-run
  kraftctl storage format --set process.roles=broker --set node.id=2 ... -t $CLUSTER_ID
  echo 'SCRAM-SHA-512=[name=admin,password=secret]' | kraftctl storage format ... --add-scram-file -`,
		Args: noArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			if c.Flags().Changed("release-version") {
				o.format.ReleaseVersion = &o.releaseVersion
			}
			if c.Flags().Changed("initial-controllers") {
				o.format.InitialControllers = &o.initial
			}
			return o.run(c.Context(), e)
		},
	}
	f := c.Flags()
	f.SortFlags = false
	o.node.addFlags(f)
	f.StringVarP(&o.clusterID, "cluster-id", "t", "", "the id of the cluster, the same on all nodes")
	f.BoolVarP(&o.format.Standalone, "standalone", "s", false, "make this controller the only voter of a new dynamic quorum")
	f.StringVarP(&o.initial, "initial-controllers", "I", "", "voters of a new dynamic quorum, the same on all of them: ID@HOST:PORT:DIRECTORY-ID,...")
	f.BoolVarP(&o.format.NoInitialControllers, "no-initial-controllers", "N", false, "this controller joins a quorum later")
	targetFlag(f, &o.target, "the release of Kafka that is to start")
	f.StringVarP(&o.releaseVersion, "release-version", "r", "", "the metadata version to begin with, as 4.0 or 4.0-IV3 (default: the latest of --target)")
	f.StringArrayVarP(&o.format.Features, "feature", "f", nil, "FEATURE=LEVEL in place of what the metadata version stands for; may be repeated")
	f.StringVar(&o.scramFile, "add-scram-file", "", "file with arguments of --add-scram, one a line; - is standard input")
	f.StringArrayVarP(&o.format.SCRAM, "add-scram", "S", nil, "a SCRAM user: SCRAM-SHA-256=[name=alice,password=secret]; may be repeated")
	f.BoolVar(&o.ifNeeded, "if-needed", false, "format what is not formatted, verify what is: exit code 0 if it is the same, 1 if not")
	f.BoolVarP(&o.format.IgnoreFormatted, "ignore-formatted", "g", false, "pass over directories that are formatted, whatever with")
	f.BoolVar(&o.dryRun, "dry-run", false, "write nothing, show what would be written")
	f.BoolVar(&o.allow.Symlinks, "follow-symlinks", false, "allow log directories that are symbolic links")
	f.BoolVar(&o.allow.Data, "keep-data", false, "allow log directories with files in them, and keep those: a metadata log that is there goes on")
	f.BoolVar(&o.anyClusterID, "any-cluster-id", false, "allow a cluster id that is not a UUID")
	outputFlag(c, &o.output)
	o.from.addFlags(f)
	c.MarkFlagsMutuallyExclusive("standalone", "initial-controllers", "no-initial-controllers")
	return c
}

func (o *storageFormatOptions) validate() (err error) {
	if o.format.Release, err = release(o.target); err != nil {
		return err
	}
	switch _, uuidErr := kbin.ParseUUID(o.clusterID); {
	case o.clusterID == "":
		return &term.Error{Code: term.Usage, Err: fmt.Errorf("--cluster-id is missing"), Offset: -1,
			Hint: "All nodes of a cluster have the same one. Make it once, with: kraftctl storage random-uuid"}
	case uuidErr != nil && !o.anyClusterID:
		return &term.Error{Code: term.Usage, Err: fmt.Errorf("--cluster-id %s: %w", o.clusterID, uuidErr), Offset: -1,
			Hint: "An id comes from: kraftctl storage random-uuid. Clusters with another kind of id need --any-cluster-id."}
	case o.ifNeeded && o.format.IgnoreFormatted:
		return term.Usagef("--if-needed verifies formatted directories, --ignore-formatted passes over them: choose one")
	}
	return checkOutput(o.output)
}

func (o *storageFormatOptions) run(ctx context.Context, e *Env) error {
	if err := o.validate(); err != nil {
		return err
	}
	source, err := o.from.read(ctx, e)
	if err != nil {
		return err
	}
	config, err := o.node.load(e)
	if err != nil {
		return err
	}
	if err := o.readSCRAM(e); err != nil {
		return err
	}
	o.format.ClusterID = o.clusterID
	o.format.IgnoreFormatted = o.format.IgnoreFormatted || o.ifNeeded
	env := format.Env{Now: time.Now, Random: rand.Reader}
	request, err := o.format.Request(config, env)
	if err == nil {
		err = checkVoters(request)
	}
	if err != nil {
		return asUsage(err)
	}
	if request.Keep = o.allow.Data; request.Keep {
		if request.KeptDirectoryID, err = o.keptDirectoryID(e, config); err != nil {
			return err
		}
	}
	if source != nil {
		if err := o.from.apply(&request, source, o.format.NoInitialControllers); err != nil {
			return err
		}
	}
	plan, err := format.NewPlan(e.FS, request, env)
	if err != nil && plan == nil {
		return asUsage(err)
	}
	if lost := sourceRefused(err); lost != nil {
		return lost
	}
	if err == nil || len(plan.Ensemble.Failed) > 0 {
		if unusable := plan.Suspicious(e.FS, o.allow); unusable != nil {
			err = unusable
		}
	}
	if err == nil {
		err = checkUsers(plan)
	}
	if err != nil {
		return refusedHint(err)
	}
	var differences []string
	if o.ifNeeded {
		if differences, err = plan.Differences(e.FS); err != nil {
			return err
		}
	}
	if err := plan.Preflight(e.FS); err != nil {
		return refusedHint(err)
	}
	// What is there already and not as asked would not go with new directories.
	if !o.dryRun && len(differences) == 0 {
		if err := plan.Apply(e.FS); err != nil {
			return refusedHint(err)
		}
	}
	report := formatReport(plan, differences, o.dryRun)
	if o.output == "json" {
		err = printJSON(e, report)
	} else {
		err = report.print(e)
	}
	if err == nil && len(differences) > 0 {
		err = term.Exit(term.NotFine)
	}
	return err
}

// checkVoters refuses voters that Kafka's tool takes and that never make a quorum.
func checkVoters(r format.Request) error {
	seen := map[kbin.UUID]int32{}
	for _, v := range r.InitialControllers {
		other, twice := seen[v.DirectoryID]
		switch {
		case twice:
			return fmt.Errorf("--initial-controllers: voters %d and %d have the same directory id %s; each directory has its own", other, v.ID, v.DirectoryID)
		case v.DirectoryID.IsZero():
			return fmt.Errorf("--initial-controllers: voter %d has no directory id; make one with: kraftctl storage random-uuid", v.ID)
		case v.Port == 0:
			return fmt.Errorf("--initial-controllers: voter %d has port 0, on which nobody can reach it", v.ID)
		}
		seen[v.DirectoryID] = v.ID
	}
	return nil
}

// keptDirectoryID finds the id by which the voters of a metadata log know the
// directory whose meta.properties was lost: zero if they know none.
func (o *storageFormatOptions) keptDirectoryID(e *Env, c *kafkaconfig.Config) (id kbin.UUID, err error) {
	report, err := nodeinfo.Collect(context.Background(), e.FS, nodeinfo.Options{Config: c, ConfigFile: o.node.file, Target: o.format.Release})
	if err != nil {
		return id, err
	}
	if report.Voters == nil {
		return id, nil
	}
	for _, v := range report.Voters.Voters {
		if v.ID == c.NodeID && v.DirectoryID != "" {
			return kbin.ParseUUID(v.DirectoryID)
		}
	}
	return id, nil
}

// checkUsers refuses names that are a name and a password with a wrong separator
// between them.
func checkUsers(p *format.Plan) error {
	for _, u := range p.Bootstrap.Users {
		if strings.Contains(u.Name, "password=") {
			return term.Usagef("a SCRAM user's name has a password in it; the parts are separated by commas: SCRAM-SHA-256=[name=alice,password=...]")
		}
	}
	return nil
}

// maxSCRAMFile bounds a file of SCRAM users, in bytes.
const maxSCRAMFile = 16 << 20

// readSCRAM adds the users of --add-scram-file.
func (o *storageFormatOptions) readSCRAM(e *Env) error {
	if o.scramFile == "" {
		return nil
	}
	var text []byte
	var err error
	if o.scramFile == "-" {
		text, err = io.ReadAll(io.LimitReader(e.Streams.In, maxSCRAMFile+1))
		if err == nil && len(text) > maxSCRAMFile {
			err = term.Usagef("--add-scram-file -: more than %d bytes", maxSCRAMFile)
		}
	} else {
		text, err = vfs.ReadInput(e.FS, o.scramFile, maxSCRAMFile)
	}
	if err != nil {
		return err
	}
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, maxSCRAMFile+1)
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		// The line is checked here, where its number is known.
		if err := format.CheckSCRAM(line); err != nil {
			where := o.scramFile
			if where == "-" {
				where = "standard input"
			}
			return &term.Error{Code: term.Usage, Err: fmt.Errorf("%s, line %d: %w", where, n, plain(err)), Path: o.scramFile, Offset: -1}
		}
		o.format.SCRAM = append(o.format.SCRAM, line)
	}
	return lines.Err()
}
