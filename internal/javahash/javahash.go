// Package javahash gives things in the order in which hash tables of Java and Scala
// iterate over them. Kafka's tools show and write some lists in that order, and so
// must we to give the same bytes.
//
// The order of a java.util.HashMap is that of the buckets, and within one that of
// insertion. It depends on the size of the table, which doubles when it is three
// quarters full, or when a bucket of a small table gets nine entries. In tables of
// 64 and more such a bucket becomes a tree, whose order this package does not
// follow. What the tables of Scala do is in scala.go.
package javahash

import (
	"math/bits"
	"slices"

	"kraftctl/internal/javatext"
)

const (
	defaultTable = 16
	treeifyAt    = 9 // entries of a bucket
	treeifyTable = 64
)

// String is String.hashCode.
func String(s string) uint32 { return javatext.Hash(s) }

// Int is Integer.hashCode.
func Int(i int32) uint32 { return uint32(i) }

// Grown orders keys as a HashMap that they were put into one after the other.
// The keys must be distinct.
func Grown[T any](keys []T, hash func(T) uint32) []T {
	return Sized(keys, hash, defaultTable)
}

// Copied orders keys as a HashMap that was made as a copy of a map with these
// keys in this order: its table is as large as it needs to be from the start.
func Copied[T any](keys []T, hash func(T) uint32) []T {
	// HashMap computes in float32; this is the same for any length there is.
	need := uint(float32(len(keys))/0.75 + 1)
	return Sized(keys, hash, 1<<bits.Len(need-1))
}

// Sized orders keys as a HashMap whose table has that many buckets to begin with,
// a power of two.
func Sized[T any](keys []T, hash func(T) uint32, table int) []T {
	bucket := func(k T) int {
		return int(spread(hash(k)) & uint32(table-1))
	}
	for n := range keys {
		if table < treeifyTable && inBucketOfLast(keys[:n+1], bucket) >= treeifyAt {
			table *= 2
		}
		if (n+1)*4 > table*3 {
			table *= 2
		}
	}
	out := slices.Clone(keys)
	slices.SortStableFunc(out, func(a, b T) int { return bucket(a) - bucket(b) })
	return out
}

// spread mixes the upper half of a hash into the lower one, which chooses the bucket.
func spread(h uint32) uint32 { return h ^ h>>16 }

// inBucketOfLast counts the keys in the bucket of the last one.
func inBucketOfLast[T any](keys []T, bucket func(T) int) (n int) {
	last := bucket(keys[len(keys)-1])
	for _, k := range keys {
		if bucket(k) == last {
			n++
		}
	}
	return n
}
