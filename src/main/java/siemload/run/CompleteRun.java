package siemload.run;

import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongConsumer;
import siemload.config.ConfigException;
import siemload.config.Property;
import siemload.measure.AbortWatch;
import siemload.measure.IntervalLog;
import siemload.measure.monitor.RunMonitor;
import siemload.query.Search;
import siemload.results.FeederResult.StoredEvents;
import siemload.results.MicrosSummary;
import siemload.results.RunResult;
import siemload.results.SearchKey;
import siemload.run.Bench.Opening;
import siemload.run.answers.CheckedAnswers;
import siemload.run.answers.DroppedDay;
import siemload.scenario.SearchDraw;

/**
 * A load run with all that is around the load: before it, the server and its data set are got ready; after it, every fed event is looked
 * for, the answers are checked, and the results are written. Thread-safe.
 */
final class CompleteRun implements LoadRun {
    private final RunSetup setup;
    private final ProvenPlans plans;
    private final AnswerReview answers;
    private final RunMonitor monitor;
    private volatile Optional<String> harm = Optional.empty();
    private volatile Optional<Watched> watched = Optional.empty();
    private volatile Optional<String> incompleteLogs = Optional.empty();

    private record Watched(Load load, IntervalLog log) {}

    private CompleteRun(RunSetup setup) {
        this.setup = setup;
        this.plans = new ProvenPlans(setup);
        this.answers = new AnswerReview(setup.bench(), setup.path(), setup.found());
        provePlans();
        setup.settle();
        this.monitor = setup.openMonitor();
    }

    /**
     * Gets everything ready for the load.
     *
     * @throws ConfigException if settings or files are wrong, or the server does not follow the hint of the run
     * @throws TargetException if the database cannot be had
     */
    static CompleteRun open(RunHost host, RunPlan plan, Resources resources) {
        return new CompleteRun(RunSetup.open(host, plan, resources));
    }

    private void provePlans() {
        RunPlan plan = setup.plan();
        SearchDraw draw = setup.bench().draw();
        Map<SearchKey, List<Search>> various = SearchKinds.various(plan, draw);
        if (plan.asksExisting() && !plan.asksStatements()) {
            Opening.requireAnswerable(plan, setup.bench().store(), various);
        }
        plans.prove(SearchKinds.of(plan, draw), various);
    }

    @Override
    public Bench bench() {
        return setup.bench();
    }

    @Override
    public LongConsumer watch(Load load) {
        monitor.countAsGenerator(load.processes());
        setup.start(monitor, load.clock());
        AbortWatch harmful =
                new AbortWatch(plan().settings().find(Property.ABORT_IF).orElse(List.of()));
        IntervalLog intervals = openLog(load);
        watched = Optional.of(new Watched(load, intervals));
        return nowNanos -> {
            intervals.tick(nowNanos);
            if (!load.clock().isOver(nowNanos) && !load.interrupted().getAsBoolean()) {
                harmful.second(load.searches(), load.feeder()).ifPresent(this::abort);
            }
        };
    }

    private IntervalLog openLog(Load load) {
        Instant measuredFrom = Instant.now().plusNanos(load.clock().measureNanos() - System.nanoTime());
        try {
            return new IntervalLog(setup.writer(), measuredFrom, load.clock(), load.searches(), load.feeder());
        } catch (IOException unwritable) {
            throw new ConfigException(
                    setup.origin(Property.RESULTS), "logs cannot be written to " + setup.path() + ": " + unwritable);
        }
    }

    /** Ends the process in good order, since the load does harm; the first reason counts. */
    private synchronized void abort(String why) {
        if (harm.isEmpty()) {
            harm = Optional.of(why);
            host().stopping(why);
            new Thread(() -> host().exit(ExitCode.MISSED), "siemload-abort").start();
        }
    }

    @Override
    public RunMonitor.Seen seen(long endNanos, MicrosSummary eventLoopLateness) {
        try {
            watched.orElseThrow().log().close();
        } catch (IOException incomplete) {
            incompleteLogs = Optional.of(String.valueOf(incomplete.getMessage()));
            host().line("warning: " + incomplete.getMessage());
        }
        return monitor.finish(endNanos, eventLoopLateness);
    }

    @Override
    public void finish(LoadOutcome load) {
        try {
            LoadOutcome measured = harm.isPresent() ? load.aborted() : load;
            if (plan().scenario().feeder().isOn()) {
                host().status("looking for the fed events");
            }
            StoredEvents fed = measured.injected()
                    .flatMap(LoadOutcome.Injected::stored)
                    .orElseGet(() -> FedEvents.lookFor(measured.fed(), bench().store()));
            host().status("reading the plans again");
            boolean complete = measured.end().ending() == LoadOutcome.Ending.COMPLETE;
            List<RunResult.PlanRecord> seen = complete ? plans.readAgain() : plans.asRead();
            host().status("");
            Findings found = setup.found();
            CheckedAnswers checked =
                    answers.check(measured, watched.orElseThrow().load().interrupted());
            harm.ifPresent(why -> found.fault("stopped by itself, since the load did harm: " + why));
            measured.drop()
                    .map(DroppedDay::failure)
                    .filter(why -> !why.isEmpty())
                    .ifPresent(why -> found.fault("the oldest day was not dropped: " + why));
            incompleteLogs.ifPresent(found::fault);
            if (plan().asksExisting()) {
                plan().source().warnings().forEach(found::note);
            }
            ResultFiles.End end = RunOutcome.write(setup, plans.statements(), measured, fed, seen, checked);
            host().endWith(end.code(), end.why());
        } finally {
            bench().close();
        }
    }
}
