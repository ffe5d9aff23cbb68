import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.Message;
import org.apache.kafka.common.protocol.ObjectSerializationCache;
import org.apache.kafka.common.utils.internals.ImplicitLinkedHashCollection;

/** Fills Kafka's generated message classes with random values, whatever their fields are. */
final class Messages {
    private static final String[] WORDS = {
        "alpha", "beta-1", "gamma_2", "delta.3", "\u00e9psilon", "z\"quote", "back\\slash", "tab\tnl\nff\f\b\r", "\u65e5\u672c",
        "e\u0001f\u007f\u0080\u2028", "</s>&'", "\ud83d\ude00", "", " ", "\u0000", "${x}", "%s", "null"};
    private final Random r;

    Messages(Random r) {
        this.r = r;
    }

    /** A random message of this class that its version can hold. */
    <M extends Message> M fill(M m, short version) throws ReflectiveOperationException {
        fill(m, version, 0);
        return m;
    }

    static boolean fits(Message m, short version) {
        try {
            ObjectSerializationCache cache = new ObjectSerializationCache();
            m.write(new ByteBufferAccessor(ByteBuffer.allocate(m.size(cache, version))), cache, version);
            return true;
        } catch (RuntimeException e) {
            return false;
        }
    }

    String string() {
        if (r.nextInt(60) == 0) return "long".repeat(r.nextInt(3000));
        return WORDS[r.nextInt(WORDS.length)] + (r.nextInt(3) == 0 ? "" : "-" + r.nextInt(1000));
    }

    byte[] bytes() {
        byte[] b = new byte[r.nextInt(40) == 0 ? r.nextInt(5000) : r.nextInt(20)];
        r.nextBytes(b);
        return b;
    }

    /** A double that every Java prints alike: before 19 some got one digit more than they need (JDK-4511638). */
    double number() {
        while (true) {
            double d;
            switch (r.nextInt(6)) {
                case 0: d = Double.longBitsToDouble(r.nextLong()); break;
                case 1: d = r.nextInt(100000) / 100.0; break;
                case 2: d = r.nextLong(); break;
                case 3: d = new double[] {0, -0.0, 1e7, 9999999, 1e-3, 0.00099, Double.MAX_VALUE, 1e21, 1e100}[r.nextInt(9)]; break;
                case 4: d = new double[] {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY}[r.nextInt(3)]; break;
                default: d = r.nextGaussian();
            }
            if (!Double.isFinite(d)) return d;
            String shortest = null;
            for (int p = 0; p < 17 && shortest == null; p++) {
                String s = String.format("%." + p + "e", d);
                if (Double.parseDouble(s) == d) shortest = s;
            }
            if (digits(Double.toString(d)).equals(digits(shortest))) return d;
        }
    }

    private static String digits(String s) {
        String d = s.replaceFirst("[eE].*", "").replaceAll("[^0-9]", "").replaceFirst("^0+", "").replaceFirst("0+$", "");
        return d;
    }

    private int length(int depth, Type element) {
        if (depth > 3) return r.nextInt(2);
        boolean scalar = element == Integer.class || element == Long.class || element == Uuid.class;
        if (scalar && r.nextInt(25) == 0) return 100 + r.nextInt(2000);
        return r.nextInt(4);
    }

