package siemload.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Stream;
import siemload.config.AbortCondition;
import siemload.config.ConfigException;
import siemload.config.DaemonThread;
import siemload.config.Property;
import siemload.config.directory.ForeignDirectoryException;
import siemload.config.directory.Reason;
import siemload.database.ServerAddress;
import siemload.database.TargetException;
import siemload.dataset.EventSource;
import siemload.measure.AbortWatch;
import siemload.measure.RunClock;
import siemload.measure.monitor.RunMonitor;
import siemload.query.Search;
import siemload.results.MicrosSummary;
import siemload.results.RunResult;
import siemload.results.RunResult.GeneratorCpu;
import siemload.results.Saturation;
import siemload.results.SearchKey;
import siemload.results.StepRecord;
import siemload.results.Validity;
import siemload.run.RunSetup.ServerState;
import siemload.run.RunValidity.MachineValidity;
import siemload.run.procedure.ProcedureContext;
import siemload.run.procedure.Procedures;
import siemload.run.procedure.StepLog;
import siemload.scenario.Procedure;
import siemload.scenario.Procedure.Transactions;
import siemload.scenario.SearchDraw;

/**
 * Sees to it that whatever goes wrong ends in one clear message and the right exit code, and that an interrupt ends in
 * results. It is called by the thread that starts a run.
 */
public final class RunGuard {
    private static final int CAUSES = 10;

    /** Gatling makes a simulation by its name alone, so what was decided before it started waits here. */
    private static volatile Optional<RunPlan> prepared = Optional.empty();

    /** Where the run is that this process has a part in, where it is an injector. */
    private static volatile Optional<Joining> joining = Optional.empty();

    private RunGuard() {}

    private record Joining(ServerAddress server, String store, Function<Bench, LoadRun> part) {}

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
     * Makes the run that is opened next the part of an injector. To be called before Gatling starts.
     *
     * @param plan with the shard of this process
     * @param store the name by which the store of the run is joined
     * @param part what to make of what was joined
     */
    public static void join(RunPlan plan, ServerAddress server, String store, Function<Bench, LoadRun> part) {
        prepared = Optional.of(plan);
        joining = Optional.of(new Joining(server, store, part));
    }

    /** Ends the process if injectors are to make the load: who starts Gatling in another way than by the launcher starts none. */
    public static void requireOneProcess() {
        var unused = guarded((host, resources) -> {
            RunPlan plan = prepared.orElseGet(() -> prepare(host));
            if (plan.isInjected() && joining.isEmpty()) {
                throw new ConfigException(
                        plan.settings().origin(Property.INJECTORS),
                        "injectors are started by ./siemload run alone (allowed here: 1)");
            }
            return plan;
        });
    }

    /**
     * Opens the run that was prepared, or the one that the process's settings describe, and makes something of it. If that
     * fails the process ends.
     *
     * @param use what to make of the run; from then on an interrupt ends the run with results
     */
    public static <T> T open(Function<LoadRun, T> use) {
        return guarded((host, resources) -> {
            RunPlan plan = takePlan(host);
            return use.apply(joining.map(
                            to -> to.part().apply(Bench.join(host, plan, to.server(), to.store(), resources)))
                    .orElseGet(() -> CompleteRun.open(host, plan, resources)));
        });
    }

    /**
     * Follows the procedure to its end, if it is one that was prepared or that the process's settings describe, and ends the
     * process. If there is no plan to be had the process ends, too.
     */
    public static void endWithProcedure() {
        RunPlan plan = guarded((host, resources) -> prepared.orElseGet(() -> prepare(host)));
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
        return guarded((host, resources) -> {
            ProcedureRun run = new ProcedureRun(RunSetup.open(host, takePlan(host), resources));
            run.setup.bench().onInterrupt(run::interrupt);
            return run.follow();
        });
    }

