package format

import (
	"maps"
	"slices"
	"strings"

	"kraftctl/internal/feature"
	"kraftctl/internal/javaerr"
	"kraftctl/internal/javatext"
)

// ParseFeature reads an argument of --feature, "group.version=1". The error is
// Kafka's exception.
func ParseFeature(argument string) (name string, level int16, err error) {
	name, text, ok := strings.Cut(argument, "=")
	if !ok {
		return "", 0, javaerr.New(javaerr.Runtime, "Can't parse feature=level string "+argument+": equals sign not found.")
	}
	name, text = javatext.Trim(name), javatext.Trim(text)
	n, ok := javatext.ParseInt(text, 16)
	if !ok {
		return "", 0, javaerr.New(javaerr.Runtime, "Can't parse feature=level string "+argument+": unable to parse "+text+" as a short.")
	}
	return name, int16(n), nil
}

const (
	dynamicWhen = "controller.quorum.voters is empty and one of the flags --standalone, --initial-controllers, or " +
		"--no-initial-controllers is used. For dynamic controllers support, "
	cannotDowngradeKRaft = "Cannot set kraft.version to 0 if " + dynamicWhen + "try removing the --feature flag for kraft.version."
	cannotUpgradeKRaft   = "Cannot set kraft.version to %d unless " + dynamicWhen + "try using one of --standalone, " +
		"--initial-controllers, or --no-initial-controllers and removing controller.quorum.voters."
)

// levels are the features that a cluster begins with.
type levels struct {
	metadata feature.MetadataVersion
	kraft    int16
	// others are those beside the two, sorted by name; level 0 is left out.
	others []featureLevel
}

type featureLevel struct {
	name  string
	level int16
}

// resolveLevels decides on the levels of all features: what is asked for, and
// the release's defaults for the rest.
func resolveLevels(r *Request) (*levels, error) {
	l := &levels{metadata: r.MetadataVersion}
	if level, ok := r.Levels[feature.MetadataName]; ok {
		if r.MetadataVersion != 0 {
			return nil, refuse("Use --release-version instead of --feature %s=X to avoid ambiguity.", feature.MetadataName)
		}
		var err error
		if l.metadata, err = feature.ByLevel(level); err != nil {
			return nil, err
		}
	}
	if l.metadata == 0 {
		l.metadata = r.Release.Latest(r.Unstable)
	}
	if l.metadata > r.Release.Latest(r.Unstable) {
		if r.Release == feature.LatestRelease() {
			return nil, refuse("metadata.version %s is not yet stable.", l.metadata)
		}
		return nil, refuse("Kafka %s does not know metadata.version %s; its latest is %s.", r.Release.Name, l.metadata, r.Release.Latest(r.Unstable))
	}
	known := slices.Sorted(slices.Values(r.Release.Known()))
	for _, name := range slices.Sorted(maps.Keys(r.Levels)) {
		if name != feature.MetadataName && !slices.Contains(known, name) {
			return nil, refuse("Unsupported feature: %s. Supported features are: %s", name, strings.Join(known, ", "))
		}
	}
	set := map[string]int16{feature.MetadataName: int16(l.metadata)}
	for _, name := range known {
		level, ok := r.Levels[name]
		if !ok {
			level = r.Release.Default(feature.ByFeatureName(name), l.metadata, r.Unstable)
		}
		if name == feature.KRaftName {
			var err error
			if level, err = kraftLevel(r); err != nil {
				return nil, err
			}
			l.kraft = level
		}
		set[name] = level
	}
	for _, name := range known {
		if err := r.Release.Validate(feature.ByFeatureName(name), set[name], r.Unstable, set); err != nil {
			return nil, err
		}
		if name != feature.KRaftName && set[name] > 0 {
			l.others = append(l.others, featureLevel{name, set[name]})
		}
	}
	return l, nil
}

// kraftLevel is the level of kraft.version: it follows from the kind of the quorum.
func kraftLevel(r *Request) (int16, error) {
	level, ok := r.Levels[feature.KRaftName]
	switch {
	case !ok && r.StaticVoters:
		return 0, nil
	case !ok:
		return 1, nil
	case r.StaticVoters && level != 0:
		return 0, refuse(cannotUpgradeKRaft, level)
	case !r.StaticVoters && level == 0:
		return 0, refuse(cannotDowngradeKRaft)
	}
	return level, nil
}
