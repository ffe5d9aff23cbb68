import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.message.EndTxnMarker;
import org.apache.kafka.common.message.KRaftVersionRecord;
import org.apache.kafka.common.message.LeaderChangeMessage;
import org.apache.kafka.common.message.SnapshotFooterRecord;
import org.apache.kafka.common.message.SnapshotHeaderRecord;
import org.apache.kafka.common.message.VotersRecord;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.utils.internals.ByteBufferOutputStream;
import org.apache.kafka.common.utils.internals.ByteUtils;

/** Batches and messages byte by byte, with right checksums: what Kafka's own builders refuse to write. */
final class Odd {
    private final Random r;
    private final Messages messages;
    private long offset;

    Odd(Random r, long offset) {
        this.r = r;
        this.messages = new Messages(r);
        this.offset = offset;
    }

    private boolean odd(int oneIn) {
        return r.nextInt(oneIn) == 0;
    }

    private int pick(int... of) {
        return of[r.nextInt(of.length)];
    }

    private long timestamp() {
        switch (r.nextInt(8)) {
            case 0: return -1;
            case 1: return -r.nextInt(1 << 20);
            case 2: return r.nextLong();
            default: return 1_700_000_000_000L + r.nextInt(1 << 20);
        }
    }

    private byte[] payload() {
        byte[] b = new byte[r.nextInt(20)];
        for (int i = 0; i < b.length; i++) b[i] = (byte) ('a' + r.nextInt(26));
        return odd(6) ? null : b;
    }

    private static byte[] written(ByteBuffer b) {
        return Arrays.copyOf(b.array(), b.position());
    }

    private static byte[] compress(CompressionType type, byte magic, byte[] plain) throws IOException {
        ByteBufferOutputStream out = new ByteBufferOutputStream(512);
        try (OutputStream c = Compression.of(type).build().wrapForOutput(out, magic)) {
            c.write(plain);
        }
        return written(out.buffer());
    }

    List<MemoryRecords> modern(int n) throws IOException {
        List<MemoryRecords> list = new ArrayList<>();
        for (; n > 0; n--) list.add(batch(pick(0, 0, 0, 1, 2, 3, 4, odd(8) ? 5 : 0) | flags(), records(1 + r.nextInt(5))));
        return list;
    }

    private int flags() {
        return pick(0, 0, 0, 0x08, 0x10, 0x40, 0x48, 0x50, odd(4) ? 0x20 : 0, odd(4) ? r.nextInt(1 << 12) << 4 : 0);
    }

    private List<byte[]> records(int n) {
        List<byte[]> list = new ArrayList<>();
        for (int i = 0; i < n; i++) list.add(record(odd(20) ? r.nextInt(100) - 50 : i, payload(), payload()));
        return list;
    }

    private byte[] record(int delta, byte[] key, byte[] value) {
        ByteBuffer b = ByteBuffer.allocate(1 << 15);
        b.put((byte) (odd(8) ? r.nextInt() : 0));
        ByteUtils.writeVarlong(odd(10) ? r.nextLong() : r.nextInt(1000) - 100, b);
        ByteUtils.writeVarint(delta, b);
        field(b, key);
        field(b, value);
        int headers = odd(4) ? r.nextInt(3) : 0;
        ByteUtils.writeVarint(odd(60) ? pick(-1, headers + 1, 50, 1 << 20, Integer.MIN_VALUE) : headers, b);
        for (int i = 0; i < headers; i++) {
            field(b, odd(30) ? null : "h".repeat(i).getBytes());
            field(b, payload());
        }
        byte[] body = written(b);
        b.clear();
        number(b, odd(60) ? pick(body.length - 1, body.length + 1, 0, -1, -body.length, Integer.MAX_VALUE) : body.length);
        return written(b.put(body));
    }

    private void field(ByteBuffer b, byte[] x) {
        int size = x == null ? -1 : x.length;
        number(b, odd(60) ? pick(-1, -2, -77, Integer.MIN_VALUE, size + 1, size + 30, Integer.MAX_VALUE) : size);
        if (x != null) b.put(x);
    }

