// Package compress decodes and encodes the five codecs that Apache Kafka puts
// around the records of a batch, one whole batch at a time.
//
// A batch is decompressed in one call, into a buffer that the caller keeps:
//
//	var d compress.Decoder // one per goroutine, reused for every batch
//	buf, err := d.Decompress(buf[:0], compress.LZ4, 2, payload, 64<<20)
//
// The frames around the codecs are parsed here rather than by the codecs'
// libraries, for three reasons: Kafka's frames are not the usual ones (the LZ4
// header checksum of magic 0, the snappy stream of Java programs), damage must
// be reported with its place and with what was expected there, and whatever
// Kafka's own reader accepts or ignores must be accepted or ignored here too.
// What is inside them is klauspost/compress (snappy, zstd, and writing deflate),
// pierrec/lz4, and our own inflater.
//
// # Frames
//
// All numbers are in bytes; BE and LE say the byte order.
//
// gzip is RFC 1952. Kafka writes mtime 0, flags 0 and OS 255 (JDK 16 and
// newer) or 0 (older ones). Members may follow one another; what follows the
// last member and does not start like one is ignored, as Java does.
//
//	+------+----+-----+-------+-----+----+---------+------------+-------------+
//	| 1f8b | 08 | flg | mtime | xfl | os | deflate | crc32 LE 4 | isize LE 4  |
//	+------+----+-----+-------+-----+----+---------+------------+-------------+
//
// snappy is the stream of the xerial library. Its two versions are not looked
// at; without the magic the whole input is one raw snappy block. A header may
// come again between chunks (concatenated streams) and is skipped. Kafka cuts
// its input into chunks of 32 KiB.
//
//	+---------------------+--------------+-----------------+
//	| 82 "SNAPPY" 00 (8)  | version BE 4 | compatible BE 4 |
//	+---------------------+--------------+-----------------+
//	+-------------+-----------------------+
//	| length BE 4 | raw snappy block ...  |  repeated to the end
//	+-------------+-----------------------+
//
// lz4 is the LZ4 frame format, independent blocks only. The header checksum HC
// is (xxh32(FLG BD [content size]) >> 8) & 0xff. Magic 0 batches carry a wrong
// one that older clients computed over the magic as well (KAFKA-3160), so it
// is not verified there; it is for magic 1 and 2. A block whose size has its
// top bit set is stored. Kafka writes FLG 60, BD 40 (64 KiB blocks) and no
// further checksums.
//
//	+-------------------+-----+----+------------------+----+
//	| 04 22 4d 18       | FLG | BD | content size LE 8| HC |  size only if FLG bit 3
//	+-------------------+-----+----+------------------+----+
//	+-----------+----------------+------------------+
//	| size LE 4 | block ...      | xxh32 LE 4       |  repeated; checksum only if FLG bit 4
//	+-----------+----------------+------------------+
//	+-----------+------------------+
//	| 0 LE 4    | xxh32 LE 4       |  end mark; checksum only if FLG bit 2, never verified
//	+-----------+------------------+
//
// zstd is RFC 8878, allowed in magic 2 only (KIP-110). Kafka writes one frame
// without content size and without checksum; concatenated and skippable
// frames are accepted, windows over 128 MiB are refused as libzstd does.
//
//	+-------------+-----+--------+------+--------------+
//	| 28 b5 2f fd | FHD | window | dict | content size |  which of them are there: FHD
//	+-------------+-----+--------+------+--------------+
//	+-----------------------------+-------------+
//	| last 1, type 2, size 21 LE 3 | block ...   |  repeated to the last; then xxh64 LE 4 if FHD bit 2
//	+-----------------------------+-------------+
//
// # Memory
//
// A few bytes can claim, and a few kilobytes can truly decode to, gigabytes.
// Output is limited by the caller, and no buffer is sized by a claim that the
// bytes at hand could not fulfil: every claim is first compared with the most
// that so many input bytes can decode to, and where that is too generous the
// buffer grows geometrically with what was really decoded.
package compress
