import java.io.*;
import java.lang.reflect.*;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;
import java.util.zip.GZIPOutputStream;
import net.sourceforge.argparse4j.*;
import net.sourceforge.argparse4j.impl.Arguments;
import net.sourceforge.argparse4j.inf.*;

/**
 * Makes vectors.txt.gz: command lines and what argparse4j 0.7.0 makes of them. From an empty directory, into which it writes argument files, with Java 17:
 *
 * <pre>java -XX:-OmitStackTraceInFastThrow --add-opens java.base/java.lang=ALL-UNNAMED --add-opens java.base/java.util=ALL-UNNAMED -cp argparse4j-0.7.0.jar -Duser.language=en Vectors.java FILE [PARSERS [SEED]]</pre>
 *
 * Lines have fields separated by tabs, with \t \n \r \\ and \\uXXXX for what cannot be in them. A parser is
 *
 * <pre>
 * P prog nohelp files description      begins a parser
 * C name nohelp help description       begins a command
 * G required                           begins a group, alone ends it
 * S title                              begins a section, alone ends it
 * A names dest metavar help required kind integer
 * N dest metavar help nargs integer    a positional
 * F name content                       an argument file
 * T columns arg*                       a command line; the next line is its outcome:
 * ok (key=value)*   help text   err text message   crash exception
 * </pre>
 */
public class Vectors {
    static Random random;
    static List<String> out = new ArrayList<>();

    static String esc(String s) {
        StringBuilder b = new StringBuilder();
        for (char c : s.toCharArray()) {
            if (c == '\\') b.append("\\\\");
            else if (c == '\t') b.append("\\t");
            else if (c == '\n') b.append("\\n");
            else if (c == '\r') b.append("\\r");
            else if (c < 32) b.append(String.format("\\u%04x", (int) c));
            else b.append(c);
        }
        return b.toString();
    }

    static String un(String s) {
        StringBuilder b = new StringBuilder();
        for (int i = 0; i < s.length(); i++) {
            char c = s.charAt(i);
            if (c == '\\') {
                c = s.charAt(++i);
                if (c == 'u') {
                    c = (char) Integer.parseInt(s.substring(i + 1, i + 5), 16);
                    i += 4;
                } else c = c == 't' ? '\t' : c == 'n' ? '\n' : c == 'r' ? '\r' : c;
            }
            b.append(c);
        }
        return b.toString();
    }

    static String line(Object... fields) {
        List<String> l = new ArrayList<>();
        for (Object f : fields) l.add(esc(String.valueOf(f)));
        return String.join("\t", l);
    }

    static boolean chance(int oneIn) {
        return random.nextInt(oneIn) == 0;
    }

    static String pick(String... from) {
        return from[random.nextInt(from.length)];
    }

    /** The width comes from the environment of this process. */
    @SuppressWarnings("unchecked")
    static void columns(int n) throws Exception {
        Map<String, String> env = System.getenv();
        Field f = env.getClass().getDeclaredField("m");
        f.setAccessible(true);
        Map<String, String> inner = (Map<String, String>) f.get(env);
        // It maps wrappers of bytes, but its own put takes strings.
        Method put = inner.getClass().getMethod("put", Object.class, Object.class);
        put.setAccessible(true);
        put.invoke(inner, "COLUMNS", Integer.toString(n + 5));
    }