    /** A signed varint, now and then longer than it needs to be, or too long. */
    private void number(ByteBuffer b, int v) {
        overlong(b, (v << 1) ^ (v >> 31), odd(40) ? 1 + r.nextInt(5) : 0);
    }

    /** An unsigned varint with so many bytes more than it needs. */
    static void overlong(ByteBuffer b, int v, int more) {
        ByteUtils.writeUnsignedVarint(v, b);
        if (more == 0) return;
        b.put(b.position() - 1, (byte) (b.get(b.position() - 1) | 0x80));
        while (--more > 0) b.put((byte) 0x80);
        b.put((byte) 0);
    }

    /** A batch of magic 2, or of one that is read like it. */
    private MemoryRecords batch(int attributes, List<byte[]> records) throws IOException {
        byte magic = (byte) (odd(25) ? pick(3, 127, -1, -128) : 2);
        int count = odd(15) ? pick(0, 0, -1, -7, records.size() + 1, records.size() - 1, Integer.MIN_VALUE) : records.size();
        ByteBuffer all = ByteBuffer.allocate(1 << 17);
        for (byte[] x : records) all.put(x);
        if (odd(25)) all.put(new byte[1 + r.nextInt(3)]);
        if (odd(30)) all.position(0);
        byte[] body = written(all);
        int codec = attributes & 7;
        if (codec > 0 && codec <= 4 && !odd(30)) body = compress(CompressionType.forId(codec), (byte) 2, body);
        int last = odd(20) ? pick(-1, -100, Integer.MAX_VALUE, records.size()) : records.size() - 1;
        boolean producer = odd(2);
        ByteBuffer b = ByteBuffer.allocate(61 + body.length);
        b.putLong(offset).putInt(b.capacity() - 12).putInt(odd(8) ? -r.nextInt(10) : 7).put(magic).putInt(0).putShort((short) attributes).putInt(last);
        b.putLong(timestamp()).putLong(timestamp()).putLong(producer ? r.nextInt(5000) - 2 : -1).putShort((short) (producer ? r.nextInt(9) - 2 : -1));
        b.putInt(producer ? pick(0, 5, -1, -2, Integer.MIN_VALUE, Integer.MAX_VALUE - 1) : -1).putInt(count).put(body);
        offset += records.size();
        byte[] x = b.array();
        if (odd(25)) { // cut, and so says its size
            x = Arrays.copyOf(x, 12 + 14 + r.nextInt(47));
            ByteBuffer.wrap(x).putInt(8, x.length - 12);
        }
        return summed(x);
    }

    private MemoryRecords summed(byte[] batch) {
        if (!odd(12)) Damage.checksum(batch, 0);
        return MemoryRecords.readableRecords(ByteBuffer.wrap(batch));
    }

    /** Control batches: any version and type in the key, any version in the value, and values that are too short, too long or null. */
    List<MemoryRecords> control(int n) throws Exception {
        List<MemoryRecords> list = new ArrayList<>();
        for (; n > 0; n--) {
            List<byte[]> records = new ArrayList<>();
            for (int i = odd(4) ? 2 : 1; i > 0; i--) {
                short type = (short) (odd(12) ? pick(-1, 7, 99, Short.MIN_VALUE) : r.nextInt(7));
                byte[] key = ByteBuffer.allocate(4).putShort((short) (odd(10) ? pick(1, 9, 32767, -1) : 0)).putShort(type).array();
                byte[] value = odd(30) ? null : value(type);
                if (value != null && odd(10)) value = Arrays.copyOf(value, value.length + 1 + r.nextInt(9));
                if (value != null && odd(25)) value = Arrays.copyOf(value, r.nextInt(value.length + 1));
                if (odd(15)) key = odd(4) ? null : Arrays.copyOf(key, r.nextInt(9));
                records.add(record(records.size(), key, value));
            }
            list.add(batch(odd(8) ? 0x20 + r.nextInt(5) : 0x20 | pick(0, 0x08, 0x10), records));
        }
        return list;
    }

