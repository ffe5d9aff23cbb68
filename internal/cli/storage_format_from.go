package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"kraftctl/format"
	"kraftctl/internal/feature"
	"kraftctl/internal/image"
	"kraftctl/internal/term"
	"kraftctl/shell"
)

// formatSource are the flags of kraftctl storage format that say what metadata of
// another cluster the new one begins with.
type formatSource struct {
	from       string
	brokers    string
	leaders    string
	secrets    string
	mapBrokers []string
	dropLoss   bool
}

func (s *formatSource) addFlags(f *pflag.FlagSet) {
	f.StringVar(&s.from, "from", "", "begin with a copy of the metadata in this snapshot, metadata log or node's directory; @OFFSET behind it is how far")
	f.StringVar(&s.brokers, "from-brokers", "drop", "registrations of brokers of --from: drop, or keep (fenced until they come back)")
	f.StringVar(&s.leaders, "from-leaders", "drop", "leaders of partitions of --from: drop (those in sync elect one), or keep")
	f.StringVar(&s.secrets, "from-secrets", "keep", "SCRAM credentials, tokens and configured passwords of --from: keep, or drop")
	f.StringArrayVar(&s.mapBrokers, "map-broker", nil, "OLD=NEW: what was on broker OLD of --from will be on broker NEW; may be repeated")
	f.BoolVar(&s.dropLoss, "from-drop-loss", false, "leave out what of --from an older --release-version cannot express")
}

// read reads the metadata; nil if none was asked for.
func (s *formatSource) read(ctx context.Context, e *Env) (*format.Source, error) {
	if s.from == "" {
		if s.brokers != "drop" || s.leaders != "drop" || s.secrets != "keep" || len(s.mapBrokers) > 0 || s.dropLoss {
			return nil, term.Usagef("--from-brokers, --from-leaders, --from-secrets, --map-broker and --from-drop-loss go with --from")
		}
		return nil, nil
	}
	out := &format.Source{Brokers: map[int32]int32{}, DropLoss: s.dropLoss}
	for _, c := range [...]struct {
		flag, value string
		keep, drop  *bool
	}{
		{"from-brokers", s.brokers, &out.KeepBrokers, new(bool)},
		{"from-leaders", s.leaders, &out.KeepLeaders, new(bool)},
		{"from-secrets", s.secrets, new(bool), &out.DropSecrets},
	} {
		switch c.value {
		case "keep":
			*c.keep = true
		case "drop":
			*c.drop = true
		default:
			return nil, term.Usagef("--%s %s: it is keep or drop", c.flag, c.value)
		}
	}
	for _, text := range s.mapBrokers {
		from, to, ok := strings.Cut(text, "=")
		a, err1 := strconv.ParseInt(from, 10, 32)
		b, err2 := strconv.ParseInt(to, 10, 32)
		if !ok || err1 != nil || err2 != nil || a < 0 || b < 0 {
			return nil, term.Usagef("--map-broker %s: it is OLD=NEW, two ids of brokers", text)
		}
		if _, twice := out.Brokers[int32(a)]; twice {
			return nil, term.Usagef("--map-broker %s: broker %d is mapped twice", text, a)
		}
		out.Brokers[int32(a)] = int32(b)
	}
	path, offset, err := splitOffset(e.FS, s.from)
	if err != nil {
		return nil, err
	}
	state, err := readState(ctx, e.FS, path, offset)
	if err != nil {
		return nil, err
	}
	if p, found := firstProblem(state, isLasting); found {
		return nil, &term.Error{Code: term.Refused, Err: errors.New("--from: " + shell.Clean(p.String())), Path: p.File, Offset: p.Pos,
			Hint: "To begin with what there is all the same, write it as a snapshot first: kraftctl snapshot write --force"}
	}
	if _, ok := state.Image.MetadataVersion(); !ok {
		return nil, &term.Error{Code: term.Refused, Err: errors.New("--from " + s.from + ": the metadata has no metadata.version"), Path: path, Offset: -1}
	}
	out.Image = state.Image
	return out, nil
}

// apply puts the metadata into a request. Its metadata version and features hold
// where no others are asked for.
func (s *formatSource) apply(r *format.Request, source *format.Source, joins bool) error {
	switch {
	case !r.Controller:
		return term.Usagef("--from is for controllers: a broker gets the metadata from them")
	case joins:
		return term.Usagef("--from is for the controllers that begin a quorum: one that joins gets the metadata from the leader")
	}
	r.Source = source
	if _, asked := r.Levels[feature.MetadataName]; !asked && r.MetadataVersion == 0 {
		r.MetadataVersion, _ = source.Image.MetadataVersion()
	}
	known := r.Release.Known()
	for name, level := range source.Image.Features().All() {
		_, asked := r.Levels[name]
		switch {
		case asked:
		case slices.Contains(known, name):
			r.Levels[name] = level
		case !source.DropLoss:
			return &term.Error{Code: term.Refused, Err: fmt.Errorf("--from: the metadata has %s %d, which Kafka %s does not know", shell.Clean(name), level, r.Release.Name),
				Offset: -1, Hint: "Use --from-drop-loss to leave that out."}
		}
	}
	for _, name := range known {
		if _, known := r.Levels[name]; !known && name != feature.KRaftName && name != feature.MetadataName {
			r.Levels[name] = 0
		}
	}
	return nil
}

// sourceRefused gives the errors about a source their exit codes; nil for others.
func sourceRefused(err error) error {
	var lost *image.LossError
	var clash *format.BrokerMapError
	switch {
	case errors.As(err, &lost):
		return &term.Error{Code: term.Refused, Err: errors.New("--from: " + err.Error()), Offset: -1, Hint: "Use --from-drop-loss to leave that out."}
	case errors.As(err, &clash):
		return term.Usagef("--map-broker: %w", err)
	}
	return nil
}
