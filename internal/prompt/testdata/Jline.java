import java.io.*;
import java.nio.charset.StandardCharsets;
import java.util.*;
import org.jline.reader.*;
import org.jline.reader.impl.*;
import org.jline.reader.impl.history.DefaultHistory;
import org.jline.terminal.*;
import org.jline.terminal.impl.DumbTerminal;

/**
 * Asks jline what it makes of lines, and writes jline-words.jsonl and jline-events.jsonl:
 * java -cp jline-3.30.4.jar Jline.java
 */
public class Jline {
    static String quote(String s) {
        StringBuilder b = new StringBuilder("\"");
        for (char c : s.toCharArray()) {
            if (c == '"' || c == '\\') b.append('\\').append(c);
            else if (c < 32 || c > 126) b.append(String.format("\\u%04x", (int) c));
            else b.append(c);
        }
        return b.append('"').toString();
    }

    static String quote(List<String> list) {
        StringJoiner j = new StringJoiner(",", "[", "]");
        for (String s : list) j.add(quote(s));
        return j.toString();
    }

    static List<String> lines(String[] some, Random random, String alphabet, int count, int least, int length) {
        List<String> all = new ArrayList<>(Arrays.asList(some));
        for (int i = 0; i < count; i++) {
            StringBuilder b = new StringBuilder();
            int n = least + random.nextInt(length);
            for (int j = 0; j < n; j++) b.append(alphabet.charAt(random.nextInt(alphabet.length())));
            all.add(b.toString());
        }
        return all;
    }

    static void words(Random random) throws Exception {
        String[] some = {"", "ls", "ls ", "  ls   a ", "ls 'a b'", "ls \"a b\"", "a'b c'd", "'a'b", "\"a\"\"b\"", "ls \"unterminated x", "ls 'x",
            "a\\ b", "a\\\\b", "a\\", "\\", "\"a\\\"b\"", "'a\\'b'", "\"a\\b\"", "''", "ls '' x", "a \"\" b", "# c", "a #b", "a\\'b c'",
            "\\'a b\\'", "{a b", "(a b", "a\\\\ b"};
        DefaultParser parser = new DefaultParser();
        try (PrintStream out = new PrintStream("jline-words.jsonl", "UTF-8")) {
            for (String s : lines(some, random, " \t'\"\\ab!#/{}(*é", 400, 0, 12)) {
                CompletingParsedLine c = (CompletingParsedLine) parser.parse(s, s.length(), Parser.ParseContext.COMPLETE);
                String word = "a b'c\"d\\e";
                out.println("{\"line\":" + quote(s) + ",\"words\":" + quote(parser.parse(s, 0).words())
                    + ",\"before\":" + quote(c.words().subList(0, c.wordIndex())) + ",\"word\":" + quote(c.word())
                    + ",\"start\":" + (s.length() - c.rawWordCursor())
                    + ",\"escaped\":" + quote(c.escape(word, true).toString()) + ",\"partial\":" + quote(c.escape(word, false).toString()) + "}");
            }
        }
    }

    static void events(Random random) throws Exception {
        String[] history = {"ls /", "cat foo bar", "ls image", "cd 'x y'", "pwd"};
        String[] some = {"!!", "a !! b", "!0", "!1", "!2", "!9", "!-1", "!-2", "!-9", "!l", "!ls", "!c", "!zz", "!?foo", "!?foo?", "!?foo? x", "!#",
            "a b !#", "!$", "ls !$", "!^", "!*", "^ls^cat", "^pwd^ls^", "^zz^a", "\\!!", "'!!'", "\"!!\"", "!", " !", "! x", "a!", "a!=b", "!=",
            "!(", "x\\!y", "a\\\\!!", "^", "a^b", "!!!!", "!-", "!1x", "!12", " ^pwd^ls", "é!!", "!?zz?", "!n", "!?", "a\\b", "\\^pwd^ls", "!!\\!"};
        try (PrintStream out = new PrintStream("jline-events.jsonl", "UTF-8")) {
            for (String s : lines(some, random, " !?^#$lsc01-9'\"\\", 300, 1, 8)) {
                DefaultHistory h = new DefaultHistory();
                Terminal terminal = new DumbTerminal("t", "dumb", new ByteArrayInputStream((s + "\n").getBytes("UTF-8")),
                    new ByteArrayOutputStream(), StandardCharsets.UTF_8);
                LineReader reader = LineReaderBuilder.builder().terminal(terminal).parser(new DefaultParser()).history(h).build();
                for (String x : history) h.add(x);
                String expanded, error = "";
                try {
                    expanded = quote(new DefaultExpander().expandHistory(h, s));
                } catch (IllegalArgumentException e) {
                    expanded = "null";
                    error = e.getMessage();
                }
                reader.readLine(">> ");
                out.println("{\"in\":" + quote(s) + ",\"expanded\":" + expanded + ",\"error\":" + quote(error)
                    + ",\"history\":" + quote(h.size() > history.length ? h.get(h.last()) : "") + "}");
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Random random = new Random(7);
        words(random);
        events(random);
    }
}