    private Object value(Type type, int depth, short version) throws ReflectiveOperationException {
        if (type == String.class) return string();
        if (type == boolean.class) return r.nextBoolean();
        if (type == byte.class || type == Byte.class) return (byte) (r.nextInt(4) == 0 ? r.nextInt() : r.nextInt(5));
        if (type == short.class || type == Short.class) return (short) (r.nextInt(4) == 0 ? r.nextInt() : r.nextInt(300));
        if (type == int.class || type == Integer.class) {
            switch (r.nextInt(5)) {
                case 0: return -1;
                case 1: return r.nextInt();
                case 2: return 65535;
                default: return r.nextInt(100000);
            }
        }
        if (type == long.class || type == Long.class) {
            switch (r.nextInt(5)) {
                case 0: return -1L;
                case 1: return r.nextBoolean() ? Long.MAX_VALUE : Long.MIN_VALUE;
                case 2: return r.nextLong();
                default: return r.nextLong() >>> 20;
            }
        }
        if (type == double.class) return number();
        if (type == Uuid.class) return r.nextInt(5) == 0 ? Uuid.ZERO_UUID : new Uuid(r.nextLong(), r.nextLong());
        if (type == byte[].class) return bytes();
        if (type == ByteBuffer.class) return ByteBuffer.wrap(bytes());
        if (type instanceof ParameterizedType) {
            Type element = ((ParameterizedType) type).getActualTypeArguments()[0];
            List<Object> list = new ArrayList<>();
            for (int n = length(depth, element); n > 0; n--) list.add(value(element, depth + 1, version));
            return list;
        }
        Class<?> c = (Class<?>) type;
        if (ImplicitLinkedHashCollection.class.isAssignableFrom(c)) {
            Type element = ((ParameterizedType) c.getGenericSuperclass()).getActualTypeArguments()[0];
            @SuppressWarnings("unchecked")
            ImplicitLinkedHashCollection<ImplicitLinkedHashCollection.Element> set =
                (ImplicitLinkedHashCollection<ImplicitLinkedHashCollection.Element>) c.getConstructor().newInstance();
            for (int n = length(depth, element); n > 0; n--) set.add((ImplicitLinkedHashCollection.Element) value(element, depth + 1, version));
            return set;
        }
        Message m = (Message) c.getConstructor().newInstance();
        fill(m, version, depth + 1);
        return m;
    }

    private void fill(Message m, short version, int depth) throws ReflectiveOperationException {
        List<Method> setters = new ArrayList<>();
        for (Method s : m.getClass().getDeclaredMethods()) {
            boolean link = s.getName().equals("setPrev") || s.getName().equals("setNext");
            if (s.getName().startsWith("set") && !link && s.getParameterCount() == 1 && !s.isBridge()) setters.add(s);
        }
        setters.sort(Comparator.comparing(Method::getName)); // reflection has no order of its own; seeds need one
        for (Method s : setters) {
            Method get = getter(m, s);
            if (get == null || r.nextInt(12) == 0) continue; // some keep their default
            Object old = get.invoke(m);
            try {
                s.invoke(m, value(s.getGenericParameterTypes()[0], depth, version));
            } catch (InvocationTargetException e) {
                s.invoke(m, r.nextInt(65536)); // an unsigned short in an int
            }
            if (!fits(m, version)) s.invoke(m, old); // a field that this version does not have
        }
        for (Method s : setters) { // nullable fields are null sometimes
            Method get = getter(m, s);
            if (get == null || s.getParameterTypes()[0].isPrimitive() || r.nextInt(5) != 0) continue;
            Object old = get.invoke(m);
            s.invoke(m, (Object) null);
            if (!fits(m, version)) s.invoke(m, old);
        }
    }

    private static Method getter(Message m, Method setter) {
        String name = setter.getName();
        try {
            return m.getClass().getMethod(Character.toLowerCase(name.charAt(3)) + name.substring(4));
        } catch (NoSuchMethodException e) {
            return null;
        }
    }

    /** The bytes of a message, behind a version (or key type) of two bytes as the coordinators' topics have it. */
    static byte[] prefixed(short prefix, Message m, short version) {
        ObjectSerializationCache cache = new ObjectSerializationCache();
        ByteBuffer b = ByteBuffer.allocate(m.size(cache, version) + 2);
        b.putShort(prefix);
        m.write(new ByteBufferAccessor(b), cache, version);
        return b.array();
    }

    static byte[] bytes(Message m, short version) {
        byte[] b = prefixed((short) 0, m, version);
        return Arrays.copyOfRange(b, 2, b.length);
    }
}
