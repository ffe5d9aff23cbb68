package feature

import (
	"fmt"

	"kraftctl/internal/javaerr"
)

// Names of the features beside metadata.version.
const (
	KRaftName       = "kraft.version"
	TransactionName = "transaction.version"
	GroupName       = "group.version"
	ELRName         = "eligible.leader.replicas.version"
	ShareName       = "share.version"
	StreamsName     = "streams.version"
)

// Feature is a feature with its levels, which count from 0 without holes.
type Feature struct {
	Name   string
	Levels []Level
}

// Level is a level of a feature.
type Level struct {
	// Bootstrap is the first metadata version whose default level is at least
	// this one.
	Bootstrap MetadataVersion
	// Needs are the levels of other features that must be set with it.
	Needs []Dependency
}

// Dependency is a level that another feature must have at least.
type Dependency struct {
	Feature string
	Level   int16
}

// String is the level as the tools show it, "metadata.version=23 (4.0-IV1)".
func (d Dependency) String() string {
	text := fmt.Sprintf("%s=%d", d.Feature, d.Level)
	if d.Feature == MetadataName {
		text += " (" + MetadataVersion(d.Level).String() + ")"
	}
	return text
}

// none is level 0 of every feature: off, as ever.
var none = Level{Bootstrap: MinimumMetadataVersion}

// Features are the features beside metadata.version, in the order in which
// Kafka's tools show them.
var Features = []Feature{
	{KRaftName, []Level{none, {Bootstrap: V3_9_IV0}}},
	{TransactionName, []Level{none, {Bootstrap: V4_0_IV2}, {Bootstrap: V4_0_IV2}}},
	{GroupName, []Level{none, {Bootstrap: V4_0_IV0}}},
	{ELRName, []Level{none, {Bootstrap: V4_1_IV0, Needs: []Dependency{{MetadataName, int16(ELRSince)}}}}},
	{ShareName, []Level{none, {Bootstrap: V4_2_IV0}, {Bootstrap: V4_4_IV0}}},
	{StreamsName, []Level{none, {Bootstrap: V4_2_IV1}}},
}

// ByFeatureName finds a feature, nil if there is none of the name.
// metadata.version is not among them.
func ByFeatureName(name string) *Feature {
	for i := range Features {
		if Features[i].Name == name {
			return &Features[i]
		}
	}
	return nil
}

// Latest is the highest level of the feature.
func (f *Feature) Latest() int16 { return int16(len(f.Levels) - 1) }

// Has reports whether the feature has the level.
func (f *Feature) Has(level int16) bool { return level >= 0 && level <= f.Latest() }

// Default is the level that a cluster of a metadata version gets.
func (f *Feature) Default(v MetadataVersion) int16 {
	level := f.Latest()
	for level > 0 && f.Levels[level].Bootstrap > v {
		level--
	}
	return level
}

// NoLevelError is the exception for a level that a feature does not have.
func NoLevelError(name string, level int16) error {
	return javaerr.New(javaerr.IllegalArgument, fmt.Sprintf("No feature:%s with feature level %d", name, level))
}

// Validate checks that a level of the feature can be set together with others:
// levels holds those of all features, metadata.version included. The error is
// Kafka's exception.
func (f *Feature) Validate(level int16, levels map[string]int16) error {
	if !f.Has(level) {
		return NoLevelError(f.Name, level)
	}
	return f.ValidateNeeds(level, f.Levels[level].Needs, levels)
}

// ValidateNeeds is Validate with dependencies that a release had of its own.
func (f *Feature) ValidateNeeds(level int16, needs []Dependency, levels map[string]int16) error {
	for _, need := range needs {
		if levels[need.Feature] < need.Level {
			return javaerr.New(javaerr.IllegalArgument, fmt.Sprintf("%s could not be set to %d because it depends on %s level %d",
				f.Name, level, need.Feature, need.Level))
		}
	}
	return nil
}
