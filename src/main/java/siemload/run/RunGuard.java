package siemload.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.function.Function;
import java.util.stream.Stream;
import siemload.config.ConfigException;
import siemload.config.directory.ForeignDirectoryException;
import siemload.config.directory.Reason;
import siemload.database.TargetException;
import siemload.scenario.ScenarioReader;

/**
 * Sees to it that whatever goes wrong ends in one clear message and the right exit code, and that an interrupt ends in
 * results. Stateless and thread-safe.
 */
public final class RunGuard {
    private static final int CAUSES = 10;

    private RunGuard() {}

    /**
     * Opens the run that the process's settings describe and makes something of it. If that fails the process ends.
     *
     * @param use what to make of the run; from then on an interrupt ends the run with results
     */
    public static <T> T open(Function<LoadRun, T> use) {
        RunHost host = host();
        Breakdown breakdown = Breakdown.watch(host);
        Resources resources = new Resources();
        host.onShutdown(resources::close);
        try {
            LoadRun run = LoadRun.open(host, resources);
            host.onShutdown(unlessBroken(breakdown, run::interrupt));
            return use.apply(run);
        } catch (RuntimeException | Error failed) {
            resources.close();
            host.exit(report(host, failed));
            throw failed;
        }
    }

    /** Whether the scenario that the process's settings name is a procedure; a scenario that cannot be read is none. */
    public static boolean isProcedure() {
        RunHost host = host();
        try {
            return ScenarioReader.read(host.home(), host.settings())
                    .scenario()
                    .procedure()
                    .isPresent();
        } catch (ConfigException saidByTheRun) {
            return false;
        }
    }

    /**
     * Follows the procedure of the process's settings to its end. If it cannot be begun the process ends.
     *
     * @return how the process should end
     */
    public static ExitCode followProcedure() {
        RunHost host = host();
        Breakdown breakdown = Breakdown.watch(host);
        Resources resources = new Resources();
        host.onShutdown(resources::close);
        try {
            ProcedureRun run = ProcedureRun.open(host, resources);
            host.onShutdown(unlessBroken(breakdown, run::interrupt));
            return run.follow();
        } catch (RuntimeException | Error failed) {
            resources.close();
            host.exit(report(host, failed));
            throw failed;
        }
    }

    /** What broke cannot be trusted to write results; what it opened is given back all the same. */
    private static Runnable unlessBroken(Breakdown breakdown, Runnable interrupt) {
        return () -> {
            if (!breakdown.hasHappened()) {
                interrupt.run();
            }
        };
    }

    /** Follows the procedure and ends the process. */
    public static void followProcedureToTheEnd() {
        host().exit(followProcedure());
    }

    /** Says what went wrong. */
    public static ExitCode report(RunHost host, Throwable failure) {
        Optional<OutOfMemoryError> outOfMemory = outOfMemory(failure);
        if (outOfMemory.isPresent()) {
            host.failure(advice(outOfMemory.orElseThrow()), failure);
            return ExitCode.INVALID_INPUT;
        }
        host.status("");
        if (failure instanceof ConfigException || failure instanceof UncheckedIOException) {
            host.failure(String.valueOf(failure.getMessage()), failure);
            return ExitCode.INVALID_INPUT;
        }
        if (failure instanceof ForeignDirectoryException) {
            host.failure(String.valueOf(failure.getMessage()), failure);
            return ExitCode.INVALID_INPUT;
        }
        if (isOfGatlingsReport(failure)) {
            host.failure(
                    "Gatling's own report could not be made: "
                            + (failure instanceof IOException unusable ? Reason.of(unusable) : failure.getMessage())
                            + " (was its directory removed, or is the disk full? the results of the run are another matter)",
                    failure);
            return ExitCode.INVALID_INPUT;
        }
        if (failure instanceof IOException unusable) {
            // Scala throws it unannounced.
            host.failure("a file could not be read or written: " + Reason.of(unusable), failure);
            return ExitCode.INVALID_INPUT;
        }
        if (failure instanceof TargetException) {
            host.failure(String.valueOf(failure.getMessage()), failure);
            return ExitCode.TARGET_FAILED;
        }
        host.failure("a bug in siemload: " + failure + " (-Dverbose=true shows where)", failure);
        return ExitCode.BUG;
    }

    /** Gatling requires its log to be there, and says no more than that. */
    private static boolean isOfGatlingsReport(Throwable failure) {
        return Stream.of(failure.getStackTrace())
                .map(StackTraceElement::getClassName)
                .anyMatch(name ->
                        name.startsWith("io.gatling.charts") || name.startsWith("io.gatling.app.RunResultProcessor"));
    }

    /** Also where it ended another thread, whose work failed for it. */
    private static Optional<OutOfMemoryError> outOfMemory(Throwable failure) {
        Throwable cause = failure;
        for (int depth = 0; cause != null && depth < CAUSES; depth++) {
            if (cause instanceof OutOfMemoryError outOfMemory) {
                return Optional.of(outOfMemory);
            }
            cause = cause.getCause();
        }
        return Optional.empty();
    }

    private static String advice(OutOfMemoryError outOfMemory) {
        if (String.valueOf(outOfMemory.getMessage()).contains("native thread")) {
            return "the system allows no more threads (raise the limit of processes, ulimit -u, or that of the container; or"
                    + " use fewer -Dworkers)";
        }
        return "out of memory: this Java process may use "
                + (Runtime.getRuntime().maxMemory() >> 20)
                + " MB (give it more: SIEMLOAD_JAVA_OPTS=-Xmx2g for ./siemload, -Dgatling.jvmArgs=-Xmx2g for Maven;"
                + " or use fewer -Dworkers)";
    }

    private static RunHost host() {
        return ServiceLoader.load(RunHost.class)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no RunHost on the class path"));
    }
}
