package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"kraftctl/internal/raft"
	"kraftctl/internal/raft/rafttest"
	"kraftctl/internal/term"
)

// simOptions are the flags of kraftctl sim.
type simOptions struct {
	seeds  string
	seed   uint64
	ops    string
	quiet  bool
	broken []string
	rules  bool
	output string

	first, last uint64
	keep        []int
	set         raft.Rules
}

func newSim(e *Env) *cobra.Command {
	o := &simOptions{}
	c := &cobra.Command{
		Use:   "sim",
		Short: "Simulate quorums under faults, and check that nothing committed is lost",
		Long: `Run the quorum's replicas, the code that this program itself runs, in a made-up
world: messages get lost, late and out of order, nodes are cut off, crash and lose
what was not synced, clocks jump, disks fill up, slow down and get lost, and
meanwhile voters come and go, snapshots are made and logs are cleaned. After every
step all invariants are checked; when the faults are over there has to be a leader
and a commit within a minute of simulated time.

Everything comes from the seed: a seed that fails here fails everywhere, and can be
replayed step by step with --seed. A failing schedule is shrunk to the faults that
it needs.

With --break a rule of the quorum is broken on purpose, to see that it is noticed.

Exit codes: 0 all invariants held, 1 one did not, 2 wrong usage.`,
		Example: `  kraftctl sim                                  # a thousand schedules
  kraftctl sim --seeds 1..300000
  kraftctl sim --break up-to-date               # which seed notices?
  kraftctl sim --break up-to-date --seed 7 | less`,
		Args: noArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := o.validate(c.Flags().Changed("seed")); err != nil {
				return err
			}
			return o.run(c, e)
		},
	}
	f := c.Flags()
	f.SortFlags = false
	f.StringVar(&o.seeds, "seeds", "1..1000", "seeds to run, FIRST..LAST")
	f.Uint64Var(&o.seed, "seed", 0, "run this seed alone and print all that happens")
	f.StringVar(&o.ops, "ops", "", "with --seed, only these faults of the schedule, by number (3,7,12), or none")
	f.BoolVar(&o.quiet, "quiet-network", false, "with --seed, without loss, duplicates and delays outside of faults")
	f.StringSliceVar(&o.broken, "break", nil, "break these rules of the quorum")
	f.BoolVar(&o.rules, "rules", false, "list the rules that can be broken")
	f.StringVarP(&o.output, "output", "o", "text", "text, or json (one object)")
	return c
}

func (o *simOptions) validate(single bool) error {
	if o.output != "text" && o.output != "json" {
		return term.Usagef("--output %s: it is text or json", o.output)
	}
	first, last, ok := strings.Cut(o.seeds, "..")
	if !ok {
		last = first
	}
	var err1, err2 error
	o.first, err1 = strconv.ParseUint(first, 10, 64)
	o.last, err2 = strconv.ParseUint(last, 10, 64)
	if err1 != nil || err2 != nil || o.first > o.last || o.last == 1<<64-1 {
		return term.Usagef("--seeds %s: it is FIRST..LAST, two numbers", o.seeds)
	}
	for _, name := range o.broken {
		i := slices.IndexFunc(raft.AllRules(), func(r raft.Rule) bool { return r.String() == name })
		if i < 0 {
			return term.Usagef("--break %s: there is no such rule; --rules lists them", name)
		}
		o.set |= raft.RulesOf(raft.Rule(i))
	}
	if !single && (o.ops != "" || o.quiet) {
		return term.Usagef("--ops and --quiet-network go with --seed")
	}
	if single {
		o.first, o.last = o.seed, o.seed
	}
	n := len(rafttest.NewSchedule(o.seed).Ops)
	for i := range n {
		o.keep = append(o.keep, i)
	}
	if o.ops != "" {
		o.keep = nil
		if o.ops == "none" {
			return nil
		}
		for _, s := range strings.Split(o.ops, ",") {
			i, err := strconv.Atoi(s)
			if err != nil || i < 0 || i >= n {
				return term.Usagef("--ops %s: seed %d has the faults 0 to %d", o.ops, o.seed, n-1)
			}
			o.keep = append(o.keep, i)
		}
	}
	return nil
}

