import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.ControlRecordType;
import org.apache.kafka.common.record.internal.DefaultRecordBatch;
import org.apache.kafka.common.record.internal.EndTransactionMarker;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MemoryRecordsBuilder;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.common.utils.internals.ByteBufferOutputStream;

/** Random batches of all three formats, written by Kafka's own builders. */
final class Batches {
    static final int CAPACITY = 4096;
    final Random r;
    long offset;
    long now = 1_700_000_000_000L;
    int epoch;

    Batches(Random r, long offset) {
        this.r = r;
        this.offset = offset;
        this.epoch = r.nextInt(50);
    }

    /** Some batches in a row, of one format as a broker writes them, or of all formats mixed. */
    List<MemoryRecords> data(int batches) throws IOException {
        List<MemoryRecords> list = new ArrayList<>();
        int style = r.nextInt(5);
        for (int i = 0; i < batches; i++) {
            byte magic = (byte) (style <= 2 ? 2 : style == 3 ? 1 : r.nextInt(3));
            if (style == 3 && r.nextInt(4) == 0) magic = 0;
            list.add(magic == 2 ? modern() : legacy(magic));
            if (r.nextInt(4) == 0) offset += r.nextInt(100); // compacted away
            if (r.nextInt(6) == 0) epoch++;
        }
        return list;
    }

    private Compression codec(byte magic) {
        String[] names = {"none", "gzip", "snappy", "lz4", "zstd"};
        return Compression.of(CompressionType.forName(names[r.nextInt(magic == 2 ? 5 : 4)])).build();
    }

    private long timestamp() {
        switch (r.nextInt(12)) {
            case 0: return -1;
            case 1: return 0;
            case 2: return r.nextLong() >>> 2;
            default: return now += r.nextInt(1000) - 100;
        }
    }

    private byte[] payload() {
        switch (r.nextInt(10)) {
            case 0: return null;
            case 1: return new byte[0];
            case 2: case 3: { // any bytes: mostly invalid UTF-8
                byte[] b = new byte[r.nextInt(60)];
                r.nextBytes(b);
                return b;
            }
            case 4: return malformed();
            case 5: if (r.nextInt(8) == 0) return ("wide " + r.nextInt()).repeat(r.nextInt(9000)).getBytes(StandardCharsets.UTF_8);
            // fall through
            default: return ("text \u00e9\u65e5\ud83d\ude00 \"" + r.nextInt() + "\"\t" + "ab".repeat(r.nextInt(40))).getBytes(StandardCharsets.UTF_8);
        }
    }

    /** Sequences that UTF-8 decoders differ on: overlong, surrogates, cut, beyond U+10FFFF, bare continuations. */
    private byte[] malformed() {
        int[][] bad = {{0xc0, 0x80}, {0xe0, 0x80, 0x80}, {0xed, 0xa0, 0x80, 0xed, 0xb0, 0x80}, {0xf4, 0x90, 0x80, 0x80}, {0xf8, 0x88, 0x80, 0x80, 0x80},
            {0x80, 0xbf}, {0xe6, 0x97}, {0xf0, 0x9f, 0x98}, {0xff, 0xfe}, {0xf0, 0x80, 0x80, 0x80}, {0xc3}, {0xe6, 0x41}, {0xf0, 0x9f, 0x41}, {0, 1, 0x7f}, {0xef, 0xbb, 0xbf}};
        ByteArrayOutputStream o = new ByteArrayOutputStream();
        for (int n = 1 + r.nextInt(4); n > 0; n--) {
            for (int b : bad[r.nextInt(bad.length)]) o.write(b);
            if (r.nextBoolean()) o.write('x');
        }
        return o.toByteArray();
    }

    private Header[] headers() {
        Header[] h = new Header[r.nextInt(3) == 0 ? r.nextInt(5) : 0];
        String[] keys = {"h", "", "trace,id", "k[1]", "\u00e9\u65e5", "line\nbreak", "same", "same"};
        for (int i = 0; i < h.length; i++) h[i] = new RecordHeader(keys[r.nextInt(keys.length)], r.nextInt(4) == 0 ? null : payload());
        return h;
    }

    /** Compacted batches have holes between their records. */
    private int gap(boolean compacted) {
        return compacted && r.nextInt(3) == 0 ? 1 + r.nextInt(20) : 0;
    }

