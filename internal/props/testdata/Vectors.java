import java.io.*;
import java.nio.charset.*;
import java.nio.file.*;
import java.util.*;

/**
 * Makes the vectors of this directory with java.util.Properties of the Java that runs it (9 to 17: later
 * releases sort what they store). From this directory: TZ=UTC java Vectors.java . [COUNT]
 *
 * load.txt:  MODE INPUT ok|err N (KEY VALUE)*   MODE 0 is a stream (Latin-1), 1 a reader of UTF-8; on "err" the pairs before it
 * store.txt: COMMENT STREAM WRITER N (KEY VALUE)*   the two files stored after N puts, in this order
 * order.txt: N PUT* KEY*   the keys put, with repetitions, and the order in which they come out
 *
 * Texts are UTF-16 code units and files are bytes, all in hex; - is an empty one.
 */
public class Vectors {
    static final Random random = new Random(42);

    static String hex(String s) {
        StringBuilder b = new StringBuilder();
        for (char c : s.toCharArray()) b.append(String.format("%04x", (int) c));
        return b.length() == 0 ? "-" : b.toString();
    }

    static String hex(byte[] a) {
        StringBuilder b = new StringBuilder();
        for (byte x : a) b.append(String.format("%02x", x));
        return b.length() == 0 ? "-" : b.toString();
    }

    static String pick(String[] from, int n) {
        StringBuilder b = new StringBuilder();
        while (n-- > 0) b.append(from[random.nextInt(from.length)]);
        return b.toString();
    }

    static String join(List<String> l) {
        return l.size() + (l.isEmpty() ? "" : " " + String.join(" ", l));
    }

    static final String[] LOAD = {"a", "b", "=", ":", " ", "\t", "\f", "\\", "\r", "\n", "\r\n", "#", "!", "\\u0041", "\\u00e9", "\\uD83D",
        "\\uDE00", "\\u12", "\\u00G0", "u", "0", "\u00e9", "\\\n", "\\\r\n", "\\\r", "\\t", "\\n", "\\r", "\\f", "\\=", "\\:", "\\ ", "\\#",
        "k=v\n", "\0", "\u0085", "\u00a0", "\\x", "\\\\", "\u000b"};
    static final String[] STORE = {"a", "b", "Aa", "BB", "=", " ", ":", "\\", "#", "!", "\n", "\r", "\t", "\f", "\u00e9", "\u20ac",
        "\ud83d\ude00", "\ud83d", "\0", "\u007f", "~", "\u0085", "x.y", "'", "\""};

    static List<String> load(int count) throws IOException {
        Set<String> out = new TreeSet<>();
        while (out.size() < count) {
            String text = pick(LOAD, 1 + random.nextInt(12));
            for (int mode = 0; mode < 2; mode++) {
                byte[] in = text.getBytes(mode == 0 ? StandardCharsets.ISO_8859_1 : StandardCharsets.UTF_8);
                List<String> pairs = new ArrayList<>();
                Properties p = new Properties() {
                    @Override public synchronized Object put(Object k, Object v) {
                        pairs.add(hex((String) k) + " " + hex((String) v));
                        return super.put(k, v);
                    }
                };
                String result = "ok";
                try {
                    InputStream s = new ByteArrayInputStream(in);
                    if (mode == 0) p.load(s);
                    else p.load(new InputStreamReader(s, StandardCharsets.UTF_8));
                } catch (IllegalArgumentException e) {
                    result = "err";
                }
                if (!pairs.isEmpty() || result.equals("err")) out.add(mode + " " + hex(in) + " " + result + " " + join(pairs));
            }
        }
        return new ArrayList<>(out);
    }

    static List<String> store(int count) throws IOException {
        List<String> out = new ArrayList<>();
        while (out.size() < count) {
            Properties p = new Properties();
            List<String> pairs = new ArrayList<>();
            for (int n = random.nextInt(6); n > 0; n--) {
                String k = pick(STORE, random.nextInt(5)), v = pick(STORE, random.nextInt(5));
                if (p.put(k, v) == null) pairs.add(hex(k) + " " + hex(v));
                else p.remove(k);
            }
            if (pairs.size() != p.size()) continue;
            String comment = pick(STORE, random.nextInt(4));
            ByteArrayOutputStream stream = new ByteArrayOutputStream(), writer = new ByteArrayOutputStream();
            p.store(stream, comment);
            Writer w = new OutputStreamWriter(writer, StandardCharsets.UTF_8);
            p.store(w, comment);
            w.flush();
            out.add(hex(comment) + " " + hex(stream.toByteArray()) + " " + hex(writer.toByteArray()) + " " + join(pairs));
        }
        return out;
    }

    static List<String> order(int count) {
        List<String> out = new ArrayList<>();
        String[] letters = "a b c d e f g h i j k l m n o p q r s t u v w x y z . -".split(" "), colliding = {"Aa", "BB"};
        while (out.size() < count) {
            boolean collide = out.size() % 2 == 0;
            Properties p = new Properties();
            List<String> put = new ArrayList<>(), come = new ArrayList<>();
            for (int n = random.nextInt(out.size() == 4 ? 500 : 60); n > 0; n--) {
                String k = collide ? pick(colliding, random.nextInt(7)) : pick(letters, 1 + random.nextInt(6));
                put.add(hex(k));
                p.setProperty(k, "");
            }
            for (Object k : p.keySet()) come.add(hex((String) k));
            out.add(join(put) + (come.isEmpty() ? "" : " " + String.join(" ", come)));
        }
        return out;
    }

    public static void main(String[] args) throws IOException {
        Path dir = Paths.get(args[0]);
        int count = args.length > 1 ? Integer.parseInt(args[1]) : 20;
        Files.write(dir.resolve("load.txt"), load(20 * count));
        Files.write(dir.resolve("store.txt"), store(3 * count));
        Files.write(dir.resolve("order.txt"), order(count));
    }
}
