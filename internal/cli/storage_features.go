package cli

import (
	"strconv"
	"strings"

	"kraftctl/format"
	"kraftctl/internal/feature"
	"kraftctl/internal/javatext"
)

func levelText(name string, level int16) string { return name + "=" + strconv.Itoa(int(level)) }

// featureLevel is a level of a feature that was asked about, and what it needs.
type featureLevel struct {
	name  string
	level int16
	needs []feature.Dependency
}

// lookUpFeature reads feature=level and finds what the level needs. Errors are
// Kafka's, as refusals.
func lookUpFeature(argument string) (f featureLevel, err error) {
	refuse := func(text string) error { return &format.RefusedError{Text: text} }
	name, text, ok := strings.Cut(argument, "=")
	if !ok {
		return f, refuse("Invalid feature format: " + argument + ". Expected format: 'feature=version' (e.g. 'group.version=1')")
	}
	name, text = javatext.Trim(name), javatext.Trim(text)
	n, ok := javatext.ParseInt(text, 16)
	if !ok {
		return f, refuse("Invalid version format: " + text + " for feature " + name)
	}
	f.name, f.level = name, int16(n)
	if name == feature.MetadataName {
		if !feature.MetadataVersion(f.level).Known() {
			return f, refuse("Unknown metadata.version " + text)
		}
		return f, nil
	}
	known := feature.ByFeatureName(name)
	switch {
	case known == nil:
		return f, refuse("Unknown feature: " + name)
	case !known.Has(f.level):
		return f, refuse("Feature level " + text + " is not supported for feature " + name)
	}
	f.needs = known.Levels[f.level].Needs
	return f, nil
}

// featureDependencies prints what levels of features need, one after the other
// up to one that there is not.
func featureDependencies(e *Env, arguments []string) error {
	for _, argument := range arguments {
		f, err := lookUpFeature(argument)
		if err != nil {
			return err
		}
		text := levelText(f.name, f.level)
		if f.name == feature.MetadataName {
			text += " (" + feature.MetadataVersion(f.level).String() + ")"
		}
		if len(f.needs) == 0 {
			text += " has no dependencies.\n"
		} else {
			text += " requires:\n"
		}
		for _, need := range f.needs {
			text += "    " + need.String() + "\n"
		}
		if err := write(e, text); err != nil {
			return err
		}
	}
	return nil
}
