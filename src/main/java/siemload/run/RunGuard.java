package siemload.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.function.Function;
import java.util.stream.Stream;
import siemload.config.ConfigException;
import siemload.config.directory.ForeignDirectoryException;
import siemload.config.directory.Reason;
import siemload.database.TargetException;

/**
 * Sees to it that whatever goes wrong ends in one clear message and the right exit code, and that an interrupt ends in
 * results. It is called by the thread that starts a run.
 */
public final class RunGuard {
    private static final int CAUSES = 10;

    /** Gatling makes a simulation by its name alone, so what was decided before it started waits here. */
    private static volatile Optional<RunPlan> prepared = Optional.empty();

    /** The run that this process has a part in, where it is an injector. */
    private static volatile Optional<JoinRequest> joining = Optional.empty();

    private RunGuard() {}

    /**
     * Reads what the process's settings describe, once for the run that is opened after it. To be called before Gatling starts,
     * which takes a second and says a good deal.
     *
     * @throws ConfigException if settings or files are wrong
     */
    public static RunPlan prepare(RunHost host) {
        RunPlan plan = RunPlan.read(host.settings(), host.home(), host::status);
        prepared = Optional.of(plan);
        return plan;
    }

    /**
     * The plan of the run that the settings describe, without beginning it: refuses all that {@link #prepare} does and what else a
     * run refuses before it connects to a server.
     *
     * @throws ConfigException if settings or files are wrong
     */
    public static RunPlan check(RunHost host) {
        RunPlan plan = RunPlan.read(host.settings(), host.home(), host::status);
        RunDirectory.requireUsable(plan);
        LiveView.requireFree(plan);
        return plan;
    }

    /** Makes the run that is opened next the part of an injector. To be called before Gatling starts. */
    public static void join(JoinRequest request) {
        prepared = Optional.of(request.plan());
        joining = Optional.of(request);
    }

    /**
     * Opens the run that was prepared, or the one that the process's settings describe, and makes something of it. If that
     * fails the process ends.
     *
     * @param use what to make of the run; from then on an interrupt ends the run with results
     */
    public static <T> T open(Function<LoadRun, T> use) {
        return guarded((host, resources, breakdown) -> {
            LoadRun run = joining.isPresent()
                    ? JoinedRun.open(host, joining.orElseThrow(), resources)
                    : CompleteRun.open(host, takePlan(host), resources);
            host.onShutdown(unlessBroken(breakdown, run::interrupt));
            return use.apply(run);
        });
    }

    /**
     * Follows the procedure to its end, if it is one that was prepared or that the process's settings describe, and ends the
     * process. If there is no plan to be had the process ends, too.
     */
    public static void endWithProcedure() {
        RunPlan plan = guarded((host, resources, breakdown) -> prepared.orElseGet(() -> prepare(host)));
        if (plan.isProcedure()) {
            host().exit(followProcedure());
        }
    }

    /**
     * Follows the procedure that was prepared to its end. If it cannot be begun the process ends.
     *
     * @return how the process should end
     */
    public static ExitCode followProcedure() {
        return guarded((host, resources, breakdown) -> {
            ProcedureRun run = ProcedureRun.open(host, takePlan(host), resources);
            host.onShutdown(unlessBroken(breakdown, run::interrupt));
            return run.follow();
        });
    }

    /** What is to be done with everything that is needed for it. */
    @FunctionalInterface
    private interface Guarded<T> {
        T with(RunHost host, Resources resources, Breakdown breakdown);
    }

    private static <T> T guarded(Guarded<T> work) {
        RunHost host = host();
        Breakdown breakdown = Breakdown.watch(host);
        Resources resources = new Resources();
        host.onShutdown(resources::close);
        try {
            return work.with(host, resources, breakdown);
        } catch (RuntimeException | Error failed) {
            resources.close();
            host.exit(report(host, failed));
            throw failed;
        }
    }

    private static RunPlan takePlan(RunHost host) {
        RunPlan plan = prepared.orElseGet(() -> prepare(host));
        prepared = Optional.empty();
        return plan;
    }

    /** What broke cannot be trusted to write results; what it opened is given back all the same. */
    private static Runnable unlessBroken(Breakdown breakdown, Runnable interrupt) {
        return () -> {
            if (!breakdown.hasHappened()) {
                interrupt.run();
            }
        };
    }

    /** Says what went wrong. */
    public static ExitCode report(RunHost host, Throwable failure) {
        Optional<OutOfMemoryError> outOfMemory = outOfMemory(failure);
        if (outOfMemory.isPresent()) {
            host.failure(advice(outOfMemory.orElseThrow()), failure);
            return ExitCode.INVALID_INPUT;
        }
        host.status("");
        if (failure instanceof ConfigException
                || failure instanceof UncheckedIOException
                || failure instanceof ForeignDirectoryException) {
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
        if (failure instanceof InterruptedException) {
            host.failure(Objects.requireNonNullElse(failure.getMessage(), "interrupted"), failure);
            return ExitCode.INTERRUPTED;
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