    private static <T> T guarded(BiFunction<RunHost, Resources, T> work) {
        RunHost host = host();
        var unused = Breakdown.watch(host);
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

    private static RunPlan takePlan(RunHost host) {
        RunPlan plan = prepared.orElseGet(() -> prepare(host));
        prepared = Optional.empty();
        return plan;
    }

    /** Says what went wrong. */
    public static ExitCode report(RunHost host, Throwable failure) {
        Optional<OutOfMemoryError> outOfMemory = outOfMemory(failure);
        if (outOfMemory.isPresent()) {
            host.failure(advice(outOfMemory.orElseThrow()), failure);
            return ExitCode.INVALID_INPUT;
        }
        host.status("");
        String message = String.valueOf(failure.getMessage());
        ExitCode code = ExitCode.INVALID_INPUT;
        if (isOfGatlingsReport(failure)) {
            message = "Gatling's own report could not be made: "
                    + (failure instanceof IOException unusable ? Reason.of(unusable) : message)
                    + " (was its directory removed, or is the disk full? the results of the run are another matter)";
        } else if (failure instanceof IOException unusable && !(failure instanceof ForeignDirectoryException)) {
            message = "a file could not be read or written: " + Reason.of(unusable); // Scala throws it unannounced.
        } else if (failure instanceof TargetException) {
            code = ExitCode.TARGET_FAILED;
        } else if (failure instanceof InterruptedException) {
            message = Objects.requireNonNullElse(failure.getMessage(), "interrupted");
            code = ExitCode.INTERRUPTED;
        } else if (!(failure instanceof ConfigException
                || failure instanceof UncheckedIOException
                || failure instanceof ForeignDirectoryException)) {
            message = "a bug in siemload: " + failure + " (-Dverbose=true shows where)";
            code = ExitCode.BUG;
        }
        host.failure(message, failure);
        return code;
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

    /**
     * One run of a procedure, from its settings to its results: what one person does step by step, without Gatling. Followed
     * by one thread; interrupted by any.
     */
    private static final class ProcedureRun {
        /** How long the process waits for the results when it is stopped: the server must give up a search first. */
        private static final long PATIENCE_SECONDS = 30;

        private static final int SHOWN = 3;

        private final RunSetup setup;
        private final Procedure procedure;
        private final SearchDraw draw;
        private final ProvenPlans plans;
        private final RunMonitor monitor;
        private final CacheKeeper caches;
        private final Runnable crash;
        private final StepLog steps;
        private final List<AbortCondition> conditions;
        private volatile Optional<String> harm = Optional.empty();
        private final CountDownLatch ended = new CountDownLatch(1);

        private ProcedureRun(RunSetup setup) {
            this.setup = setup;
            this.procedure = setup.plan().scenario().procedure().orElseThrow();
            this.draw = setup.bench().draw();
            this.plans = new ProvenPlans(setup);
            this.monitor = setup.openMonitor();
            this.caches = setup.caches(monitor::pause);
            this.crash = ServerCrash.of(procedure, setup, monitor, caches);
            this.steps = new StepLog(this::tooManyFailures);
            this.conditions = setup.plan().settings().find(Property.ABORT_IF).orElse(List.of());
        }

        /** Follows the procedure to its end, writes the results, says what was measured, and gives everything back. */
        ExitCode follow() {
            try {
                RunPlan plan = setup.plan();
                Map<SearchKey, Search> examples =
                        Procedures.examples(procedure, draw, plan.source().until(), plan.seed());
                plans.prove(examples, Map.of());
                setup.settle();
                RunClock clock = RunClock.openEnded(System.nanoTime());
                GeneratorCpu cpu = new GeneratorCpu();
                setup.start(monitor, clock);
                cpu.phaseStarted();
                watchForHarm();
                Optional<TargetException> failure = steps(clock);
                cpu.phaseEnded();
                long endNanos = System.nanoTime();
                setup.host().status("");
                RunMonitor.Seen seen = monitor.finish(endNanos, MicrosSummary.NONE);
                List<StepRecord> done =
                        JobReview.of(setup.path(), steps.steps(), seen.host().cpus(), setup.found());
                ResultFiles.End end = write(done, clock.measuredSeconds(endNanos), failure, cpu, seen);
                setup.host().endWith(end.code(), end.why());
                return end.code();
            } finally {
                setup.bench().resources().close();
                ended.countDown();
            }
        }

        /** Looks once a second whether the procedure does harm. */
        private void watchForHarm() {
            if (conditions.isEmpty()) {
                return;
            }
            AbortWatch watch = new AbortWatch(conditions);
            ScheduledExecutorService timer =
                    Executors.newSingleThreadScheduledExecutor(DaemonThread.named("siemload-harm"));
            setup.bench().resources().add((AutoCloseable) timer::shutdownNow);
            var unused = timer.scheduleAtFixedRate(
                    () -> watch.second(steps.endedSoFar(), steps.failedSoFar(), steps.endInterval())
                            .ifPresent(this::stopHarm),
                    1,
                    1,
                    TimeUnit.SECONDS);
        }

        /** Ends the procedure at once; returns when the results of what was measured before are written. */
        void interrupt() {
            if (ended.getCount() == 0) {
                return;
            }
            steps.interrupt();
            try {
                boolean unused = ended.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
            } catch (InterruptedException hurried) {
                Thread.currentThread().interrupt();
            }
        }

        /** Where a run may stop by itself, a procedure does so as well when nothing succeeds any more. */
        private void tooManyFailures() {
            if (!conditions.isEmpty()) {
                stopHarm(String.format(
                        Locale.ROOT,
                        "%d steps in a row failed (-DabortIf=never goes on)",
                        StepLog.MOST_FAILURES_IN_A_ROW));
            }
        }

        private synchronized void stopHarm(String why) {
            if (harm.isEmpty() && !steps.isInterrupted()) {
                harm = Optional.of(why);
                setup.host().stopping(why);
                steps.interrupt();
            }
        }

        private LoadOutcome.Ending ending() {
            if (harm.isPresent()) {
                return LoadOutcome.Ending.ABORTED;
            }
            return steps.isInterrupted() ? LoadOutcome.Ending.INTERRUPTED : LoadOutcome.Ending.COMPLETE;
        }

        /** Where the server breaks down, what was measured before is kept. */
        private Optional<TargetException> steps(RunClock clock) {
            try {
                Procedures.follow(procedure, bench(clock));
                return Optional.empty();
            } catch (TargetException broken) {
                return Optional.of(broken);
            }
        }

        private ProcedureContext bench(RunClock clock) {
            return new ProcedureContext(
                    setup.bench().stores(),
                    setup.plan().source(),
                    draw,
                    setup.plan().variant(),
                    plans.shapes(),
                    setup.plan().seed(),
                    caches,
                    crash,
                    steps,
                    setup.writer(),
                    clock.measureNanos(),
                    setup.host());
        }

        /** Kills a server that siemload started, and starts it again. Used by one thread. */
        private record ServerCrash(RunSetup setup, RunMonitor monitor, CacheKeeper caches) implements Runnable {
            private static final int PATIENCE_SECONDS = 30;

            /**
             * For the server of a run.
             *
             * @throws TargetException if the procedure asks for a crash, and the server has no process that could be killed
             */
            static Runnable of(Procedure procedure, RunSetup setup, RunMonitor monitor, CacheKeeper caches) {
                if (procedure.transactions().flatMap(Transactions::crash).isEmpty()) {
                    return () -> {};
                }
                if (setup.bench().server().process().get().isEmpty()) {
                    throw new TargetException("crash: the server of target "
                            + setup.plan().choice().plugin().id() + " has no process of its own (leave crash out)");
                }
                return new ServerCrash(setup, monitor, caches);
            }

            @Override
            public void run() {
                try (RunMonitor.Pause unused = monitor.pause()) {
                    long first = setup.bench()
                            .server()
                            .process()
                            .get()
                            .orElseThrow(() -> new TargetException("crash: the server has ended by itself before"));
                    ProcessHandle.of(first).ifPresent(ServerCrash::kill);
                    caches.startAgain();
                }
            }

            /** The first one first, so that it starts no others in the place of those that go. */
            private static void kill(ProcessHandle first) {
                List<ProcessHandle> all =
                        Stream.concat(Stream.of(first), first.descendants()).toList();
                all.forEach(ProcessHandle::destroyForcibly);
                awaitEnd(first);
                // What it started after the look, of which the system still knows whose it was.
                List<ProcessHandle> late = first.descendants().toList();
                late.forEach(ProcessHandle::destroyForcibly);
                Stream.concat(all.stream(), late.stream()).forEach(ServerCrash::awaitEnd);
            }

            private static void awaitEnd(ProcessHandle process) {
                ProcessHandle unused = process.onExit()
                        .completeOnTimeout(process, PATIENCE_SECONDS, TimeUnit.SECONDS)
                        .join();
                if (process.isAlive()) {
                    throw new TargetException("crash: process " + process.pid() + " of the server cannot be killed");
                }
            }
        }

        /** Writes run.json and the reports, and prints report.txt. */
        private ResultFiles.End write(
                List<StepRecord> done,
                double seconds,
                Optional<TargetException> failure,
                GeneratorCpu cpu,
                RunMonitor.Seen seen) {
            LoadOutcome.Ending ending = ending();
            ServerState server = setup.serverState();
            RunResult.GeneratorResult generator = cpu.result(done.size(), seconds);
            MachineValidity machine = MachineValidity.ofProcedure(seen.host(), generator.cpuRatio(), seconds);
            Findings found = setup.found();
            failure.ifPresent(broken -> found.fault("the database broke down: " + broken.getMessage()));
            found.faultIf(server.isGone(), "the database was gone at the end of the run: %s", server.failure());
            harm.ifPresent(why -> found.fault("stopped by itself, since it did harm: " + why));
            boolean interrupted = ending == LoadOutcome.Ending.INTERRUPTED;
            found.faultIf(interrupted, "interrupted after %d steps", done.size());
            found.faultIf(!interrupted && done.isEmpty(), "no step was done");
            found.faults().addAll(seen.faults());
            warnFailed(done, found);
            int servers = setup.bench().stores().size();
            found.noteIf(servers > 1, "counters, sizes and plans are those of the first of %d servers", servers);
            foundNothing(done).ifPresent(found::note);
            found.addAll("", machine.found());
            found.notes().addAll(seen.notes());
            RunResult result = new RunResult(
                    RunResult.FORMAT_VERSION,
                    setup.identity(server, seconds, ending),
                    RunResult.Measurement.withoutLoad(generator, seen.database(), seen.host(), seen.hosts()),
                    setup.environment().fingerprints(),
                    plans.asRead(),
                    done,
                    0,
                    RunResult.AnswerCounts.NONE,
                    List.of(),
                    Validity.of(found.faults(), machine.disturbance(), Saturation.NONE, found.notes()));
            boolean serverGone = failure.isPresent() || server.isGone();
            return ResultFiles.write(setup, result, ending, ResultFiles.Server.of(serverGone, seen));
        }

        /** A search for values that everybody knows is measured to compare, which takes that there is something to find. */
        private Optional<String> foundNothing(List<StepRecord> steps) {
            List<String> empty = steps.stream()
                    .filter(step -> step.figures().getOrDefault("rows", 1.0) == 0)
                    .map(StepRecord::name)
                    .distinct()
                    .toList();
            return setup.plan()
                    .scenario()
                    .procedure()
                    .flatMap(Procedure::asked)
                    .map(Procedure.Asked::searched)
                    .filter(name -> !empty.isEmpty() && !name.equals(EventSource.DRAWN))
                    .map(name -> "no event of data set " + setup.plan().source().name()
                            + " has the values that it names " + name + " in: " + String.join(", ", empty));
        }

        /** A step that was not measured leaves the run without a number that others have. */
        private static void warnFailed(List<StepRecord> steps, Findings found) {
            List<StepRecord> failed = steps.stream().filter(StepRecord::failed).toList();
            failed.stream()
                    .limit(SHOWN)
                    .map(step ->
                            "step " + step.name() + " failed: " + step.facts().get(StepRecord.ERROR))
                    .distinct()
                    .forEach(found::fault);
            found.faultIf(failed.size() > SHOWN, "%d of %d steps failed", failed.size(), steps.size());
        }
    }
}
