package siemload.run;

import java.io.IOException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.LongConsumer;
import siemload.config.Property;
import siemload.database.Provision;
import siemload.database.Transport;
import siemload.dataset.FeedEvents;
import siemload.measure.AbortWatch;
import siemload.measure.IntervalLog;
import siemload.measure.LatencyRecorder;
import siemload.measure.ReplicaRecorder;
import siemload.measure.RunClock;
import siemload.measure.SearchStatistics;
import siemload.measure.monitor.RunMonitor;
import siemload.results.FeederResult;
import siemload.results.FeederResult.StoredEvents;
import siemload.results.Outcome;
import siemload.results.ReplayResult;
import siemload.results.RunResult;
import siemload.results.RunResult.PlanRecord;
import siemload.results.RunResult.RetentionResult;
import siemload.results.SearchResult;
import siemload.results.Validity;
import siemload.run.RunOutcome.Objectives;
import siemload.run.RunOutcome.RunIntervals;
import siemload.run.RunOutcome.ServerShare;
import siemload.run.answers.CheckedAnswers;
import siemload.run.answers.DroppedDay;
import siemload.run.answers.FeedLedger.Batches;
import siemload.scenario.Scenario;

/**
 * A load run with all that is around the load: before it, the server and its data set are got ready; after it, every fed event is looked
 * for, the answers are checked, and the results are written. Thread-safe.
 */
final class CompleteRun implements LoadRun {
    private final RunSetup setup;
    private final AnswerReview answers;
    private volatile Optional<String> harm = Optional.empty();
    private volatile Optional<Load> watched = Optional.empty();

    CompleteRun(RunSetup setup) {
        this.setup = setup;
        this.answers = new AnswerReview(setup.bench(), setup.path(), setup.found());
    }

    @Override
    public Bench bench() {
        return setup.bench();
    }

    @Override
    public FeedEvents feed() {
        return setup.side().map(Slices.Side::feed).orElseGet(LoadRun.super::feed);
    }

    @Override
    public Batches fed(Batches now) {
        return setup.side().map(side -> side.fed(now)).orElse(now);
    }

