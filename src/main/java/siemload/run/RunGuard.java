package siemload.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Stream;
import siemload.config.ConfigException;
import siemload.config.Property;
import siemload.config.directory.Ownership.ForeignDirectory;
import siemload.config.directory.Reason;
import siemload.database.ServerAddress;
import siemload.database.TargetException;

/**
 * Sees to it that whatever goes wrong ends in one clear message and the right exit code, and that an interrupt ends in
 * results. It is called by the thread that starts a run.
 */
public final class RunGuard {
    private static final int CAUSES = 10;

    /** Gatling makes a simulation by its name alone, so what was decided before it started waits here. */
    private static volatile Optional<Prepared> prepared = Optional.empty();

    /** @param opening of a load: what Gatling is to make */
    private record Prepared(RunPlan plan, BiFunction<RunHost, Resources, LoadRun> opening) {}

    private RunGuard() {}

    /**
     * Reads what the process's settings describe, once for the run that is opened after it. To be called before Gatling starts,
     * which takes a second and says a good deal.
     *
     * @throws ConfigException if settings or files are wrong
     */
    public static RunPlan prepare(RunHost host) {
        RunPlan plan = RunPlan.read(host.settings(), host.home(), host::status);
        prepare(plan, (here, resources) -> CompleteRun.open(here, plan, resources));
        return plan;
    }

    /**
     * Makes the run that is opened next the part of an injector. To be called before Gatling starts.
     *
     * @param plan with the shard of this process
     * @param store the name by which the store of the run is joined
     * @param part what to make of what was joined
     */
    public static void join(RunPlan plan, ServerAddress server, String store, Function<Bench, LoadRun> part) {
        prepare(plan, (host, resources) -> part.apply(Bench.join(host, plan, server, store, resources)));
    }

    /** Makes this the run that is opened next. */
    static void prepare(RunPlan plan, BiFunction<RunHost, Resources, LoadRun> opening) {
        prepared = Optional.of(new Prepared(plan, opening));
    }

    private static RunPlan planned(RunHost host) {
        return prepared.map(Prepared::plan).orElseGet(() -> prepare(host));
    }

    private static Prepared taken(RunHost host) {
        RunPlan unused = planned(host);
        Prepared taken = prepared.orElseThrow();
        prepared = Optional.empty();
        return taken;
    }

    /**
     * Does not come back where this process is to make no load: a procedure that was prepared, or that the process's settings describe, is
     * followed to its end, and injectors are refused, since who starts Gatling in another way than by the launcher starts none. If there is
     * no plan to be had the process ends, too.
     */
    public static void requireLoad() {
        RunPlan plan = guarded((host, resources) -> {
            RunPlan wanted = planned(host);
            String alone = "injectors are started by ./siemload run alone (allowed here: 1)";
            wanted.refuseIf(wanted.isInjected(), Property.INJECTORS, alone);
            return wanted;
        });
        if (plan.isProcedure()) {
            host().exit(followProcedure());
        }
    }

    /**
     * Opens the run that was prepared, or the one that the process's settings describe, and makes something of it. If that
     * fails the process ends.
     *
     * @param use what to make of the run; from then on an interrupt ends the run with results
     */
    public static <T> T open(Function<LoadRun, T> use) {
        return guarded((host, resources) -> use.apply(taken(host).opening.apply(host, resources)));
    }

    /**
     * Follows the procedure that was prepared to its end. If it cannot be begun the process ends.
     *
     * @return how the process should end
     */
    public static ExitCode followProcedure() {
        return guarded((host, resources) ->
                CompleteRun.open(host, taken(host).plan, resources).followProcedure());
    }

    private static <T> T guarded(BiFunction<RunHost, Resources, T> work) {
        RunHost host = host();
        Breakdown.watch(host);
        Resources resources = new Resources();
        host.onShutdown(resources::close);
        try {
            return work.apply(host, resources);
        } catch (RuntimeException | Error failed) {
            resources.close();
            host.exit(report(host, failed));
            throw failed;
        }
    }

    /** Says what went wrong. */
    public static ExitCode report(RunHost host, Throwable failure) {
        // Also where it ended another thread, whose work failed for it.
        Throwable cause = failure;
        for (int depth = 0; cause != null && depth < CAUSES; depth++) {
            if (cause instanceof OutOfMemoryError outOfMemory) {
                host.failure(advice(outOfMemory), failure);
                return ExitCode.INVALID_INPUT;
            }
            cause = cause.getCause();
        }
        host.status("");
        String message = String.valueOf(failure.getMessage());
        ExitCode code = ExitCode.INVALID_INPUT;
        if (isOfGatlingsReport(failure)) {
            message = "Gatling's own report could not be made: "
                    + (failure instanceof IOException unusable ? Reason.of(unusable) : message)
                    + " (was its directory removed, or is the disk full? the results of the run are another matter)";
        } else if (failure instanceof IOException unusable && !(failure instanceof ForeignDirectory)) {
            message = "a file could not be read or written: " + Reason.of(unusable); // Scala throws it unannounced.
        } else if (failure instanceof TargetException) {
            code = ExitCode.TARGET_FAILED;
        } else if (failure instanceof InterruptedException) {
            message = Objects.requireNonNullElse(failure.getMessage(), "interrupted");
            code = ExitCode.INTERRUPTED;
        } else if (!(failure instanceof ConfigException
                || failure instanceof UncheckedIOException
                || failure instanceof ForeignDirectory)) {
            message = "a bug in siemload: " + failure + " (-Dverbose=true shows where)";
            code = ExitCode.BUG;
        }
        host.failure(message, failure);
        return code;
    }

    /** Gatling requires its log to be there, and says no more than that. */
    private static boolean isOfGatlingsReport(Throwable failure) {
        return Stream.of(failure.getStackTrace())
                .anyMatch(at -> at.getClassName().matches("io\\.gatling\\.(charts|app\\.RunResultProcessor).*"));
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
