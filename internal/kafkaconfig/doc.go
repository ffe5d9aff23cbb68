// Package kafkaconfig loads the configuration of a Kafka node as Kafka 4.4.0
// does, and refuses it as Kafka does: with the same exception and the same
// words, about the same one of several mistakes. kafka-storage loads the whole
// configuration before it does anything, so a command that wants to act like it
// has to know all of its keys and all of its checks.
//
// The file is a properties file (package props), one key and value a line:
//
//	process.roles=broker,controller
//	node.id=1
//	listeners=PLAINTEXT://:9092,CONTROLLER://:9093
//	controller.listener.names=CONTROLLER
//	controller.quorum.voters=1@localhost:9093
//	log.dirs=/data/1,/data/2
//
// What Kafka looks at, and in which order:
//
//  1. config.providers: their classes, and then the ${...} in all values
//     (providers.go, fetch.go).
//  2. Every key by itself, in the order of Definitions and not of the file:
//     whether it must be there, its type (types.go, double.go, classes.go) and
//     its own rule (validators.go). node.id and broker.id stand for each other,
//     and broker.id is read first: node.id=x is an error about broker.id.
//  3. The settings of groups and coordinators against each other (groups.go).
//  4. Listeners and their protocols (endpoints.go, listeners.go).
//  5. Ids, times and sizes of logs (logs.go), replication.
//  6. Advertised listeners, then the quorum (quorum.go) and all listeners
//     against the roles.
//  7. The listener between brokers, log directories, and limits of connections
//     (network.go).
//
// Keys that Kafka does not know are no error there; Config.Unknown lists them.
//
// All rules were found by running Kafka. conformance/config_test.go compares
// with it, testdata/cases.txt keeps what it says of known cases.
package kafkaconfig
