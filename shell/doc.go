// Package shell shows the metadata of a KRaft cluster as a tree of nodes, and
// has the verbs to look at it.
package shell
