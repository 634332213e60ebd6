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
import siemload.measure.RunClock;
import siemload.measure.monitor.RunMonitor;
import siemload.query.Search;
import siemload.results.FeederResult.StoredEvents;
import siemload.results.MicrosSummary;
import siemload.results.RunResult;
import siemload.results.SearchKey;
import siemload.run.Bench.Opening;
import siemload.run.ProvenPlans.SearchKinds;
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

    private record Watched(Load load, IntervalLog log) {}

    /**
     * Gets everything ready for the load.
     *
     * @throws ConfigException if the layout or the server lacks something for the searches, or does not follow the hint of the run
     */
    CompleteRun(RunSetup setup) {
        this.setup = setup;
        this.plans = new ProvenPlans(setup);
        this.answers = new AnswerReview(setup.bench(), setup.path(), setup.found());
        RunPlan plan = setup.plan();
        SearchDraw draw = setup.bench().draw();
        Map<SearchKey, List<Search>> various = SearchKinds.various(plan, draw);
        if (plan.asksExisting() && !plan.asksStatements()) {
            Opening.requireAnswerable(plan, setup.bench().store(), various);
        }
        plans.prove(SearchKinds.of(plan, draw), various);
        setup.settle();
        this.monitor = setup.openMonitor();
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
        RunClock clock = load.clock();
        Instant measuredFrom = Instant.now().plusNanos(clock.measureNanos() - System.nanoTime());
        IntervalLog intervals = setup.written(
                () -> new IntervalLog(setup.writer(), measuredFrom, clock, load.searches(), load.feeder()));
        watched = Optional.of(new Watched(load, intervals));
        return nowNanos -> {
            intervals.tick(nowNanos);
            if (!clock.isOver(nowNanos) && !load.interrupted().getAsBoolean()) {
                harmful.second(load.searches(), load.feeder()).ifPresent(this::abort);
            }
        };
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
            setup.found().fault(String.valueOf(incomplete.getMessage()));
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
                    .orElseGet(() -> AnswerReview.lookFor(measured.fed(), bench().store()));
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