    static ArgumentParser build(List<String> definition) {
        ArgumentParser root = null, at = null;
        Subparsers commands = null;
        MutuallyExclusiveGroup group = null;
        ArgumentGroup section = null;
        for (String l : definition) {
            String[] f = l.split("\t", -1);
            for (int i = 0; i < f.length; i++) f[i] = un(f[i]);
            switch (f[0]) {
                case "P":
                    root = at = f[3].equals("1") ? ArgumentParsers.newArgumentParser(f[1], f[2].equals("0"), "-", "@")
                        : ArgumentParsers.newArgumentParser(f[1], f[2].equals("0"));
                    if (!f[4].isEmpty()) root.description(f[4]);
                    break;
                case "C":
                    if (commands == null) commands = root.addSubparsers().dest("command");
                    Subparser s = commands.addParser(f[1], f[2].equals("0"));
                    if (!f[3].isEmpty()) s.help(f[3]);
                    if (!f[4].isEmpty()) s.description(f[4]);
                    at = s;
                    break;
                case "G":
                    group = f.length == 1 ? null : at.addMutuallyExclusiveGroup();
                    if (f.length > 1 && f[1].equals("1")) group.required(true);
                    break;
                case "S":
                    section = f.length == 1 ? null : at.addArgumentGroup(f[1]);
                    break;
                case "A":
                    String[] names = f[1].split(" ");
                    Argument a = group != null ? group.addArgument(names) : section != null ? section.addArgument(names) : at.addArgument(names);
                    if (!f[2].isEmpty()) a.dest(f[2]);
                    if (!f[3].isEmpty()) a.metavar(f[3]);
                    if (!f[4].isEmpty()) a.help(f[4]);
                    if (f[5].equals("1")) a.required(true);
                    a.action(f[6].equals("true") ? Arguments.storeTrue() : f[6].equals("append") ? Arguments.append() : Arguments.store());
                    if (f[7].equals("1")) a.type(Integer.class);
                    break;
                case "N":
                    Argument n = at.addArgument(f[1]);
                    if (!f[2].isEmpty()) n.metavar(f[2]);
                    if (!f[3].isEmpty()) n.help(f[3]);
                    if (!f[4].isEmpty()) n.nargs(f[4]);
                    if (f[5].equals("1")) n.type(Integer.class);
                    break;
            }
        }
        return root;
    }

    static void values(StringBuilder b, String key, Object v) {
        if (v == null || v.equals(false)) return;
        if (v instanceof List) for (Object x : (List<?>) v) values(b, key, x);
        else b.append("\t").append(esc(key + "=" + v));
    }

    static String outcome(List<String> definition, int columns, String[] args) throws Exception {
        columns(columns);
        PrintStream so = System.out, se = System.err;
        ByteArrayOutputStream o = new ByteArrayOutputStream(), e = new ByteArrayOutputStream();
        System.setOut(new PrintStream(o, true, "UTF-8"));
        System.setErr(new PrintStream(e, true, "UTF-8"));
        try {
            StringBuilder b = new StringBuilder("ok");
            for (Map.Entry<String, Object> x : new TreeMap<>(build(definition).parseArgs(args).getAttrs()).entrySet())
                values(b, x.getKey(), x.getValue());
            return b.toString();
        } catch (ArgumentParserException x) {
            if (x.getClass().getSimpleName().equals("HelpScreenException")) return line("help", o.toString("UTF-8"));
            x.getParser().handleError(x);
            return line("err", e.toString("UTF-8"), x.getMessage());
        } finally {
            System.setOut(so);
            System.setErr(se);
        }
    }

    static final String[] WORDS = {"a", "the", "controller", "quorum", "node.id", "not-forward-compatible", "feature=level", "`kraft.version=1`", "3.3-IV3;",
        "SCRAM-SHA-256=[name=alice,password=alice-secret]", "salt=\"N3E=\",", "0@example.com:8082:JEXY6aqzQY-32P5TStzaFg,1@example.com:8083:MvDxzVmcRsaTz33bUuRU6A",
        "--release-version", "(e.g.", "method()", "\u2014", "directory,", "is", "to", "in", "What?", "yes/no", "$HOME", "50%", "don't", "'quoted'", "a_b", "x[1]{2}", "it's:",
        "\u00e9t\u00e9", "\u4e2d\u6587\u5b57", "\u3042\u3002", "e\u0301", "\ud83d\ude00", "\u05d0\u05d1", "1,234.56", "-1", "...", "1-2", "%-5d", "\u00a0", "\u00ad", "\u201cq\u201d"};
    static final String[] GLUE = {" ", " ", " ", " ", " ", " ", " ", "  ", "\n", "", "   ", "\t", "-", "\n\n", "\r\n", " \n ", "\u2028", "."};

    static String text(int max) {
        StringBuilder b = new StringBuilder(chance(30) ? " " : "");
        boolean plain = chance(2);
        for (int n = 1 + random.nextInt(max); n > 0; n--) {
            if (chance(90)) for (int k = random.nextInt(8); k > 0; k--) b.append(unicode());
            b.append(plain ? WORDS[random.nextInt(24)] : pick(WORDS)).append(n == 1 && !chance(9) ? "" : plain && !chance(30) ? " " : pick(GLUE));
        }
        return b.toString();
    }

