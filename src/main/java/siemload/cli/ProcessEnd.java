package siemload.cli;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import siemload.run.ExitCode;

/**
 * How this process ends. Gatling ends the process itself after its report, always with its own code; so the code that a
 * run asked for is set at the very end, from a shutdown hook. Thread-safe.
 */
final class ProcessEnd {
    private final List<Runnable> actions = new ArrayList<>();
    private ExitCode code = ExitCode.OK;
    private boolean hooked;
    private boolean ending;
    private boolean launched;
    private boolean asked;

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
        System.exit(number);
    }

    /** Sets the code; a later call wins. */
    synchronized void endWith(ExitCode wanted) {
        code = wanted;
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
            endWith(ExitCode.INTERRUPTED);
        }
        if (code() != ExitCode.OK) {
            System.out.flush();
            System.err.flush();
            Runtime.getRuntime().halt(code().number());
        }
    }

    /** Java would end with 128 and the number of the signal, but only where no run has measured anything yet. */
    private synchronized boolean endedBySignal() {
        return launched && !asked;
    }
}
