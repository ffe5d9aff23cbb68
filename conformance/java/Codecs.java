import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.EOFException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.utils.internals.BufferSupplier;

/**
 * Decompresses streams, most of them damaged, with Kafka's readers.
 *
 * <pre>Codecs IN OUT LIMIT</pre>
 *
 * IN is a row of: codec (1 byte), magic (1), length (4), stream. OUT is a row of: 0 fine, 1 an exception, 2 more than LIMIT bytes
 * (1 byte); its text, length first (4); the bytes that came out before that, length first (4). Bytes are read one at a time, as
 * the record parser reads most of them.
 */
public final class Codecs {
    public static void main(String[] args) throws Exception {
        int limit = Integer.parseInt(args[2]), n = 0;
        try (DataInputStream in = new DataInputStream(new BufferedInputStream(Files.newInputStream(Path.of(args[0]))));
             DataOutputStream out = new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(Path.of(args[1]))))) {
            BufferSupplier buffers = BufferSupplier.create();
            while (true) {
                int codec;
                try {
                    codec = in.readUnsignedByte();
                } catch (EOFException e) {
                    break;
                }
                byte magic = in.readByte();
                byte[] src = new byte[in.readInt()];
                in.readFully(src);
                ByteArrayOutputStream got = new ByteArrayOutputStream();
                int status = 0;
                String text = "";
                try (InputStream s = Compression.of(CompressionType.forId(codec)).build().wrapForInput(ByteBuffer.wrap(src), magic, buffers)) {
                    for (int b; (b = s.read()) >= 0; ) {
                        if (got.size() == limit) {
                            status = 2;
                            break;
                        }
                        got.write(b);
                    }
                } catch (Throwable t) {
                    status = 1;
                    text = t.toString();
                }
                byte[] utf = text.getBytes(StandardCharsets.UTF_8);
                out.writeByte(status);
                out.writeInt(utf.length);
                out.write(utf);
                out.writeInt(got.size());
                got.writeTo(out);
                n++;
            }
        }
        System.out.println(n + " streams read");
    }
}
