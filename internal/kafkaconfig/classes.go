package kafkaconfig

// A node loads classes by name, from a class path that is unknown here. The
// classes of Kafka itself that are meant for its settings are known; any other
// is taken for missing, and reported as Kafka reports a class that it cannot
// find. So a configuration with a plugin of somebody else's is refused, and one
// with a class of Kafka's own that has no business there as well.
func knownClass(name string) bool {
	_, ok := classes[name]
	return ok
}

// principalSerde reports whether a class can turn principals into bytes, which
// brokers need to pass them on to a controller.
func principalSerde(name string) bool { return classes[name] }
