import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Runs one of Kafka's own tools many times in one JVM, which costs milliseconds a case instead of a second.
 *
 * <pre>Oracle CLASS CASES OUTDIR</pre>
 *
 * CLASS has the tool's main method. A line of CASES is an id and the arguments, separated by tabs. For each, OUTDIR gets ID.out, ID.err and ID.rc. Like the
 * JVM, an exception that leaves main is printed with its trace and makes the status 1. The status is "skip" where the
 * outcome is the JVM's and not the tool's: out of memory or stack.
 */
public final class Oracle {
    /** Takes the place of the exit of the process. */
    private static final class Exited extends Error {
        final int status;

        Exited(int status) {
            super(null, null, false, false);
            this.status = status;
        }
    }

    /** Kafka's tools end through a class of Kafka's, which moved after 4.3. */
    private static void catchExits() throws ReflectiveOperationException {
        String exit = "org.apache.kafka.common.utils.internals.Exit";
        try {
            Class.forName(exit);
        } catch (ClassNotFoundException e) {
            exit = "org.apache.kafka.common.utils.Exit";
        }
        Class<?> procedure = Class.forName(exit + "$Procedure");
        Object thrower = Proxy.newProxyInstance(Oracle.class.getClassLoader(), new Class<?>[] {procedure}, (proxy, method, args) -> {
            throw new Exited((Integer) args[0]);
        });
        Class.forName(exit).getMethod("setExitProcedure", procedure).invoke(null, thrower);
        Class.forName(exit).getMethod("setHaltProcedure", procedure).invoke(null, thrower);
    }

    public static void main(String[] args) throws Exception {
        catchExits();
        Method tool = Class.forName(args[0]).getMethod("main", String[].class);
        Path out = Path.of(args[2]);
        Files.createDirectories(out);
        PrintStream stdout = System.out, stderr = System.err;
        int n = 0;
        for (String line : Files.readAllLines(Path.of(args[1]))) {
            String[] words = line.split("\t", -1);
            ByteArrayOutputStream o = new ByteArrayOutputStream(), e = new ByteArrayOutputStream();
            System.setOut(new PrintStream(o, false, StandardCharsets.UTF_8));
            System.setErr(new PrintStream(e, false, StandardCharsets.UTF_8));
            String status = "0";
            try {
                tool.invoke(null, (Object) Arrays.copyOfRange(words, 1, words.length));
            } catch (InvocationTargetException thrown) {
                Throwable t = thrown.getCause();
                if (t instanceof Exited) {
                    status = Integer.toString(((Exited) t).status);
                } else {
                    boolean ours = t instanceof VirtualMachineError || t.getCause() instanceof VirtualMachineError;
                    status = ours ? "skip" : "1";
                    System.err.print("Exception in thread \"main\" ");
                    t.printStackTrace();
                }
            }
            System.out.flush();
            System.err.flush();
            Files.write(out.resolve(words[0] + ".out"), o.toByteArray());
            Files.write(out.resolve(words[0] + ".err"), e.toByteArray());
            Files.writeString(out.resolve(words[0] + ".rc"), status);
            n++;
        }
        System.setOut(stdout);
        System.setErr(stderr);
        System.out.println(n + " cases run");
    }
}
