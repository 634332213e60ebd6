package siemload.run;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import siemload.config.AbortCondition;
import siemload.config.DaemonThread;
import siemload.config.Property;
import siemload.database.TargetException;
import siemload.measure.AbortWatch;
import siemload.measure.RunClock;
import siemload.measure.monitor.RunMonitor;
import siemload.results.MicrosSummary;
import siemload.results.RunResult;
import siemload.results.RunResult.GeneratorCpu;
import siemload.results.Saturation;
import siemload.results.StepRecord;
import siemload.results.Validity;
import siemload.run.RunValidity.MachineValidity;
import siemload.run.procedure.CacheKeeper;
import siemload.run.procedure.ProcedureContext;
import siemload.run.procedure.Procedures;
import siemload.run.procedure.StepLog;
import siemload.scenario.Procedure;

/**
 * One run of a procedure, from its settings to its results: what one person does step by step, without Gatling. Followed
 * by one thread; interrupted by any.
 */
final class ProcedureRun {
    /** How long the process waits for the results when it is stopped, and for the end of a server that was killed. */
    private static final int PATIENCE_SECONDS = 30;

    private final RunSetup setup;
    private final Procedure procedure;
    private final CacheKeeper caches;
    private final StepLog steps = new StepLog(this::tooManyFailures);
    private final List<AbortCondition> conditions;
    private volatile Optional<String> harm = Optional.empty();
    private final CountDownLatch ended = new CountDownLatch(1);

    private ProcedureRun(RunSetup setup) {
        Bench bench = setup.bench();
        this.setup = setup;
        this.procedure = setup.plan().scenario().procedure().orElseThrow();
        this.caches = new CacheKeeper(
                setup.host()::status,
                bench.server(),
                bench.store(),
                bench.processes()::diskBytes,
                setup.monitor()::pause,
                setup.found().notes());
        this.conditions = setup.plan().settings().find(Property.ABORT_IF).orElse(List.of());
    }

    /** Follows the procedure to its end, writes the results, says what was measured, and gives everything back. */
    static ExitCode follow(RunSetup setup) {
        ProcedureRun run = new ProcedureRun(setup);
        setup.bench().onInterrupt(run::interrupt);
        try {
            RunSetup.End end = run.follow();
            setup.host().endWith(end.code(), end.why());
            return end.code();
        } finally {
            setup.bench().close();
            run.ended.countDown();
        }
    }

    private RunSetup.End follow() {
        RunPlan plan = setup.plan();
        RunClock clock = RunClock.openEnded(System.nanoTime());
        GeneratorCpu cpu = new GeneratorCpu();
        setup.start(clock);
        cpu.phaseStarted();
        watchForHarm();
        ProcedureContext context = new ProcedureContext(
                setup.bench().stores(),
                plan.source(),
                setup.bench().draw(),
                plan.variant(),
                setup.plans().shapes(),
                plan.seed(),
                caches,
                setup.bench().processes()::cpuNanos,
                this::crash,
                steps,
                setup.writer(),
                clock.measureNanos(),
                setup.host());
        boolean brokeDown = false;
        try {
            Procedures.follow(procedure, context);
        } catch (TargetException broken) { // what was measured before is kept
            setup.found().fault("the database broke down: " + broken.getMessage());
            brokeDown = true;
        }
        cpu.phaseEnded();
        long endNanos = System.nanoTime();
        setup.host().status("");
        RunMonitor.Seen seen = setup.stop(endNanos);
        return write(clock.measuredSeconds(endNanos), brokeDown, cpu, seen);
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
        Runnable look = () -> watch.second(steps.endedSoFar(), steps.failedSoFar(), steps.endInterval())
                .ifPresent(this::stopHarm);
        var unused = timer.scheduleAtFixedRate(look, 1, 1, TimeUnit.SECONDS);
    }

