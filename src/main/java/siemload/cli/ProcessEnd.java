package siemload.cli;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import siemload.run.ExitCode;

/**
 * How this process ends. Gatling ends the process itself after its report, always with its own code; so the code that a
 * run asked for is set at the very end, from a shutdown hook, and the last line says why. Thread-safe.
 *
 * <p>Gatling's Maven plugin makes a failed build of every code but 0, and says "Gatling simulation assertions failed" of 2,
 * "ForkException" of all others. So there, and there alone, 2 is a missed objective, and 1 invalid input: nobody else sees the code.
 */
final class ProcessEnd {
    private static final boolean BY_PLUGIN =
            System.getProperty("sun.java.command", "").startsWith("io.gatling.plugin.");

    private final Consumer<String> lastLine;
    private final List<Runnable> actions = new ArrayList<>();
    private ExitCode code = ExitCode.OK;
    private volatile String why = "";
    private boolean hooked;
    private boolean ending;
    private boolean launched;
    private boolean asked;

    /** @param lastLine takes why the process ends with an error */
    ProcessEnd(Consumer<String> lastLine) {
        this.lastLine = lastLine;
    }

    /** The process is a command of the launcher: whatever ends it before {@link #exit} is a signal. */
    synchronized void watchSignals() {
        launched = true;
        hook();
    }

    /** Ends the process with this code, unless another one was set. */
    void exit(int number) {
        synchronized (this) {
            // What a signal interrupted fails, and asks for its own code.
            asked |= !ending;
        }
        System.exit(number(number));
    }

    /** Sets the code; a later call wins. */
    synchronized void endWith(ExitCode wanted, String since) {
        code = wanted;
        why = since;
        hook();
    }

    synchronized ExitCode code() {
        return code;
    }

    /** Whether the process is being stopped. */
    synchronized boolean isEnding() {
        return ending;
    }

    /** Adds an action; the last one added is done first. */
    synchronized void onShutdown(Runnable action) {
        actions.add(action);
        hook();
    }

    private void hook() {
        if (!hooked && !ending) {
            hooked = true;
            Runtime.getRuntime().addShutdownHook(new Thread(this::shutDown, "siemload-end"));
        }
    }

    private void shutDown() {
        List<Runnable> last;
        synchronized (this) {
            ending = true;
            last = new ArrayList<>(actions);
            Collections.reverse(last);
        }
        last.forEach(Runnable::run);
        if (endedBySignal() && code() == ExitCode.OK) {
            endWith(ExitCode.INTERRUPTED, "");
        }
        if (code() != ExitCode.OK) {
            if (!why.isEmpty()) {
                lastLine.accept((BY_PLUGIN
                                ? "siemload: the build fails since "
                                : "siemload: exit code " + code().number() + " since ")
                        + why);
            }
            System.out.flush();
            System.err.flush();
            Runtime.getRuntime().halt(number(code().number()));
        }
    }

    private static int number(int number) {
        return BY_PLUGIN && (number == 1 || number == 2) ? 3 - number : number;
    }

    /** Java would end with 128 and the number of the signal, but only where no run has measured anything yet. */
    private synchronized boolean endedBySignal() {
        return launched && !asked;
    }
}
