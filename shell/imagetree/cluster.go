package imagetree

import (
	"math"
	"slices"
	"strconv"

	"kraftctl/decode/metadata"
	"kraftctl/internal/image"
	"kraftctl/internal/javatext"
	"kraftctl/shell/node"
)

func idName[V any](id int32, _ V) string { return itoa(id) }

// byID finds what has a number, which may be written as Java reads it: "+1", "01".
func byID[V any](kind string, get func(int32) (V, bool), text func(V) string, fields func(V) []node.Field) func(string) (node.Node, bool) {
	return func(name string) (node.Node, bool) {
		n, ok := javatext.ParseInt(name, 32)
		if !ok {
			return nil, false
		}
		v, ok := get(int32(n))
		if !ok {
			return nil, false
		}
		return described{node.File(text(v)), kind, func() []node.Field { return fields(v) }}, true
	}
}

func (t *tree) brokers() node.Node {
	all := t.img.Brokers()
	return dir{
		names: func() []string { return names(all.All(), idName[*image.Broker]) },
		child: byID("broker", all.Get, brokerText, brokerFields),
	}
}

func (t *tree) controllers() node.Node {
	all := t.img.Controllers()
	return dir{
		names: func() []string { return names(all.All(), idName[*image.Controller]) },
		child: byID("controller", all.Get, controllerText, controllerFields),
	}
}

func brokerText(b *image.Broker) string {
	s := []byte("BrokerRegistration(id=" + itoa(b.BrokerID) + ", epoch=" + itoa(b.BrokerEpoch) + ", incarnationId=" + b.IncarnationID.String() + ", listeners=")
	s = appendEndpoints(s, b.EndPoints)
	s = append(s, ", supportedFeatures="...)
	s = appendFeatures(s, b.Features)
	if b.Rack != nil {
		s = append(s, ", rack=Optional["+*b.Rack+"]"...)
	} else {
		s = append(s, ", rack=Optional.empty"...)
	}
	s = append(s, ", fenced="...)
	s = strconv.AppendBool(s, b.Fenced)
	s = append(s, ", inControlledShutdown="...)
	s = strconv.AppendBool(s, b.InControlledShutdown)
	s = append(s, ", isMigratingZkBroker="...)
	s = strconv.AppendBool(s, b.IsMigratingZkBroker)
	s = append(s, ", directories="...)
	s = appendUUIDs(s, b.LogDirs)
	s = append(s, ", cordonedDirectories="...)
	if b.CordonedLogDirs == nil {
		s = append(s, "null"...)
	} else {
		s = appendUUIDs(s, b.CordonedLogDirs)
	}
	return string(append(s, ')'))
}

func controllerText(c *image.Controller) string {
	s := []byte("ControllerRegistration(id=" + itoa(c.ControllerID) + ", incarnationId=" + c.IncarnationID.String() +
		", zkMigrationReady=" + strconv.FormatBool(c.ZkMigrationReady) + ", listeners=")
	ends, features := controllerParts(c)
	s = appendEndpoints(s, ends)
	s = append(s, ", supportedFeatures="...)
	return string(append(appendFeatures(s, features), ')'))
}

// controllerParts gives endpoints and features as those of brokers, which have the
// same shape.
func controllerParts(c *image.Controller) ([]metadata.BrokerEndpoint, []metadata.BrokerFeature) {
	ends := make([]metadata.BrokerEndpoint, len(c.EndPoints))
	for i, e := range c.EndPoints {
		ends[i] = metadata.BrokerEndpoint{Name: e.Name, Host: e.Host, Port: e.Port, SecurityProtocol: e.SecurityProtocol}
	}
	features := make([]metadata.BrokerFeature, len(c.Features))
	for i, f := range c.Features {
		features[i] = metadata.BrokerFeature{Name: f.Name, MinSupportedVersion: f.MinSupportedVersion, MaxSupportedVersion: f.MaxSupportedVersion}
	}
	return ends, features
}

// appendEndpoints appends endpoints by the names of their listeners.
func appendEndpoints(s []byte, list []metadata.BrokerEndpoint) []byte {
	list = slices.Clone(list)
	slices.SortFunc(list, func(a, b metadata.BrokerEndpoint) int { return javatext.Compare(a.Name, b.Name) })
	s = append(s, '[')
	for i, e := range list {
		if i > 0 {
			s = append(s, ", "...)
		}
		protocol, ok := image.SecurityProtocol(e.SecurityProtocol)
		if !ok {
			protocol = "null"
		}
		s = append(s, "Endpoint(listenerName='"+e.Name+"', securityProtocol="+protocol+", host='"+e.Host+"', port="+itoa(e.Port)+")"...)
	}
	return append(s, ']')
}

// appendFeatures appends the supported features by name: {a: 0-1, b: 1}.
func appendFeatures(s []byte, list []metadata.BrokerFeature) []byte {
	s = append(s, '{')
	for i, f := range sortedFeatures(list) {
		if i > 0 {
			s = append(s, ", "...)
		}
		s = append(s, f.Name+": "+itoa(f.MinSupportedVersion)...)
		switch f.MaxSupportedVersion {
		case f.MinSupportedVersion:
		case math.MaxInt16:
			s = append(s, '+')
		default:
			s = append(s, "-"+itoa(f.MaxSupportedVersion)...)
		}
	}
	return append(s, '}')
}

// sortedFeatures gives features by name: they come in the order of a hash map.
func sortedFeatures(list []metadata.BrokerFeature) []metadata.BrokerFeature {
	list = slices.Clone(list)
	slices.SortFunc(list, func(a, b metadata.BrokerFeature) int { return javatext.Compare(a.Name, b.Name) })
	return list
}