    static String unicode() {
        int c = chance(3) ? random.nextInt(0x20000) : chance(2) ? random.nextInt(0x3100) : random.nextInt(0x100);
        return c >= 0xd800 && c < 0xe000 || c == 0 ? "x" : new String(Character.toChars(c));
    }

    static final String[] LONG = {"config", "cluster-id", "add-scram", "ignore-formatted", "release-version", "feature", "features", "standalone", "initial-controllers",
        "no-initial-controllers", "dry-run", "snapshot", "xy", "x", "config-file", "bootstrap-server", "bootstrap-controller", "command-config", "node-id",
        "a-very-long-name-of-an-option-indeed", "hel", "controller-id"};
    static final String SHORT = "ctSgrfsNIbCdiyz";
    static final String[] COMMANDS = {"info", "format", "version-mapping", "feature-dependencies", "random-uuid", "describe", "add-controller", "remove-controller", "ls",
        "cat", "find", "f", "a-command-with-a-long-name"};

    static void options(List<String> d, Set<String> used) {
        boolean group = false, section = false;
        for (int n = random.nextInt(7); n > 0; n--) {
            List<String> names = new ArrayList<>();
            if (!chance(6)) names.add("--" + pick(LONG));
            if (names.isEmpty() || chance(2)) names.add("-" + SHORT.charAt(random.nextInt(SHORT.length())));
            names.removeIf(x -> !used.add(x));
            if (chance(8)) Collections.reverse(names);
            if (names.isEmpty()) continue;
            if (group && chance(3) || section && chance(3)) {
                d.add(group ? "G" : "S");
                group = section = false;
            } else if (!group && !section && chance(4)) {
                group = true;
                d.add(line("G", random.nextInt(2)));
            } else if (!group && !section && chance(10)) {
                section = true;
                d.add(line("S", pick("Status", "Replication", "Other things") + n));
            }
            boolean flag = chance(3);
            d.add(line("A", String.join(" ", names), chance(9) ? pick("dest", "other_dest") + d.size() : "", flag || !chance(6) ? "" : pick("FILE", "a b", "\u00e9"),
                chance(9) ? "" : text(25), !group && chance(5) ? 1 : 0, flag ? "true" : chance(4) ? "append" : "store", !flag && chance(9) ? 1 : 0));
        }
        if (group) d.add("G");
        if (section) d.add("S");
    }

    static void positionals(List<String> d) {
        String[] names = {"targets", "item", "count", "path"};
        boolean open = false;
        for (int i = 0; i < names.length && chance(2) && !open; i++) {
            String n = pick("", "", "?", "*", "+");
            d.add(line("N", names[i], chance(4) ? "META" : "", text(12), n, chance(7) ? 1 : 0));
            open = n.equals("*") || n.equals("+");
        }
    }

    static List<String> parser() {
        List<String> d = new ArrayList<>();
        d.add(line("P", chance(12) ? "" : pick("kafka-storage", "kafka-metadata-quorum", "p", "a-program-with-a-name-that-is-too-long"), chance(6) ? 1 : 0, random.nextInt(2),
            chance(2) ? text(30) : ""));
        Set<String> used = new HashSet<>(List.of("-h", "--help"));
        options(d, used);
        if (chance(4)) positionals(d);
        else {
            Set<String> commands = new LinkedHashSet<>();
            for (int n = 1 + random.nextInt(5); n > 0; n--) commands.add(pick(COMMANDS));
            for (String c : commands) {
                d.add(line("C", c, chance(6) ? 1 : 0, chance(9) ? "" : text(20), chance(5) ? text(20) : ""));
                // A key that both levels have is not what Kafka has.
                options(d, new HashSet<>(used));
                if (chance(3)) positionals(d);
            }
        }
        return d;
    }