    MemoryRecords modern() throws IOException {
        int kind = r.nextInt(14);
        if (kind == 0) return empty();
        if (kind == 1) return marker();
        if (kind == 2) return control();
        boolean transactional = r.nextInt(4) == 0, idempotent = transactional || r.nextInt(3) == 0, compacted = r.nextInt(3) == 0;
        long producer = idempotent ? r.nextInt(5) == 0 ? r.nextLong() >>> 1 : r.nextInt(5000) : -1;
        short producerEpoch = (short) (idempotent ? r.nextInt(3) == 0 ? Short.MAX_VALUE : r.nextInt(10) : -1);
        int sequence = idempotent ? r.nextInt(3) == 0 ? Integer.MAX_VALUE - r.nextInt(20) : r.nextInt(1000) : -1;
        boolean logAppend = r.nextInt(4) == 0;
        long horizon = compacted && r.nextInt(3) == 0 ? 1_800_000_000_000L + r.nextInt() : -1L;
        long base = offset;
        MemoryRecordsBuilder b = new MemoryRecordsBuilder(new ByteBufferOutputStream(CAPACITY), (byte) 2, codec((byte) 2),
            logAppend ? TimestampType.LOG_APPEND_TIME : TimestampType.CREATE_TIME, base, logAppend ? timestamp() : -1L,
            producer, producerEpoch, sequence, transactional, false, r.nextInt(6) == 0 ? -1 : epoch, 0, horizon);
        offset += gap(compacted);
        for (int n = 1 + r.nextInt(r.nextInt(12) == 0 ? 400 : 12); n > 0; n--) {
            b.appendWithOffset(offset, timestamp(), payload(), payload(), headers());
            offset += 1 + gap(compacted);
        }
        MemoryRecords m = b.build();
        offset = Math.max(offset, base + 1);
        return m;
    }

    /** What is left of a batch of which compaction removed every record. */
    private MemoryRecords empty() {
        ByteBuffer b = ByteBuffer.allocate(100);
        long last = offset + r.nextInt(30);
        DefaultRecordBatch.writeEmptyHeader(b, (byte) 2, r.nextInt(5000), (short) r.nextInt(20), r.nextBoolean() ? -1 : r.nextInt(1000), offset, last, epoch,
            r.nextBoolean() ? TimestampType.CREATE_TIME : TimestampType.LOG_APPEND_TIME, timestamp(), r.nextBoolean(), r.nextInt(3) == 0);
        b.flip();
        offset = last + 1;
        return MemoryRecords.readableRecords(b);
    }

    private MemoryRecords marker() {
        ControlRecordType type = r.nextBoolean() ? ControlRecordType.COMMIT : ControlRecordType.ABORT;
        return MemoryRecords.withEndTransactionMarker(offset++, now, epoch, r.nextInt(5000), (short) r.nextInt(20), new EndTransactionMarker(type, r.nextInt(90) - 1));
    }

    /** Control batches with unknown types, odd keys and other lengths of the value. */
    private MemoryRecords control() throws IOException {
        ByteBuffer buf = ByteBuffer.allocate(CAPACITY);
        MemoryRecordsBuilder b = MemoryRecords.builder(buf, (byte) 2, Compression.NONE, TimestampType.CREATE_TIME, offset, now, -1L, (short) -1, -1, false, true, epoch);
        for (int n = 1 + r.nextInt(3); n > 0; n--) {
            int version = r.nextInt(5) == 0 ? r.nextInt(4) - 1 : 0, type = r.nextInt(3) == 0 ? r.nextInt(2) : r.nextBoolean() ? 7 + r.nextInt(100) : -1;
            ByteBuffer key = ByteBuffer.allocate(4 + r.nextInt(3) / 2);
            key.putShort((short) version).putShort((short) type);
            ByteBuffer value = ByteBuffer.allocate(type == 0 || type == 1 ? 6 + r.nextInt(3) / 2 : r.nextInt(12));
            b.appendUncheckedWithOffset(offset++, new SimpleRecord(now, key.array(), value.array()));
        }
        return b.build();
    }

    MemoryRecords legacy(byte magic) {
        boolean logAppend = magic == 1 && r.nextInt(3) == 0;
        TimestampType type = magic == 0 ? TimestampType.NO_TIMESTAMP_TYPE : logAppend ? TimestampType.LOG_APPEND_TIME : TimestampType.CREATE_TIME;
        boolean compacted = r.nextInt(4) == 0;
        offset += gap(compacted);
        MemoryRecordsBuilder b = MemoryRecords.builder(ByteBuffer.allocate(CAPACITY), magic, codec(magic), type, offset, now);
        for (int n = 1 + r.nextInt(r.nextInt(12) == 0 ? 300 : 8); n > 0; n--) {
            b.appendWithOffset(offset, magic == 0 ? -1 : timestamp(), payload(), payload());
            offset += 1 + gap(compacted);
        }
        return b.build();
    }

    /** Records made elsewhere, in batches of a few, as a coordinator or the controller appends them. */
    List<MemoryRecords> of(List<SimpleRecord> records, boolean mayCompress) {
        List<MemoryRecords> list = new ArrayList<>();
        for (int i = 0; i < records.size(); ) {
            int n = Math.min(records.size() - i, 1 + r.nextInt(6));
            Compression c = mayCompress && r.nextInt(4) == 0 ? codec((byte) 2) : Compression.NONE;
            list.add(MemoryRecords.withRecords(offset, c, epoch, records.subList(i, i + n).toArray(new SimpleRecord[0])));
            offset += n;
            i += n;
        }
        return list;
    }

    static byte[] bytes(MemoryRecords m) {
        ByteBuffer b = m.buffer().duplicate();
        byte[] x = new byte[b.remaining()];
        b.get(x);
        return x;
    }

    static byte[] bytes(List<MemoryRecords> list) {
        ByteArrayOutputStream o = new ByteArrayOutputStream();
        for (MemoryRecords m : list) o.writeBytes(bytes(m));
        return o.toByteArray();
    }
}