    /** Ends the procedure at once; returns when the results of what was measured before are written. */
    private void interrupt() {
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
            stopHarm(StepLog.MOST_FAILURES_IN_A_ROW + " steps in a row failed (-DabortIf=never goes on)");
        }
    }

    private synchronized void stopHarm(String why) {
        if (harm.isEmpty() && !steps.isInterrupted()) {
            harm = Optional.of(why);
            setup.host().stopping(why);
            steps.interrupt();
        }
    }

    /** Kills the server that siemload started, and starts it again. */
    private void crash() {
        try (RunMonitor.Pause unused = setup.monitor().pause()) {
            OptionalLong process = setup.bench().server().server().process();
            if (process.isEmpty()) {
                throw new TargetException("crash: the server has ended by itself before");
            }
            ProcessHandle.of(process.getAsLong()).ifPresent(ProcedureRun::kill);
            caches.startAgain();
        }
    }

    /** The first one first, so that it starts no others in the place of those that go. */
    private static void kill(ProcessHandle first) {
        List<ProcessHandle> all =
                Stream.concat(Stream.of(first), first.descendants()).toList();
        all.forEach(ProcessHandle::destroyForcibly);
        for (ProcessHandle process : all) {
            ProcessHandle unused = process.onExit()
                    .completeOnTimeout(process, PATIENCE_SECONDS, TimeUnit.SECONDS)
                    .join();
            if (process.isAlive()) {
                throw new TargetException("crash: process " + process.pid() + " of the server cannot be killed");
            }
        }
    }

    /** Judges what was done; writes run.json and the reports. */
    private RunSetup.End write(double seconds, boolean brokeDown, GeneratorCpu cpu, RunMonitor.Seen seen) {
        Findings found = setup.found();
        List<StepRecord> done = steps.steps();
        boolean interrupted = harm.isEmpty() && steps.isInterrupted();
        LoadOutcome.Ending ending = harm.isPresent()
                ? LoadOutcome.Ending.ABORTED
                : interrupted ? LoadOutcome.Ending.INTERRUPTED : LoadOutcome.Ending.COMPLETE;
        Optional<SortedMap<String, String>> server = setup.serverSettings();
        RunResult.GeneratorResult generator = cpu.result(done.size(), seconds);
        MachineValidity machine = new MachineValidity(seen.host(), seconds, false, generator.cpuRatio());
        machine.checkGenerator(MicrosSummary.NONE, MicrosSummary.NONE);
        harm.ifPresent(why -> found.fault("stopped by itself, since it did harm: " + why));
        found.faultIf(interrupted, "interrupted after %d steps", done.size());
        found.faultIf(!interrupted && done.isEmpty(), "no step was done");
        found.faults().addAll(seen.faults());
        for (StepRecord job : done) {
            double items = job.figures().getOrDefault("failedItems", 0.0);
            double searches = job.figures().getOrDefault("failedSearches", 0.0);
            String name = job.name() + " (number " + job.facts().get("job") + ")";
            String first = job.facts().getOrDefault("firstFailure", "");
            String why = first.isEmpty() ? "" : " (the first one: " + first + ")";
            found.faultIf(
                    items > 0, "%s: %.0f items failed, with %.0f of their searches%s", name, items, searches, why);
        }
        // A step that was not measured leaves the run without a number that others have.
        List<StepRecord> failed = done.stream().filter(StepRecord::failed).toList();
        failed.stream()
                .limit(1)
                .map(step -> "step " + step.name() + " failed: " + step.facts().get(StepRecord.ERROR))
                .forEach(found::fault);
        found.faultIf(failed.size() > 1, "%d of %d steps failed", failed.size(), done.size());
        int servers = setup.bench().stores().size();
        found.noteIf(servers > 1, "counters, sizes and plans are those of the first of %d servers", servers);
        found.addAll("", machine.found());
        found.notes().addAll(seen.notes());
        RunResult result = new RunResult(
                RunResult.FORMAT_VERSION,
                setup.identity(server, seconds, ending),
                RunResult.Measurement.withoutLoad(generator, seen.database(), seen.hosts()),
                setup.environment().fingerprints(),
                setup.plans().asRead(),
                done,
                0,
                RunResult.AnswerCounts.NONE,
                List.of(),
                Validity.of(found.faults(), machine.disturbance(), Saturation.NONE, found.notes()));
        boolean gone = brokeDown || server.isEmpty();
        return setup.write(result, ending.on(gone, !seen.faults().isEmpty()));
    }
}
