package imagetree

import (
	"strings"

	"kraftctl/shell/node"
)

const (
	versionFile   = "metadataVersion"
	featurePrefix = "finalized_"
)

func (t *tree) features() node.Node {
	all := t.img.Features()
	return dir{
		names: func() []string {
			out := names(all.All(), func(name string, _ int16) string { return featurePrefix + name })
			return append(out, versionFile) // which is behind all finalized_
		},
		child: func(name string) (node.Node, bool) {
			if name == versionFile {
				v, ok := t.img.MetadataVersion()
				if !ok {
					return node.File("Optional.empty"), true
				}
				return node.File("Optional[" + v.String() + "]"), true
			}
			feature, ok := strings.CutPrefix(name, featurePrefix)
			if !ok {
				return nil, false
			}
			level, ok := all.Get(feature)
			if !ok && !t.Kafka {
				return nil, false
			}
			return node.File(itoa(level)), true // 0 for one that nobody knows, in Kafka's shell
		},
	}
}
