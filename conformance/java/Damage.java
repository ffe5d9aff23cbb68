import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;

/** Damages files, at random places and at the places where the formats hurt most. */
final class Damage {
    private final Random r;

    Damage(Random r) {
        this.r = r;
    }

    /** A damaged copy. What was done is in {@link #last}. */
    byte[] damage(byte[] in, boolean batches) {
        if (in.length == 0) return bytes(1 + r.nextInt(60), "bytes out of nothing");
        switch (r.nextInt(batches ? 11 : 6)) {
            case 0: return flip(in);
            case 1: return cut(in);
            case 2: return zero(in);
            case 3: return splice(in);
            case 4: return flip(flip(flip(in)));
            case 5: return append(in);
            case 6:
            case 7: return field(in, false);
            default: return field(in, true);
        }
    }

    String last = "";

    private byte[] bytes(int n, String what) {
        byte[] b = new byte[n];
        r.nextBytes(b);
        last = what;
        return b;
    }

    private byte[] flip(byte[] in) {
        byte[] b = in.clone();
        int at = r.nextInt(b.length), bit = r.nextInt(8);
        b[at] ^= (byte) (1 << bit);
        last = "bit " + bit + " of byte " + at;
        return b;
    }

    private byte[] cut(byte[] in) {
        int n = r.nextBoolean() ? r.nextInt(in.length) : in.length - 1 - r.nextInt(Math.min(in.length, 80));
        last = "cut to " + n;
        return Arrays.copyOf(in, n);
    }

    private byte[] zero(byte[] in) {
        byte[] b = in.clone();
        int from = r.nextInt(b.length), to = Math.min(b.length, from + 1 + r.nextInt(300));
        if (r.nextInt(3) == 0) to = b.length;
        Arrays.fill(b, from, to, (byte) 0);
        last = "zeros from " + from + " to " + to;
        return b;
    }

    private byte[] splice(byte[] in) {
        int at = r.nextInt(in.length + 1), drop = r.nextInt(Math.min(40, in.length - at + 1));
        byte[] mid = new byte[r.nextInt(40)];
        r.nextBytes(mid);
        byte[] b = new byte[in.length - drop + mid.length];
        System.arraycopy(in, 0, b, 0, at);
        System.arraycopy(mid, 0, b, at, mid.length);
        System.arraycopy(in, at + drop, b, at + mid.length, in.length - at - drop);
        last = "at " + at + " " + drop + " bytes replaced by " + mid.length;
        return b;
    }

    private byte[] append(byte[] in) {
        byte[] b = Arrays.copyOf(in, in.length + 1 + r.nextInt(100));
        if (r.nextBoolean()) for (int i = in.length; i < b.length; i++) b[i] = (byte) r.nextInt();
        last = (b.length - in.length) + " bytes appended";
        return b;
    }

    /** Sets a field of a random batch to an awkward value, and on demand makes the checksum fit again. */
    private byte[] field(byte[] in, boolean sum) {
        byte[] b = in.clone();
        ByteBuffer buf = ByteBuffer.wrap(b);
        int pos = 0, hops = r.nextInt(6);
        while (hops-- > 0 && pos + 17 < b.length) {
            int next = pos + 12 + buf.getInt(pos + 8);
            if (next <= pos || next + 17 >= b.length) break;
            pos = next;
        }
        if (pos + 61 > b.length) return flip(in);
        int size = buf.getInt(pos + 8);
        int odd = new int[] {0, 1, -1, 5, 13, 14, 48, 49, 50, 0x7ffffff0, Integer.MIN_VALUE, size + 1, size - 1, r.nextInt()}[r.nextInt(14)];
        int at;
        switch (r.nextInt(b[pos + 16] == 2 ? 14 : 7)) {
            case 0: at = pos; buf.putLong(at, r.nextLong() >> r.nextInt(64)); break;      // offset
            case 1: at = pos + 8; buf.putInt(at, odd); break;                             // length
            case 2: at = pos + 16; b[at] = (byte) (r.nextInt(7) - 2); break;              // magic
            case 3: at = pos + 17; buf.putInt(at, odd); break;                            // crc; magic 0, 1: attributes and on
            case 4: at = pos + (b[pos + 16] == 2 ? 22 : 17); b[at] ^= (byte) (1 << r.nextInt(8)); break;
            case 5: at = pos + 26; buf.putInt(at - 3, odd); break;                        // last offset delta
            case 6: at = Math.min(b.length - 1, pos + 61 + r.nextInt(12)); b[at] = (byte) r.nextInt(); break; // the first record
            case 7: at = pos + 57; buf.putInt(at, new int[] {0, 1, -1, 99, buf.getInt(at) + 1, buf.getInt(at) - 1, Integer.MAX_VALUE}[r.nextInt(7)]); break;
            case 8: at = pos + 27; buf.putLong(at, r.nextLong() >> r.nextInt(64)); break; // base timestamp
            case 9: at = pos + 35; buf.putLong(at, r.nextLong() >> r.nextInt(64)); break; // max timestamp
            case 10: at = pos + 43; buf.putLong(at, r.nextLong() >> r.nextInt(64)); break; // producer id
            case 11: at = pos + 53; buf.putInt(at, odd); break;                           // base sequence
            case 12: at = pos + 12; buf.putInt(at, odd); break;                           // leader epoch
            default: at = pos + 61 + r.nextInt(Math.max(1, Math.min(size, b.length - pos) - 61)); if (at < b.length) b[at] ^= (byte) (1 << r.nextInt(8));
        }
        last = "field at " + at + " of the batch at " + pos + (sum ? ", checksum right" : "");
        if (sum) checksum(b, pos);
        return b;
    }

    /** Makes the checksum of the batch at pos fit, if the batch is whole. */
    static void checksum(byte[] b, int pos) {
        ByteBuffer buf = ByteBuffer.wrap(b);
        int end = pos + 12 + buf.getInt(pos + 8);
        if (end > b.length || end < pos + 26) return;
        if (b[pos + 16] >= 2) {
            CRC32C c = new CRC32C();
            c.update(b, pos + 21, end - pos - 21);
            buf.putInt(pos + 17, (int) c.getValue());
        } else {
            CRC32 c = new CRC32();
            c.update(b, pos + 16, end - pos - 16);
            buf.putInt(pos + 12, (int) c.getValue());
        }
    }
}
