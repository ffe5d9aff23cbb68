import java.text.BreakIterator;
import java.util.*;

/**
 * Finds out where Java breaks lines, by asking java.text.BreakIterator alone, and prints the Go tables. Run with Java 17:
 *
 * <pre>java LineBreaks.java | gofmt > ../z_linebreak.go</pre>
 *
 * The iterator is taken for a finite automaton over classes of characters. Its states are told apart by what follows them
 * (L*, with counterexamples from random texts); the tables are done when 30 million random texts break where they say. Then
 * every code point is put into the class with which it behaves alike in every state.
 */
public class LineBreaks {
    /** One character of each class; others are ordinary letters (class 0). */
    static final String[] CLASSES = {"a", " ", "\n", "\r", "!", "\"", "$", "(", ",", "-", "1", "\u00a0", "\u0301", "\u0600", "\u0964",
        "\u3042", "\u3099", ")", "["};
    static final BreakIterator LINES = BreakIterator.getLineInstance(Locale.ROOT);
    static final List<String> suffixes = new ArrayList<>();
    static List<String> states;
    static List<int[]> next;
    static boolean[] tentative;
    static int end;

    static int first(String s) {
        LINES.setText(s);
        LINES.first();
        return LINES.next();
    }

    static String row(String prefix) {
        StringBuilder b = new StringBuilder();
        for (String s : suffixes) {
            String text = prefix + s;
            int k = (text.isEmpty() ? 0 : first(text)) - prefix.length();
            b.append((char) ('A' + Math.max(k, -1)));
        }
        return b.toString();
    }

    static void learn() {
        Map<String, Integer> ids = new HashMap<>();
        states = new ArrayList<>(List.of(""));
        next = new ArrayList<>();
        ids.put(row(""), 0);
        for (int i = 0; i < states.size(); i++) {
            int[] to = new int[CLASSES.length];
            for (int c = 0; c < to.length; c++) {
                String s = states.get(i) + CLASSES[c], r = row(s);
                if (!ids.containsKey(r)) {
                    ids.put(r, states.size());
                    states.add(s);
                }
                to[c] = ids.get(r);
            }
            next.add(to);
        }
        for (int s = 0; s < states.size(); s++) {
            int self = s;
            if (Arrays.stream(next.get(s)).allMatch(t -> t == self)) end = s;
        }
        // A state is tentative if a break behind it is never taken.
        tentative = new boolean[states.size()];
        for (int s = 1; s < states.size(); s++) {
            tentative[s] = true;
            String p = states.get(s);
            for (int c = 0; c < CLASSES.length; c++)
                if (next.get(s)[c] == end && first(p + CLASSES[c]) == p.length()) tentative[s] = false;
        }
    }

    static int predict(int[] word) {
        int state = 0, last = 0;
        for (int i = 0; i < word.length && (state = next.get(state)[word[i]]) != end; i++) if (!tentative[state]) last = i + 1;
        return Math.max(last, 1);
    }

    static int[] signature(String c) {
        int[] r = new int[states.size() * (CLASSES.length + 1)];
        int i = 0;
        for (String p : states)
            for (int s = -1; s < CLASSES.length; s++) {
                int k = first(p + c + (s < 0 ? "" : CLASSES[s]));
                r[i++] = k > p.length() ? k - c.length() + 1 : k;
            }
        return r;
    }

    /** Every character in random company, so that no class is too coarse. */
    static void check(Random random, int[] map) {
        for (int i = 0; i < 20 * map.length; i++) {
            int c = i % map.length;
            if (c >= 0xd800 && c < 0xe000) continue;
            int[] word = new int[2 + random.nextInt(6)];
            int at = random.nextInt(word.length), end = 0;
            String[] parts = new String[word.length];
            for (int j = 0; j < word.length; j++) {
                int x = j == at ? c : random.nextInt(4) == 0 ? random.nextInt(0x3100) : CLASSES[random.nextInt(CLASSES.length)].charAt(0);
                parts[j] = new String(Character.toChars(x));
                word[j] = map[x];
            }
            for (int j = predict(word); j > 0; j--) end += parts[j - 1].length();
            if (first(String.join("", parts)) != end) throw new IllegalStateException(String.join("", parts));
        }
    }

    public static void main(String[] args) {
        suffixes.add("");
        for (String a : CLASSES) {
            suffixes.add(a);
            for (String b : CLASSES) suffixes.add(a + b);
        }
        learn();
        Random random = new Random(5);
        int[] tricky = {1, 6, 9, 5, 7, 11, 0, 10, 8, 15};
        for (int clean = 0; clean < 30_000_000; clean++) {
            int[] word = new int[1 + random.nextInt(16)];
            int mode = random.nextInt(3);
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < word.length; i++) {
                word[i] = mode == 0 ? random.nextInt(CLASSES.length) : tricky[random.nextInt(mode == 1 ? 5 : 10)];
                text.append(CLASSES[word[i]]);
            }
            if (first(text.toString()) == predict(word)) continue;
            for (int i = 0; i < text.length(); i++) if (!suffixes.contains(text.substring(i))) suffixes.add(text.substring(i));
            learn();
            clean = 0;
        }
        StringBuilder out = new StringBuilder();
        out.append("// Code generated by testdata/LineBreaks.java. DO NOT EDIT.\n\npackage argparse\n\n");
        out.append("// stateEnd is entered by the first character that is not part of a segment.\nconst stateEnd = " + end + "\n\n");
        out.append("// tentative are the states in which a segment cannot end.\nvar tentative = [" + states.size() + "]bool{");
        String sep = "";
        for (int s = 0; s < states.size(); s++)
            if (tentative[s]) {
                out.append(sep + s + ": true");
                sep = ", ";
            }
        out.append("}\n\n// lineStates has the next state for a state and a class.\n");
        out.append("var lineStates = [...][" + CLASSES.length + "]uint8{\n");
        for (int[] to : next) out.append("{" + Arrays.toString(to).replaceAll("[\\[\\]]", "") + "},\n");
        out.append("}\n\n// lineRanges has the class of every character, in ascending order; others have class 0.\nvar lineRanges = [...]lineRange{\n");
        int[][] known = new int[CLASSES.length][];
        for (int c = 0; c < known.length; c++) known[c] = signature(CLASSES[c]);
        int from = 0, class0 = -1, n = 0;
        int[] map = new int[0x110000];
        for (int c = 0; c <= 0x110000; c++) {
            int k = -1;
            if (c >= 0xd800 && c < 0xe000) k = class0;
            else if (c < 0x110000) {
                int[] s = signature(new String(Character.toChars(c)));
                for (int i = 0; i < known.length && k < 0; i++) if (Arrays.equals(s, known[i])) k = i;
                if (k < 0) throw new IllegalStateException("no class for " + Integer.toHexString(c));
            }
            if (c < 0x110000) map[c] = k;
            if (k == class0) continue;
            if (class0 > 0) out.append(String.format("{0x%x, 0x%x, %d},", from, c - 1, class0) + (++n % 8 == 0 ? "\n" : " "));
            from = c;
            class0 = k;
        }
        check(random, map);
        System.out.print(out + "\n}\n");
    }
}
