// Compresses known texts with Apache Kafka's own classes, and takes batches of real segments apart with them.
//   java -cp 'LIBS/*' Vectors.java OUTDIR [NAME=SEGMENT.log ...]
// For each codec and magic it writes OUTDIR/text-SIZE.CODEC.mMAGIC. The text of SIZE bytes is repeated by vectors_test.go.
// For each segment it writes NAME.payload, the compressed payload of its first batch, and NAME.records, the same decompressed.
import java.io.*;
import java.nio.ByteBuffer;
import java.nio.file.*;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.internal.*;
import org.apache.kafka.common.utils.internals.*;

public class Vectors {
    static byte[] text(int size) {
        StringBuilder s = new StringBuilder();
        long x = 42;
        for (int i = 0; s.length() < size; i++) {
            x = (x * 1103515245 + 12345) & 0x7fffffff;
            s.append("line ").append(i).append(" value ").append(x).append(" of the text\n");
        }
        return s.substring(0, size).getBytes(java.nio.charset.StandardCharsets.US_ASCII);
    }

    public static void main(String[] args) throws Exception {
        Path out = Path.of(args[0]);
        for (String codec : new String[]{"gzip", "snappy", "lz4", "zstd"})
            for (int size : new int[]{0, 1, 36, 1000, 100000})
                for (byte magic = 0; magic <= 2; magic++) {
                    if (magic == 1 || magic == 0 && (!codec.equals("lz4") || size > 1000)) continue;   // magic matters for lz4 only
                    byte[] text = size == 36 ? ("a".repeat(30) + "-hello").getBytes() : text(size);
                    ByteBufferOutputStream b = new ByteBufferOutputStream(512);
                    try (OutputStream o = Compression.of(codec).build().wrapForOutput(b, magic)) { o.write(text); }
                    ByteBuffer z = b.buffer();
                    z.flip();
                    byte[] x = new byte[z.remaining()];
                    z.get(x);
                    Files.write(out.resolve("text-" + size + "." + codec + ".m" + magic), x);
                }
        for (int i = 1; i < args.length; i++) {
            String[] p = args[i].split("=");
            byte[] seg = Files.readAllBytes(Path.of(p[1]));
            ByteBuffer b = ByteBuffer.wrap(seg);
            byte magic = b.get(16);
            ByteBuffer payload;
            if (magic == 2) { payload = b.slice(61, b.getInt(8) + 12 - 61); } else { int at = magic == 0 ? 12 + 14 : 12 + 22; payload = b.slice(at, b.getInt(at - 4)); }
            int codec = magic == 2 ? seg[22] & 7 : seg[17] & 7;
            byte[] x = new byte[payload.remaining()];
            payload.duplicate().get(x);
            Files.write(out.resolve(p[0] + ".payload"), x);
            try (InputStream in = Compression.of(CompressionType.forId(codec)).build().wrapForInput(payload, magic, BufferSupplier.NO_CACHING)) {
                Files.write(out.resolve(p[0] + ".records"), in.readAllBytes());
            }
        }
    }
}