    static String[] arguments(List<String> d) {
        List<String> names = new ArrayList<>(List.of("-h", "--help")), commands = new ArrayList<>(List.of("info"));
        List<String> section = new ArrayList<>();
        Map<String, List<String>> of = new LinkedHashMap<>();
        of.put("", section);
        for (String l : d) {
            String[] f = l.split("\t", -1);
            if (f[0].equals("C")) of.put(f[1], section = new ArrayList<>());
            if (f[0].equals("A")) section.add(l);
        }
        List<String> args = new ArrayList<>();
        boolean good = chance(3);
        fill(args, of.get(""), good);
        if (chance(14)) args.add("-h");
        if (of.size() > 1 && !chance(10)) {
            List<String> l = new ArrayList<>(of.keySet());
            String c = l.get(1 + random.nextInt(l.size() - 1));
            args.add(good || !chance(4) ? c : c.substring(0, random.nextInt(c.length() + 1)));
            fill(args, of.get(c), good);
            if (chance(10)) args.add("-h");
            if (chance(6)) fill(args, of.get(""), good);
        }
        if (good ? chance(3) : chance(2)) for (int n = random.nextInt(4); n > 0; n--) args.add(odd());
        return args.toArray(new String[0]);
    }

    static String odd() {
        switch (random.nextInt(9)) {
            case 0: return pick("-", "--", "---", "", " ", "-1", "-12", "-1.5", "-1x", "-\u0661", "-=x", "--=x", "-x=1", "--x");
            case 1: return "--" + pick(LONG) + pick("", "=", "=x", "s");
            case 2: return "-" + SHORT.charAt(random.nextInt(SHORT.length())) + pick("", "=", "=x", "g", "h", "xyz");
            case 3: return pick("@one", "@two", "@three", "@missing", "@", "@@one", "@crlf", "@bad", "x@one");
            case 4: return text(8);
            case 5: return pick("-h", "--help", "--he", "-hx", "-hh", "--help=x", "-h=");
            default: return pick("x", "value", "3", "-3", "+4", "99999999999", "a b", "caf\u00e9", "1@localhost:9093:JEXY6aqzQY-32P5TStzaFg", "-1@localhost:9093");
        }
    }

    static void fill(List<String> args, List<String> options, boolean good) {
        List<String> shuffled = new ArrayList<>(options);
        Collections.shuffle(shuffled, random);
        for (String l : shuffled) {
            String[] f = l.split("\t", -1);
            if (!(good && f[5].equals("1")) && chance(good ? 3 : 2)) continue;
            String[] names = f[1].split(" ");
            String name = pick(names);
            if (name.length() > 4 && chance(5)) name = name.substring(0, 3 + random.nextInt(name.length() - 3));
            if (!good && chance(12) && name.length() > 4) name = new StringBuilder(name).deleteCharAt(2 + random.nextInt(name.length() - 3)).toString();
            if (!good && chance(25)) name = new StringBuilder(name).insert(2, pick("x", "-", "h")).toString();
            if (f[6].equals("true")) {
                if (!name.startsWith("--") && !args.isEmpty() && chance(3) && args.get(args.size() - 1).matches("-[a-zA-Z]+")) {
                    args.set(args.size() - 1, args.get(args.size() - 1) + name.substring(1));
                } else args.add(chance(20) ? name + "=" + pick("", "x") : name);
                continue;
            }
            String v = f[7].equals("1") ? pick("1", "2", "-3", "+4", "x", "2147483648", "\u0663", "") : good ? pick("v", "a=b", "/etc/x y") : odd();
            if (chance(3)) args.add(name + (name.startsWith("--") || chance(3) ? "=" : "") + v);
            else {
                args.add(name);
                if (good || !chance(8)) args.add(v);
            }
            if (!good && chance(12)) args.add(odd());
        }
    }

