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
import siemload.config.RegularFile;
import siemload.config.directory.Ownership.ForeignDirectory;
import siemload.database.ServerAddress;
import siemload.database.TargetException;

/**
 * Makes sure that every failure ends in one clear message and the right exit code, and that an interrupt ends in results. Called by the
 * thread that starts a run.
 */
public final class RunGuard {
    private static final int CAUSES = 10;

    /** The prepared run is kept here, since Gatling creates a simulation only from the name of its class. */
    private static volatile Optional<Prepared> prepared = Optional.empty();

    /** @param opening opens the load that Gatling runs */
    private record Prepared(RunPlan plan, BiFunction<RunHost, Resources, LoadRun> opening) {}

    private RunGuard() {}

    /**
     * Plans a run from the process's settings, and keeps the plan for the run that is opened next. To be called before Gatling starts,
     * which takes a second and prints a lot.
     *
     * @throws ConfigException if settings or files are wrong
     */
    public static RunPlan prepare(RunHost host) {
        RunPlan plan = RunPlan.read(host.settings(), host.home(), host::status);
        prepare(plan, (here, resources) -> CompleteRun.open(here, plan, resources));
        return plan;
    }

    /**
     * Prepares an injector's part of a load as the run that is opened next. To be called before Gatling starts.
     *
     * @param plan the plan, with the shard of this process
     * @param store the name by which the store of the run is joined
     * @param part generates the load from the joined store
     */
    public static void join(RunPlan plan, ServerAddress server, String store, Function<Bench, LoadRun> part) {
        prepare(plan, (host, resources) -> part.apply(Bench.join(host, plan, server, store, resources)));
    }

    /** Sets the run that is opened next. */
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
     * Returns only if this process makes a load. A procedure is executed to its end, and then the process ends. The process also ends
     * without a valid plan, and if injectors are asked for, since only the launcher can start injectors.
     */
    public static void requireLoad() {
        RunPlan plan = guarded((host, resources) -> {
            RunPlan wanted = planned(host);
            String alone = "only ./siemload run starts injectors (allowed here: 1)";
            wanted.refuseIf(wanted.isInjected(), Property.INJECTORS, alone);
            return wanted;
        });
        if (plan.isProcedure()) {
            host().exit(followProcedure());
        }
    }

    /**
     * Opens the prepared run, or a run with the process's settings, and uses it. If opening or using it fails, the process ends.
     *
     * @param use uses the run; from then on an interrupt ends the run with results
     */
    public static <T> T open(Function<LoadRun, T> use) {
        return guarded((host, resources) -> use.apply(taken(host).opening.apply(host, resources)));
    }

    /**
     * Executes the prepared procedure to its end. If the procedure cannot begin, the process ends.
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

    /** Prints what went wrong, and returns the exit code for it. */
    public static ExitCode report(RunHost host, Throwable failure) {
        // This failure may be only a consequence: another thread may have run out of memory.
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
                    + (failure instanceof IOException unusable ? RegularFile.reason(unusable) : message)
                    + " (was its directory removed, or is the disk full? the results of the run are separate files)";
        } else if (failure instanceof IOException unusable && !(failure instanceof ForeignDirectory)) {
            // Scala throws it undeclared.
            message = "a file could not be read or written: " + RegularFile.reason(unusable);
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

    /** Returns whether Gatling's report failed: the report needs Gatling's log, and does not say why the log is missing. */
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
