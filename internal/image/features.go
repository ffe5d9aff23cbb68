package image

import (
	"strings"

	"kraftctl/decode/metadata"
	"kraftctl/internal/feature"
)

// featureLevel sets the level of a feature; level 0 removes it. kraft.version is
// told by control records, and passed over here. A metadata version that is not
// known counts all the same, but is an error: what the records behind it mean may
// have changed.
func (d *Delta) featureLevel(m *metadata.FeatureLevelRecord) error {
	switch {
	case m.Name == feature.MetadataName:
		d.img.version = m.FeatureLevel
		if v := feature.MetadataVersion(m.FeatureLevel); !v.Known() {
			return refuse(m, "metadata.version %d is not known to this release of kraftctl", m.FeatureLevel)
		}
	case m.Name == feature.KRaftName:
	case m.FeatureLevel == 0:
		d.img.features.Delete(d.owner, m.Name)
	default:
		d.img.features.Set(d.owner, strings.Clone(m.Name), m.FeatureLevel)
	}
	return nil
}
