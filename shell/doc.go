// Package shell shows the metadata of a KRaft cluster as a tree of nodes, and has
// the verbs to look at it.
//
//	Kafka   the session of Kafka's own metadata shell: ten commands, its texts
//	Shell   ours: any offset, tables, filters, history, health, the znodes that
//	        the metadata would be
//
// Both walk over trees that other packages give (package node): imagetree for
// /image, zookeeper for /zookeeper. A verb of ours is a file verb_NAME.go.
package shell
