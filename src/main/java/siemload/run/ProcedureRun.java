package siemload.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import siemload.config.AbortCondition;
import siemload.config.Property;
import siemload.database.Store;
import siemload.database.TargetException;
import siemload.measure.RunClock;
import siemload.measure.monitor.RunMonitor;
import siemload.query.Search;
import siemload.results.GeneratorCpu;
import siemload.results.MicrosSummary;
import siemload.results.SearchKey;
import siemload.run.procedure.CrashControl;
import siemload.run.procedure.EndedOperations;
import siemload.run.procedure.Interruption;
import siemload.run.procedure.ProcedureContext;
import siemload.run.procedure.Procedures;
import siemload.run.procedure.RunTables;
import siemload.run.procedure.StepLog;
import siemload.run.procedure.WatchedStore;
import siemload.scenario.Procedure;
import siemload.scenario.SearchDraw;

/**
 * One run of a procedure, from its settings to its results: what one person does step by step, without Gatling. Followed
 * by one thread; interrupted by any.
 */
public final class ProcedureRun {
    /** How long the process waits for the results when it is stopped: the server must give up a search first. */
    private static final long PATIENCE_SECONDS = 30;

    private final RunSetup setup;
    private final Procedure procedure;
    private final SearchDraw draw;
    private final ProvenPlans plans;
    private final RunMonitor monitor;
    private final CacheKeeper caches;
    private final CrashControl crashes;
    private final Settling settling;
    private final ItemLog jobs;
    private final StepLog steps;
    private final Interruption interruption = new Interruption();
    private final EndedOperations operations = new EndedOperations();
    private final List<AbortCondition> conditions;
    private volatile Optional<String> harm = Optional.empty();
    private final CountDownLatch ended = new CountDownLatch(1);

    private ProcedureRun(RunSetup setup) {
        this.setup = setup;
        this.procedure = setup.plan().scenario().procedure().orElseThrow();
        this.draw = setup.plan().searchDraw(setup.values().pools());
        this.plans = new ProvenPlans(setup);
        this.monitor = setup.openMonitor();
        this.caches = setup.caches(monitor::pause);
        this.crashes = ServerCrash.of(procedure, setup, monitor, caches);
        this.settling = new Settling(setup);
        this.jobs = setup.resources().add(new ItemLog(setup.writer()));
        this.steps = new StepLog(this::tooManyFailures, jobs);
        this.conditions = setup.plan().settings().find(Property.ABORT_IF).orElse(List.of());
    }

    /**
     * Gets everything ready.
     *
     * @throws siemload.config.ConfigException if settings or files are wrong
     * @throws TargetException if the database cannot be had
     */
    static ProcedureRun open(RunHost host, RunPlan plan, Resources resources) {
        return new ProcedureRun(RunSetup.open(host, plan, resources));
    }

    /** Follows the procedure to its end, writes the results, says what was measured, and gives everything back. */
    ExitCode follow() {
        try {
            setup.times().of("plans", () -> plans.prove(examples(), Map.of()));
            setup.times().of("preparation", () -> {
                settling.checkpoint();
                settling.awaitQuiet();
            });
            RunClock clock = RunClock.openEnded(System.nanoTime());
            GeneratorCpu cpu = new GeneratorCpu();
            setup.start(monitor, clock);
            jobs.start(clock);
            cpu.phaseStarted();
            if (!conditions.isEmpty()) {
                setup.resources()
                        .add(new HarmWatch(conditions, operations, this::stopHarm))
                        .start();
            }
            Optional<TargetException> failure = steps(clock);
            cpu.phaseEnded();
            long endNanos = System.nanoTime();
            setup.host().status("");
            RunMonitor.Seen seen = monitor.finish(endNanos, MicrosSummary.NONE);
            jobs.close();
            JobReview review = JobReview.of(
                    setup.directory().path(), steps.steps(), seen.host().cpus());
            ResultFiles.End end = new ProcedureOutcome(setup, plans, review, notes())
                    .write(
                            review.steps(),
                            new ProcedureOutcome.End(clock.measuredSeconds(endNanos), ending(), harm, failure),
                            cpu,
                            seen);
            setup.host().endWith(end.code(), end.why());
            return end.code();
        } finally {
            setup.resources().close();
            ended.countDown();
        }
    }

    /** Ends the procedure at once; returns when the results of what was measured before are written. */
    void interrupt() {
        if (ended.getCount() == 0) {
            return;
        }
        interruption.ask();
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
                    Locale.ROOT, "%d steps in a row failed (-DabortIf=never goes on)", StepLog.MOST_FAILURES_IN_A_ROW));
        }
    }

    private synchronized void stopHarm(String why) {
        if (harm.isEmpty() && !interruption.isAsked()) {
            harm = Optional.of(why);
            setup.host().stopping(why);
            interruption.ask();
        }
    }

    private LoadOutcome.Ending ending() {
        if (harm.isPresent()) {
            return LoadOutcome.Ending.ABORTED;
        }
        return interruption.isAsked() ? LoadOutcome.Ending.INTERRUPTED : LoadOutcome.Ending.COMPLETE;
    }

    private List<String> notes() {
        List<String> notes = new ArrayList<>(settling.notes());
        notes.addAll(caches.notes());
        int servers = setup.stores().size();
        if (servers > 1) {
            notes.add("counters, sizes and plans are those of the first of " + servers + " servers");
        }
        jobs.incomplete().ifPresent(notes::add);
        return notes;
    }

    private Map<SearchKey, Search> examples() {
        RunPlan plan = setup.plan();
        return Procedures.examples(procedure, draw, plan.source().until(), plan.seed());
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
                conditions.isEmpty() ? setup.stores() : watched(),
                setup.plan().source(),
                draw,
                setup.plan().variant(),
                plans.shapes(),
                setup.plan().seed(),
                new ProcedureContext.ServerControl(caches, crashes),
                new ProcedureContext.MeasuredLog(steps, new RunTables(setup.writer(), clock.measureNanos())),
                setup.host(),
                interruption);
    }

    private List<Store> watched() {
        return setup.stores().stream()
                .map(store -> WatchedStore.of(store, operations))
                .toList();
    }
}
