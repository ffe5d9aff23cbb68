// Package image holds the metadata of a KRaft cluster as a value: what there is
// after all records of the metadata log up to an offset (KIP-500, KIP-630).
//
//	records ──> Loader ──> Image ──> Image ──> Image      one per published offset
//	            (transactions)   Delta    Delta
//
// An Image never changes. A Delta starts as a copy, which costs nothing because
// both share their maps (package cow), replays records and gives the next image.
// So many images of one cluster can be held at once, and be read by many
// goroutines without a lock.
//
//	d := image.NewDelta(image.Empty())
//	err := d.Replay(record)
//	img := d.Image(image.Provenance{Offset: 42, Epoch: 3})
//
// Most of what an image holds are the records themselves, since what replay does
// with most of them is to keep the last one. Partitions are the exception: there
// may be millions, so they are packed (see partition.go). What an image gives out
// must not be changed.
//
// What each record does is told where it is replayed: one file per part of the
// metadata, one method per record.
package image