func (o *simOptions) run(c *cobra.Command, e *Env) error {
	w := e.Streams.Out
	switch {
	case o.rules:
		for _, r := range raft.AllRules() {
			if _, err := fmt.Fprintln(w, r); err != nil {
				return err
			}
		}
		return nil
	case c.Flags().Changed("seed"):
		return o.replay(w)
	}
	began := time.Now()
	stats, failure := rafttest.Seeds(c.Context(), o.first, o.last, o.set, nil)
	report := simReport{Stats: stats, Seconds: time.Since(began).Seconds()}
	if failure != nil {
		report.Seed, report.Invariant, report.Detail = &failure.Seed, failure.Violation.Invariant, failure.Violation.Detail
		if s := rafttest.Shrink(rafttest.NewSchedule(failure.Seed), rafttest.Options{Break: o.set}); s != nil {
			report.Replay = o.command(failure.Seed, s)
		}
	}
	if err := report.print(w, o.output); err != nil {
		return err
	}
	if failure != nil {
		return term.Exit(term.NotFine)
	}
	return c.Context().Err()
}

// command is the command line that replays a shrunk schedule.
func (o *simOptions) command(seed uint64, s *rafttest.Shrunk) string {
	line := "kraftctl sim"
	if len(o.broken) > 0 {
		line += " --break " + strings.Join(o.broken, ",")
	}
	line += fmt.Sprintf(" --seed %d", seed)
	switch all := len(rafttest.NewSchedule(seed).Ops); {
	case len(s.Ops) == 0:
		line += " --ops none"
	case len(s.Ops) < all:
		line += " --ops " + strings.Trim(strings.ReplaceAll(fmt.Sprint(s.Ops), " ", ","), "[]")
	}
	if s.Quiet {
		line += " --quiet-network"
	}
	return line
}

// replay runs a schedule and prints its trace.
func (o *simOptions) replay(w io.Writer) error {
	s := rafttest.NewSchedule(o.seed).Keep(o.keep, o.quiet)
	var failed error
	line := func(text string) {
		if _, err := fmt.Fprintln(w, text); err != nil && failed == nil {
			failed = err
		}
	}
	line(strings.TrimSuffix(s.String(), "\n"))
	r := rafttest.Run(s, rafttest.Options{Break: o.set, Trace: line})
	line(fmt.Sprintf("%d events, %d elections, %d records committed, %d changes of the voters, %d snapshots", r.Events, r.Elections, r.Committed, r.Changes, r.Snapshots))
	if failed == nil && r.Violation != nil {
		return term.Exit(term.NotFine)
	}
	return failed
}

// simReport is what a run over many seeds found.
type simReport struct {
	rafttest.Stats
	Seconds   float64 `json:"seconds"`
	Seed      *uint64 `json:"seed,omitempty"` // that failed
	Invariant string  `json:"invariant,omitempty"`
	Detail    string  `json:"detail,omitempty"`
	Replay    string  `json:"replay,omitempty"` // command
}

func (r *simReport) print(w io.Writer, output string) error {
	if output == "json" {
		return json.NewEncoder(w).Encode(r)
	}
	_, err := fmt.Fprintf(w, "%d schedules in %.1f s: %d events, %d elections, %d records committed, %d changes of the voters, %d snapshots\n",
		r.Schedules, r.Seconds, r.Events, r.Elections, r.Committed, r.Changes, r.Snapshots)
	if err == nil && r.Excused > 0 {
		_, err = fmt.Fprintf(w, "%d of them lost disks, and had nobody left to elect\n", r.Excused)
	}
	if err == nil && r.Seed == nil {
		_, err = fmt.Fprintln(w, "all invariants held")
	} else if err == nil {
		_, err = fmt.Fprintf(w, "seed %d violates %s: %s\nreplay it, shrunk: %s\n", *r.Seed, r.Invariant, r.Detail, r.Replay)
	}
	return err
}
