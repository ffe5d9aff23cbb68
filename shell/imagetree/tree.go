package imagetree

import (
	"kraftctl/internal/image"
	"kraftctl/internal/sensitive"
	"kraftctl/shell/node"
)

// Options say how an image is shown.
type Options struct {
	// Kafka shows what Kafka's own shell shows, oddities and secrets included.
	Kafka bool
	// ShowSecrets shows SCRAM credentials and the values of configs that may be
	// passwords. Of a token the metadata has no secret.
	ShowSecrets bool
}

// tree is an image with the way it is shown.
type tree struct {
	img *image.Image
	Options
}

// New gives the tree of an image, that below /image.
func New(img *image.Image, o Options) node.Node {
	if o.Kafka {
		o.ShowSecrets = true
	}
	t := &tree{img, o}
	return Fixed(
		Entry{"acls", Fixed(Entry{"byId", t.acls()})},
		Entry{"clientQuotas", t.quotas()},
		Entry{"cluster", Fixed(Entry{"brokers", t.brokers()}, Entry{"controllers", t.controllers()})},
		Entry{"configs", t.configs()},
		Entry{"delegationToken", t.tokens()},
		Entry{"features", t.features()},
		Entry{"producerIds", Fixed(Entry{"nextProducerId", node.File(itoa(img.ProducerIDs().NextProducerID))})},
		Entry{"provenance", node.File(provenanceText(img.Provenance()))},
		Entry{"scram", t.scram()},
		Entry{"topics", Fixed(Entry{"byId", t.topicsByID()}, Entry{"byName", t.topicsByName()})},
	)
}

// secret gives a text, or what stands in its place.
func (t *tree) secret(text string) string {
	if t.ShowSecrets {
		return text
	}
	return sensitive.Mask
}