    private byte[] value(short type) throws ReflectiveOperationException {
        short claimed = (short) (odd(3) ? pick(1, 2, 7, -3, 32767, Short.MIN_VALUE) : 0), zero = 0;
        switch (type) {
            case 0: case 1: return Messages.prefixed(claimed, messages.fill(new EndTxnMarker(), zero), zero);
            case 2: {
                short v = (short) r.nextInt(2);
                return Messages.bytes(messages.fill(new LeaderChangeMessage(), v).setVersion(odd(4) ? claimed : v), v);
            }
            case 3: return Messages.bytes(messages.fill(new SnapshotHeaderRecord(), zero).setVersion(claimed), zero);
            case 4: return Messages.bytes(messages.fill(new SnapshotFooterRecord(), zero).setVersion(claimed), zero);
            case 5: return Messages.bytes(messages.fill(new KRaftVersionRecord(), zero).setVersion(claimed), zero);
            case 6: return Messages.bytes(messages.fill(new VotersRecord(), zero).setVersion(claimed), zero);
            default: return messages.bytes();
        }
    }

    /** Messages of magic 0 and 1, plain or wrapped, of which any may break any rule. */
    List<MemoryRecords> legacy(int n) throws IOException {
        List<MemoryRecords> list = new ArrayList<>();
        for (; n > 0; n--) {
            int magic = r.nextInt(2);
            byte[] m = odd(2) ? message(offset, magic, attributes(magic), payload(), payload()) : wrapper(magic);
            list.add(summed(m));
            offset++;
        }
        return list;
    }

    private int attributes(int magic) {
        return (magic == 1 || odd(8)) && odd(3) ? 0x08 : odd(20) ? r.nextInt(32) << 3 : 0;
    }

    private byte[] message(long offset, int magic, int attributes, byte[] key, byte[] value) {
        ByteBuffer b = ByteBuffer.allocate(1 << 16);
        b.putLong(offset).putInt(0).putInt(0).put((byte) magic).put((byte) attributes);
        if (magic != 0) b.putLong(timestamp());
        for (byte[] x : new byte[][] {key, value}) {
            int size = x == null ? -1 : x.length;
            b.putInt(odd(25) ? pick(-1, -2, -5, Integer.MIN_VALUE, 0, size - 1, size + 1, size + 40, Integer.MAX_VALUE) : size);
            if (x != null) b.put(x);
        }
        if (odd(25)) b.put(new byte[1 + r.nextInt(5)]);
        byte[] x = written(b);
        if (odd(40)) x = Arrays.copyOf(x, 26 + r.nextInt(10));
        ByteBuffer.wrap(x).putInt(8, x.length - 12);
        Damage.checksum(x, 0);
        return x;
    }

    /** A compressed set in the value of a message. */
    private byte[] wrapper(int magic) throws IOException {
        int codec = odd(30) ? pick(4, 5, 7) : 1 + r.nextInt(3), n = odd(20) ? 0 : 1 + r.nextInt(4);
        boolean relative = magic == 1 && !odd(10);
        ByteBuffer set = ByteBuffer.allocate(1 << 17);
        for (int i = 0; i < n; i++) {
            int inner = odd(8) ? pick(1 - magic, 1 - magic, 1 - magic, 2, 3, -1) : magic;
            long at = odd(20) ? r.nextInt(50) - 10 : relative ? i : offset + i;
            set.put(message(at, inner, attributes(inner) | (odd(40) ? 1 + r.nextInt(7) : 0), payload(), payload()));
        }
        if (n > 0 && odd(30)) set.putInt(8, pick(0, 13, -1, 14, 1 << 20));
        if (odd(8)) set.put(new byte[1 + r.nextInt(30)]); // less than a header, or a size of 0
        byte[] value = compress(CompressionType.forId(codec > 3 ? 1 : codec), (byte) magic, written(set));
        offset += Math.max(0, n - 1);
        return message(odd(8) ? 0 : odd(20) ? r.nextInt(3) : offset, magic, attributes(magic) | codec, odd(3) ? payload() : null, odd(40) ? null : value);
    }
}
