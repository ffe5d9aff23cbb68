package image

import (
	"math"
	"slices"

	"kraftctl/decode/kbin"
	"kraftctl/decode/metadata"
)

// What follows tells whether values are the same by what Hash takes of them, so
// that two images have the same hash exactly if nothing differs.

func sameBroker(a, b *Broker) bool {
	return a == b || sameRegistration(a, b) && a.Fenced == b.Fenced && a.InControlledShutdown == b.InControlledShutdown &&
		sameDirectories(a.LogDirs, b.LogDirs) && sameCordoned(a.CordonedLogDirs, b.CordonedLogDirs)
}

// sameRegistration compares what only a registration can change.
func sameRegistration(a, b *Broker) bool {
	return a.BrokerID == b.BrokerID && a.BrokerEpoch == b.BrokerEpoch && a.IncarnationID == b.IncarnationID &&
		a.IsMigratingZkBroker == b.IsMigratingZkBroker && (a.Rack == nil) == (b.Rack == nil) && (a.Rack == nil || *a.Rack == *b.Rack) &&
		slices.EqualFunc(sortedByName(a.EndPoints, brokerEndpointName), sortedByName(b.EndPoints, brokerEndpointName), sameBrokerEndpoint) &&
		slices.EqualFunc(sortedByName(a.Features, brokerFeatureName), sortedByName(b.Features, brokerFeatureName), sameBrokerFeature)
}

func brokerEndpointName(e *metadata.BrokerEndpoint) string         { return e.Name }
func brokerFeatureName(f *metadata.BrokerFeature) string           { return f.Name }
func controllerEndpointName(e *metadata.ControllerEndpoint) string { return e.Name }
func controllerFeatureName(f *metadata.ControllerFeature) string   { return f.Name }

func sameBrokerEndpoint(a, b metadata.BrokerEndpoint) bool {
	return a.Name == b.Name && a.Host == b.Host && a.Port == b.Port && a.SecurityProtocol == b.SecurityProtocol
}

func sameBrokerFeature(a, b metadata.BrokerFeature) bool {
	return a.Name == b.Name && a.MinSupportedVersion == b.MinSupportedVersion && a.MaxSupportedVersion == b.MaxSupportedVersion
}

func sameController(a, b *Controller) bool {
	return a == b || a.ControllerID == b.ControllerID && a.IncarnationID == b.IncarnationID && a.ZkMigrationReady == b.ZkMigrationReady &&
		slices.EqualFunc(sortedByName(a.EndPoints, controllerEndpointName), sortedByName(b.EndPoints, controllerEndpointName), func(a, b metadata.ControllerEndpoint) bool {
			return a.Name == b.Name && a.Host == b.Host && a.Port == b.Port && a.SecurityProtocol == b.SecurityProtocol
		}) &&
		slices.EqualFunc(sortedByName(a.Features, controllerFeatureName), sortedByName(b.Features, controllerFeatureName), func(a, b metadata.ControllerFeature) bool {
			return a.Name == b.Name && a.MinSupportedVersion == b.MinSupportedVersion && a.MaxSupportedVersion == b.MaxSupportedVersion
		})
}

// sameDirectories compares without order, which snapshots do not keep.
func sameDirectories(a, b []kbin.UUID) bool {
	return slices.Equal(a, b) || slices.Equal(sortedDirectories(a), sortedDirectories(b))
}

func sortedDirectories(ids []kbin.UUID) []kbin.UUID {
	sorted := slices.Clone(ids)
	slices.SortFunc(sorted, compareUUID)
	return sorted
}

// canonicalBroker gives a registration with its lists in a fixed order, for what is
// shown of it to be the same where it is.
func canonicalBroker(b *Broker) *Broker {
	c := *b
	c.EndPoints, c.Features = sortedByName(b.EndPoints, brokerEndpointName), sortedByName(b.Features, brokerFeatureName)
	c.LogDirs, c.CordonedLogDirs = sortedDirectories(b.LogDirs), sortedDirectories(b.CordonedLogDirs)
	return &c
}

// canonicalController is the same for a controller.
func canonicalController(c *Controller) *Controller {
	out := *c
	out.EndPoints, out.Features = sortedByName(c.EndPoints, controllerEndpointName), sortedByName(c.Features, controllerFeatureName)
	return &out
}

// sameCordoned tells a list that is not known from an empty one.
func sameCordoned(a, b []kbin.UUID) bool { return (a == nil) == (b == nil) && sameDirectories(a, b) }

func sameTopic(a, b *Topic) bool {
	return a == b || a.name == b.name && a.partitions.Same(b.partitions)
}

func sameConfig(a, b *Config) bool { return a == b || a.values.Same(b.values) }

func sameQuota(a, b *Quota) bool { return a == b || a.values.Same(b.values) }

// sameLimit compares numbers by their bits: a limit may be no number.
func sameLimit(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) }

func sameACL(a, b *ACL) bool {
	return a == b || a.ID == b.ID && a.ResourceType == b.ResourceType && a.ResourceName == b.ResourceName && a.PatternType == b.PatternType &&
		a.Principal == b.Principal && a.Host == b.Host && a.Operation == b.Operation && a.PermissionType == b.PermissionType
}

func sameScram(a, b *ScramCredential) bool {
	return a == b || a.Name == b.Name && a.Mechanism == b.Mechanism && slices.Equal(a.Salt, b.Salt) &&
		slices.Equal(a.StoredKey, b.StoredKey) && slices.Equal(a.ServerKey, b.ServerKey) && a.Iterations == b.Iterations
}

func sameToken(a, b *Token) bool {
	return a == b || a.TokenID == b.TokenID && a.Owner == b.Owner && a.Requester == b.Requester && slices.Equal(a.Renewers, b.Renewers) &&
		a.IssueTimestamp == b.IssueTimestamp && a.MaxTimestamp == b.MaxTimestamp && a.ExpirationTimestamp == b.ExpirationTimestamp
}

// put appends an element to a list, in place of one of the same name: of two the last
// one counts.
func put[T any](list []T, x T, name func(*T) string) []T {
	n := name(&x)
	return append(slices.DeleteFunc(list, func(o T) bool { return name(&o) == n }), x)
}

// same compares comparable values.
func same[T comparable](a, b T) bool { return a == b }