    /** The options of Kafka's own tools, in the order of their help. */
    static final String[][] KAFKA = {
        {"P|kafka-storage|0|1|The Kafka storage tool.", "C|info|0|Get information.|", "A|--config -c|||The file.|1|store|0",
            "C|format|0|Format the directories.|", "A|--config -c|||The file.|1|store|0", "A|--cluster-id -t|||The ID.|1|store|0",
            "A|--add-scram -S|||A credential.|0|append|0", "A|--ignore-formatted -g|||Skip.|0|true|0", "A|--release-version -r|||A version.|0|store|0",
            "A|--feature -f|||A feature.|0|append|0", "G|0", "A|--standalone -s|||Alone.|0|true|0", "A|--no-initial-controllers -N|||None.|0|true|0",
            "A|--initial-controllers -I|||Some.|0|store|0", "G", "C|version-mapping|0|Look up features.|", "A|--release-version -r|||A version.|0|store|0",
            "C|feature-dependencies|0|Look up dependencies.|", "A|--feature -f|||A feature.|1|append|0", "C|random-uuid|0|Print one.|"},
        {"P|kafka-metadata-quorum|0|0|This tool describes kraft metadata quorum status.", "G|1", "A|--bootstrap-server|||Servers.|0|store|0",
            "A|--bootstrap-controller|||Controllers.|0|store|0", "G", "A|--command-config|||A file.|0|store|0", "C|describe|0|Describe.|", "S|Status",
            "A|--status|||Short.|0|true|0", "S", "S|Replication", "A|--replication|||Long.|0|true|0", "A|--human-readable|||Human.|0|true|0", "S",
            "C|add-controller|0|Add.|", "A|--dry-run|||Dry.|0|true|0", "C|remove-controller|0|Remove.|", "A|--controller-id -i|||Id.|1|store|1",
            "A|--controller-directory-id -d|||Id.|1|store|0", "A|--dry-run|||Dry.|0|true|0", "A|--unregister|||Too.|0|true|0"},
        {"P|kafka-cluster|0|0|The Kafka cluster tool.", "C|cluster-id|0|Get the ID.|", "G|1", "A|--bootstrap-server -b|||Servers.|0|store|0",
            "A|--bootstrap-controller -C|||Controllers.|0|store|0", "G", "A|--config|||Old.|0|store|0", "A|--command-config -c|||New.|0|store|0"},
        {"P|kafka-metadata-shell|0|0|The Apache Kafka metadata shell", "A|--snapshot -s|||The snapshot.|1|store|0", "N|command||The command.|*|0"},
        {"P||1|0|", "C|ls|0|List.|", "N|targets||Paths.|*|0", "C|cat|0|Show.|", "N|targets||Paths.|+|0", "C|cd|0|Go.|", "N|target||A path.|?|0",
            "C|history|1|Print.|", "N|numEntriesToShow||A number.|?|1", "C|man|1|Help.|", "N|cmd||A command.||0"},
    };

    static void file(String name, String content) throws IOException {
        Files.writeString(Path.of(name), content);
        out.add(line("F", name, content));
    }

    public static void main(String[] argv) throws Exception {
        int parsers = argv.length > 1 ? Integer.parseInt(argv[1]) : 100;
        random = new Random(argv.length > 2 ? Long.parseLong(argv[2]) : 42);
        file("one", "-c\nx");
        file("two", "info\n@one\n--config\n\n");
        file("three", "");
        file("crlf", "a\r\n--feature\rb\n\n");
        file("bad", "x \n --nope\n");
        int tests = 0;
        for (int i = 0; i < parsers; i++) {
            List<String> d = new ArrayList<>();
            if (i < KAFKA.length) for (String l : KAFKA[i]) d.add(l.replace('|', '\t'));
            else d = parser();
            out.addAll(d);
            for (int n = i < KAFKA.length ? 300 : 26; n > 0; n--) {
                int columns = chance(3) ? 75 : chance(8) ? 1 + random.nextInt(30) : 20 + random.nextInt(181);
                String[] args = arguments(d);
                String want;
                try {
                    want = outcome(d, columns, args);
                } catch (ArrayIndexOutOfBoundsException e) {
                    want = line("crash", e);
                }
                List<Object> l = new ArrayList<>(List.of("T", columns));
                l.addAll(Arrays.asList(args));
                out.add(line(l.toArray()));
                out.add(want);
                tests++;
            }
        }
        try (Writer w = new OutputStreamWriter(new GZIPOutputStream(new FileOutputStream(argv[0])) {{ def.setLevel(9); }}, StandardCharsets.UTF_8)) {
            for (String l : out) w.write(l + "\n");
        }
        System.err.println(tests + " command lines");
    }
}
