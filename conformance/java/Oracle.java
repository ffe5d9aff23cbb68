import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;

/**
 * Runs one of Kafka's own tools many times in one JVM, which costs milliseconds a case instead of a second.
 *
 * <pre>Oracle CLASS CASES OUTDIR [TRIES METHOD]</pre>
 *
 * CLASS has the tool's main method; with "-" it is the first argument of each case. A line of CASES is an id and the arguments, separated by tabs. For each, OUTDIR gets ID.out, ID.err and ID.rc. Like the
 * JVM, an exception that leaves main is printed with its trace and makes the status 1. The status is "skip" where the
 * outcome is the JVM's and not the tool's: out of memory or stack. With TRIES, a case that waits
 * in METHOD, while none of its other threads has anything to do, is interrupted and tried again so many times; then its status is "hangs". Kafka's shell
 * hangs now and then by itself: when the last records of a file are applied before it knows that they are the last.
 */
public final class Oracle {
    /** Takes the place of the exit of the process. */
    private static final class Exited extends Error {
        Exited() {
            super(null, null, false, false);
        }
    }

    /** The status of the first exit. What comes after it did not happen: some tools catch all there is to catch, also the end. */
    private static Integer exited;

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
            if (exited == null) {
                exited = (Integer) args[0];
                System.out.flush();
                System.err.flush();
                System.setOut(new PrintStream(OutputStream.nullOutputStream()));
                System.setErr(System.out);
            }
            throw new Exited();
        });
        Class.forName(exit).getMethod("setExitProcedure", procedure).invoke(null, thrower);
        Class.forName(exit).getMethod("setHaltProcedure", procedure).invoke(null, thrower);
    }

    public static void main(String[] args) throws Exception {
        catchExits();
        boolean each = args[0].equals("-");
        Path out = Path.of(args[2]);
        Files.createDirectories(out);
        PrintStream stdout = System.out, stderr = System.err;
        int n = 0;
        for (String line : Files.readAllLines(Path.of(args[1]))) {
            String[] words = line.split("\t", -1);
            Method tool = Class.forName(each ? words[1] : args[0]).getMethod("main", String[].class);
            String[] arguments = Arrays.copyOfRange(words, each ? 2 : 1, words.length);
            ByteArrayOutputStream o, e;
            String status;
            int tries = args.length > 3 ? Integer.parseInt(args[3]) : 0;
            do {
                o = new ByteArrayOutputStream();
                e = new ByteArrayOutputStream();
                status = attempt(tool, arguments, o, e, tries > 0 ? args[4] : null);
            } while (status.equals("hangs") && --tries > 0);
            Files.write(out.resolve(words[0] + ".out"), o.toByteArray());
            Files.write(out.resolve(words[0] + ".err"), e.toByteArray());
            Files.writeString(out.resolve(words[0] + ".rc"), status);
            n++;
        }
        System.setOut(stdout);
        System.setErr(stderr);
        System.out.println(n + " cases run");
    }

    private static String attempt(Method tool, String[] args, ByteArrayOutputStream o, ByteArrayOutputStream e, String method) throws InterruptedException {
        System.setOut(new PrintStream(o, false, StandardCharsets.UTF_8));
        System.setErr(new PrintStream(e, false, StandardCharsets.UTF_8));
        exited = null;
        String[] status = {"0"};
        Set<Thread> before = Thread.getAllStackTraces().keySet();
        Thread run = new Thread(() -> status[0] = run(tool, args));
        run.start();
        for (int idle = 0; method != null && run.isAlive() && idle < IDLE; idle = waiting(run, method, before) ? idle + 1 : 0) {
            run.join(2);
        }
        boolean hangs = method != null && run.isAlive();
        if (hangs) {
            run.interrupt();
        }
        run.join();
        System.out.flush();
        System.err.flush();
        return hangs ? "hangs" : exited != null ? exited.toString() : status[0];
    }

    /** How often in a row all threads of a case must be seen waiting: each may for a moment. */
    private static final int IDLE = 15;

    private static boolean waiting(Thread run, String method, Set<Thread> before) {
        for (Map.Entry<Thread, StackTraceElement[]> t : Thread.getAllStackTraces().entrySet()) {
            if (t.getKey() == run && Arrays.stream(t.getValue()).noneMatch(f -> f.getMethodName().equals(method))) {
                return false;
            }
            if (!before.contains(t.getKey()) && t.getKey().getState() != Thread.State.WAITING && t.getKey().getState() != Thread.State.TIMED_WAITING) {
                return false;
            }
        }
        return true;
    }

    /** Runs the tool, and gives the status if it does not exit by itself. */
    private static String run(Method tool, String[] args) {
        try {
            tool.invoke(null, (Object) args);
        } catch (InvocationTargetException thrown) {
            Throwable t = thrown.getCause();
            if (!(t instanceof Exited)) {
                System.err.print("Exception in thread \"main\" ");
                t.printStackTrace();
                return t instanceof VirtualMachineError || t.getCause() instanceof VirtualMachineError ? "skip" : "1";
            }
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
        return "0";
    }
}