    @Override
    public LongConsumer watch(Load load) {
        setup.monitor().countAsGenerator(load.processes());
        RunClock clock = load.clock();
        setup.start(clock);
        AbortWatch harmful =
                new AbortWatch(plan().settings().find(Property.ABORT_IF).orElse(List.of()));
        Instant measuredFrom = Instant.now().plusNanos(clock.measureNanos() - System.nanoTime());
        IntervalLog intervals;
        try {
            intervals = new IntervalLog(setup.writer(), measuredFrom, clock, load.searches());
        } catch (IOException unwritten) {
            throw RunSetup.unwritable(plan(), setup.path(), unwritten);
        }
        watched = Optional.of(load);
        return nowNanos -> {
            intervals.tick(nowNanos);
            if (!clock.isOver(nowNanos) && !load.interrupted().getAsBoolean()) {
                harmful.second(load.searches()).ifPresent(this::abort);
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
    public RunMonitor.Seen seen(long endNanos) {
        return setup.stop(endNanos);
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
            boolean again = measured.end().ending() == LoadOutcome.Ending.COMPLETE
                    && setup.side().isEmpty();
            List<PlanRecord> plans =
                    again ? setup.plans().readAgain() : setup.plans().asRead();
            if (setup.side().isPresent()) {
                plans = plans.stream().map(PlanRecord::withoutFile).toList();
            }
            host().status("");
            Findings found = setup.found();
            CheckedAnswers checked =
                    answers.check(measured, watched.orElseThrow().interrupted());
            harm.ifPresent(why -> found.fault("stopped by itself, since the load did harm: " + why));
            measured.drop()
                    .map(DroppedDay::failure)
                    .filter(why -> !why.isEmpty())
                    .ifPresent(why -> found.fault("the oldest day was not dropped: " + why));
            if (plan().asksExisting()) {
                plan().source().warnings().forEach(found::note);
            }
            RunSetup.End end = write(measured, fed, plans, checked);
            host().endWith(end.code(), end.why());
        } finally {
            bench().close();
        }
    }

    /** Judges the load, with all that was found before; writes run.json and the reports. */
    private RunSetup.End write(
            LoadOutcome measured, StoredEvents fed, List<PlanRecord> plans, CheckedAnswers answered) {
        LoadOutcome.End end = measured.end();
        RunMonitor.Seen seen = measured.seen();
        Findings found = setup.found();
        Scenario scenario = plan().scenario();
        LatencyRecorder searched = measured.searches();
        SearchStatistics all = searched.merged(key -> true);
        Optional<SortedMap<String, String>> server = setup.serverSettings();
        RunIntervals intervals = RunIntervals.read(setup.path());
        FeederResult feeder = intervals.addedTo(searched.feeder().result(end.nanos(), fed));
        List<SearchResult> searches = intervals.addedTo(searched.results());
        List<SearchResult> totals = intervals.addedTo(searched.totals());
        List<ReplayResult> replays = searched.replays().results();
        RunOutcome.reviewReplays(replays, end.ending(), scenario.phases().measurement(), found);
        Validity verdict = RunValidity.of(measured, feeder, limits(), answered, found, plans);
        Objectives objectives = new Objectives(totals, feeder, verdict.disturbance(), end.seconds());
        RunResult result = new RunResult(
                RunResult.FORMAT_VERSION,
                setup.identity(server, end.seconds(), end.ending()),
                new RunResult.Measurement(
                        searches,
                        totals,
                        ServerShare.of(seen.statements(), setup.plans().statements(), searches),
                        feeder,
                        measured.generator().result(all.count(), end.seconds()),
                        seen.database(),
                        measured.probed().visibility().result(),
                        measured.probed().pagination(),
                        searched.ticks().results(end.nanos()),
                        measured.drop().map(drop -> retention(drop, end)).stream()
                                .toList(),
                        replays,
                        seen.hosts(),
                        measured.injected().map(LoadOutcome.Injected::started).orElse(0),
                        measured.injected().map(LoadOutcome.Injected::injectors).orElse(List.of()),
                        searched.replicas().stream()
                                .map(ReplicaRecorder::result)
                                .toList()),
                setup.environment().fingerprints(),
                plans,
                List.of(),
                searched.inFlightAtEnd(),
                answered.counts(),
                scenario.objectives().stream().map(objectives::check).toList(),
                verdict);
        boolean unreachable = all.count() > 0 && all.count(Outcome.CONNECTION) == all.count();
        boolean gone = server.isEmpty() || fed.lost() < 0 || unreachable;
        return setup.write(result, end.ending().on(gone, !seen.faults().isEmpty()));
    }

    private static RetentionResult retention(DroppedDay drop, LoadOutcome.End end) {
        String day = LocalDate.ofInstant(drop.day().from(), ZoneOffset.UTC).toString();
        String means = drop.removed()
                .map(removed -> removed.means().name().toLowerCase(Locale.ROOT))
                .orElse("");
        double second = Math.round(end.clock().second(drop.startNanos()) * 1000) / 1000.0;
        long waited =
                drop.removed().map(removed -> removed.waited().toNanos() / 1000).orElse(0L);
        return new RetentionResult(
                day, means, drop.failure(), second, drop.took().toNanos() / 1000, waited);
    }

    /** A server in a container of ours may use so many CPUs and no more. */
    private LoadLimits limits() {
        RunPlan plan = plan();
        boolean inContainer = plan.choice().provision() == Provision.CONTAINER;
        return new LoadLimits(
                plan.workers(),
                plan.workers() >= plan.users(),
                inContainer ? plan.settings().value(Property.CONTAINER_CPUS) : 0,
                bench().target().transport().equals(Transport.IN_PROCESS));
    }
}
