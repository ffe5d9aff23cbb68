import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.RecordBatch;

/** Index files by hand for the batches of a segment: with entries that no broker writes, zeros behind them, and odd lengths. */
final class Indexes {
    static final class Place {
        final int position, size;
        final long last, newest;

        Place(int position, RecordBatch b) {
            this.position = position;
            this.size = b.sizeInBytes();
            this.last = b.lastOffset();
            this.newest = b.maxTimestamp();
        }
    }

    private final Random r;
    private final long base;
    private final List<Place> places, some = new ArrayList<>();

    Indexes(Random r, long base, List<Place> places) {
        this.r = r;
        this.base = base;
        this.places = places;
        int oneIn = 1 + r.nextInt(3);
        for (Place p : places) if (r.nextInt(oneIn) == 0) some.add(p);
    }

    static List<Place> places(List<MemoryRecords> batches) {
        List<Place> list = new ArrayList<>();
        int position = 0;
        for (MemoryRecords m : batches) {
            for (RecordBatch b : m.batches()) {
                list.add(new Place(position, b));
                position += b.sizeInBytes();
            }
        }
        return list;
    }

    byte[] offsets(boolean sound) {
        List<byte[]> entries = new ArrayList<>();
        for (Place p : some) {
            int offset = (int) (p.last - base), position = p.position;
            switch (sound ? 9 : r.nextInt(30)) {
                case 0: position = new int[] {-1, -100, Integer.MIN_VALUE, Integer.MAX_VALUE}[r.nextInt(4)]; break;
                case 1: position += 1 + r.nextInt(p.size); break;
                case 2: position += places.get(places.size() - 1).position + r.nextInt(100); break;
                case 3: offset = -1 - r.nextInt(50); break;
                case 4: offset += r.nextInt(5) - 2; break;
                case 5: position = places.get(r.nextInt(places.size())).position; break;
                default:
            }
            entries.add(ByteBuffer.allocate(8).putInt(offset).putInt(position).array());
        }
        return file(entries, 8, sound);
    }

    byte[] times(boolean sound) {
        List<byte[]> entries = new ArrayList<>();
        for (Place p : some) {
            int offset = (int) (p.last - base);
            long timestamp = p.newest;
            switch (sound ? 9 : r.nextInt(20)) {
                case 0: offset = -1 - r.nextInt(50); break;
                case 1: offset += r.nextInt(5) - 2; break;
                case 2: timestamp = r.nextLong() >> r.nextInt(64); break;
                case 3: timestamp += r.nextInt(5) - 2; break;
                default:
            }
            entries.add(ByteBuffer.allocate(12).putLong(timestamp).putInt(offset).array());
        }
        return file(entries, 12, sound);
    }

    byte[] transactions() {
        List<byte[]> entries = new ArrayList<>();
        for (int n = r.nextInt(6); n > 0; n--) {
            ByteBuffer b = ByteBuffer.allocate(34).putShort((short) (r.nextInt(15) == 0 ? r.nextInt(4) - 1 : 0));
            for (int i = 0; i < 4; i++) b.putLong(r.nextInt(4) == 0 ? r.nextLong() : r.nextInt(1000) - 10);
            entries.add(b.array());
        }
        return file(entries, 34, false);
    }

    private byte[] file(List<byte[]> entries, int entry, boolean sound) {
        if (!sound && r.nextInt(6) == 0) Collections.shuffle(entries, r);
        ByteBuffer b = ByteBuffer.allocate((entries.size() + 6) * entry);
        for (byte[] e : entries) b.put(e);
        int size = b.position();
        if (!sound && r.nextInt(3) == 0) size += entry * r.nextInt(5);
        if (!sound && r.nextInt(4) == 0) size += 1 + r.nextInt(entry - 1);
        if (!sound && r.nextInt(6) == 0) size = r.nextInt(size + 1);
        return Arrays.copyOf(b.array(), size);
    }

    /** The segment with something wrong at or behind a batch of its second half. */
    byte[] behind(byte[] log) {
        Place p = places.get(places.size() - 1 - r.nextInt(1 + places.size() / 2));
        byte[] b = log.clone();
        ByteBuffer buf = ByteBuffer.wrap(b);
        switch (r.nextInt(6)) {
            case 0: return Arrays.copyOf(b, b.length + 1 + r.nextInt(100));
            case 1: Arrays.fill(b, p.position, b.length, (byte) 0); break;
            case 2: buf.putInt(p.position + 8, new int[] {0, 13, 14, -1, Integer.MIN_VALUE, p.size - 13, p.size - 11, Integer.MAX_VALUE}[r.nextInt(8)]); break;
            case 3: b[p.position + 16] = (byte) new int[] {-1, 0, 1, 2, 3, 127}[r.nextInt(6)]; break;
            case 4: return Arrays.copyOf(b, p.position + r.nextInt(Math.min(p.size, 80)));
            default: b[p.position + 17 + r.nextInt(p.size - 17)] ^= (byte) (1 << r.nextInt(8));
        }
        return b;
    }
}
