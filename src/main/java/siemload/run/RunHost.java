package siemload.run;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import siemload.config.Settings;
import siemload.database.provision.ProvidedServer.Listener;
import siemload.results.report.RunReports;

/**
 * The process of a run: the origin of its settings, its output, and its end. Implemented by the command line and found by {@link
 * java.util.ServiceLoader}, so that runs started by Gatling's Maven plugin and by the launcher behave alike. Thread-safe.
 */
public interface RunHost extends Listener {

    /**
     * Returns all explicit settings.
     *
     * @throws siemload.config.ConfigException if one of them is unknown or out of range
     */
    Settings settings();

    /** Returns the directory with {@code scenarios/} and {@code datasets/}. */
    Path home();

    /** Returns the options of single variants of an experiment, with keys like {@code url.NAME}. */
    default Map<String, String> variantOptions() {
        return Map.of();
    }

    /** Returns the launcher for runs in separate processes. */
    RunLauncher launcher();

    /** Prints the findings of a run, in the detail that the user wants. */
    default void results(RunReports.Written reports) {
        line("report: " + reports.directory());
    }

    /** Shows a status text. On a terminal it replaces the last status; elsewhere it is printed only sometimes. An empty text clears it. */
    @Override
    void status(String text);

    @Override
    void line(String text);

    /** Prints at once why a run or procedure ends early, since the end may take half a minute. */
    default void stopping(String why) {
        status("");
        line("stopping: " + why);
    }

    /**
     * Prints why the run cannot continue, and the cause if the user asked for details. Prints nothing while the process is being stopped,
     * since later failures are not the reason.
     */
    void failure(String message, Throwable cause);

    /** Adds an action for when the process stops, by a signal or by itself; the actions run in reverse order. */
    void onShutdown(Runnable action);

    /** Ends the process at once. */
    void exit(ExitCode code);

    /** Ends the process at once, without the actions for its end, since these actions did not finish. */
    default void halt(ExitCode code) {
        exit(code);
    }

    /**
     * Ends the process with this code once everything else is done.
     *
     * @param why the reason, which follows "since" in the last line; empty if the user was told already
     */
    void endWith(ExitCode code, String why);

    /**
     * The command that starts this program again, for a run in a separate process. Immutable.
     *
     * @param java the virtual machine and its arguments
     * @param classPath the class path of this process
     * @param mainClass takes the command line
     * @param environment the environment variables that the started process inherits
     */
    record RunLauncher(List<String> java, String classPath, String mainClass, Map<String, String> environment) {

        public RunLauncher {
            java = List.copyOf(java);
            environment = Map.copyOf(environment);
        }

        /** Returns this launcher with another environment. */
        public RunLauncher with(Map<String, String> otherEnvironment) {
            return new RunLauncher(java, classPath, mainClass, otherEnvironment);
        }

        /**
         * Returns the settings of a run that this launcher starts.
         *
         * @param options the options by the names of their properties
         * @throws siemload.config.ConfigException if one of them is unknown or out of range
         */
        public Settings settings(Map<String, String> options) {
            return Settings.of(options, Map.of(), environment);
        }
    }

    /** The progress of a long step, with rate and time left. Used by one thread. */
    final class ProgressBar implements AutoCloseable {
        private static final long EVERY_NANOS = 200_000_000;

        private final RunHost host;
        private final String label;
        private final long total;
        private final String unit;
        private final long startNanos = System.nanoTime();
        private long shownNanos = startNanos;
        private long done;

        /** Starts the progress; {@code total} is the sum of all amounts for {@link #advance}, and {@code unit} names what is counted. */
        public ProgressBar(RunHost host, String label, long total, String unit) {
            this.host = host;
            this.label = label;
            this.total = total;
            this.unit = unit;
        }

        /** Adds {@code amount} to the amount that is done. */
        public void advance(long amount) {
            done += amount;
            long now = System.nanoTime();
            if (now - shownNanos >= EVERY_NANOS) {
                shownNanos = now;
                host.status(text((now - startNanos) / 1e9));
            }
        }

        @Override
        public void close() {
            host.status("");
        }

        private String text(double seconds) {
            double share = total == 0 ? 1 : Math.min(1, (double) done / total);
            double rate = done / seconds;
            double left = rate > 0 ? (total - done) / rate : 0;
            return String.format(
                    Locale.ROOT, "%s: %.0f %%, %,.0f %s/s, %.0f s left", label, share * 100, rate, unit, left);
        }
    }
}
