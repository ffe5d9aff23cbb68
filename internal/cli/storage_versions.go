package cli

import (
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"kraftctl/internal/feature"
	"kraftctl/internal/term"
)

// outputFlag adds -o with text and json.
func outputFlag(c *cobra.Command, output *string) {
	c.Flags().StringVarP(output, "output", "o", "text", "text, or json")
}

func checkOutput(output string) error {
	if output != "text" && output != "json" {
		return term.Usagef("--output %s: it is text or json", output)
	}
	return nil
}

// printJSON prints a value as one indented document.
func printJSON(e *Env, v any) error {
	encoder := json.NewEncoder(e.Streams.Out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return ignorePipe(encoder.Encode(v))
}

// newStorageVersionMapping shows what a release version stands for.
func newStorageVersionMapping(e *Env) *cobra.Command {
	var text, output string
	c := &cobra.Command{
		Use:   "version-mapping",
		Short: "Show the feature levels that a metadata version stands for",
		Example: `  kraftctl storage version-mapping
  kraftctl storage version-mapping -r 4.0 -o json`,
		Args: noArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := checkOutput(output); err != nil {
				return err
			}
			given := c.Flags().Changed("release-version")
			if output == "text" {
				return asUsage(versionMapping(e, text, given))
			}
			v, err := mappedVersion(text, given)
			if err != nil {
				return asUsage(err)
			}
			levels := map[string]int16{feature.MetadataName: int16(v)}
			for i := range feature.Features {
				levels[feature.Features[i].Name] = feature.Features[i].Default(v)
			}
			return printJSON(e, struct {
				Version  string           `json:"metadataVersion"`
				Stable   bool             `json:"stable"`
				Features map[string]int16 `json:"features"`
			}{v.String(), v.Stable(), levels})
		},
	}
	c.Flags().StringVarP(&text, "release-version", "r", "", fmt.Sprintf("a release (4.0) or metadata version (4.0-IV3), from %s on (default %s)",
		feature.MinimumMetadataVersion, feature.LatestProduction))
	outputFlag(c, &output)
	return c
}

// newStorageFeatureDependencies shows what levels of features need.
func newStorageFeatureDependencies(e *Env) *cobra.Command {
	var arguments []string
	var output string
	c := &cobra.Command{
		Use:   "feature-dependencies",
		Short: "Show what levels of features need to be set with them",
		Example: `  kraftctl storage feature-dependencies -f eligible.leader.replicas.version=1
  kraftctl storage feature-dependencies -f group.version=1 -f kraft.version=1 -o json`,
		Args: noArguments,
		RunE: func(*cobra.Command, []string) error {
			if err := checkOutput(output); err != nil {
				return err
			}
			if len(arguments) == 0 {
				return term.Usagef("which feature? Name it with --feature FEATURE=LEVEL")
			}
			if output == "text" {
				return asUsage(featureDependencies(e, arguments))
			}
			type answer struct {
				Feature string           `json:"feature"`
				Level   int16            `json:"level"`
				Needs   map[string]int16 `json:"needs"`
			}
			var answers []answer
			for _, argument := range arguments {
				f, err := lookUpFeature(argument)
				if err != nil {
					return asUsage(err)
				}
				a := answer{f.name, f.level, map[string]int16{}}
				for _, n := range f.needs {
					a.Needs[n.Feature] = n.Level
				}
				answers = append(answers, a)
			}
			return printJSON(e, answers)
		},
	}
	c.Flags().StringArrayVarP(&arguments, "feature", "f", nil, "FEATURE=LEVEL; may be repeated")
	outputFlag(c, &output)
	return c
}
