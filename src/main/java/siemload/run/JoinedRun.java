package siemload.run;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import siemload.config.DaemonThread;
import siemload.database.SearchException;
import siemload.database.TargetException;
import siemload.database.Transport;
import siemload.measure.ClockOffset;
import siemload.measure.RunClock;
import siemload.measure.SearchStatistics;
import siemload.measure.monitor.RunMonitor;
import siemload.results.FeederResult.StoredEvents;
import siemload.results.HostActivity;
import siemload.results.InjectorResult;
import siemload.results.MicrosSummary;
import siemload.results.TimeMetric;
import siemload.run.LoadOutcome.InjectorOutcome;
import siemload.run.LoadOutcome.InjectorSecond;
import siemload.run.answers.CheckedAnswers;

/**
 * The part of an injector in a run: it joins the store that the run has made, and hands over what it measured. Where the server
 * comes from, whether its plans are right, what it did meanwhile, and whether the load does harm, are the business of the run. Thread-safe.
 */
final class JoinedRun implements LoadRun {
    private final Bench bench;
    private final InjectorLink link;
    private volatile Optional<Load> load = Optional.empty();
    private volatile Optional<RunMonitor.GcPauses> pauses = Optional.empty();
    private volatile Optional<ClockOffset> clockAtStart = Optional.empty();
    private volatile long startLatenessNanos;

    /** @param bench has joined the store of the run */
    JoinedRun(Bench bench, InjectorLink link) {
        this.bench = bench;
        this.link = link;
    }

    @Override
    public Bench bench() {
        return bench;
    }

    @Override
    public long awaitStart(long nowNanos) {
        ClockOffset clock = bench.clock();
        clockAtStart = Optional.of(clock);
        long start = link.awaitStart(clock);
        DaemonThread.start("siemload-start", () -> noteStart(start));
        return start;
    }

    private void noteStart(long startNanos) {
        for (long left = startNanos - System.nanoTime(); left > 0; left = startNanos - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
        startLatenessNanos = System.nanoTime() - startNanos;
    }

    @Override
    public LongConsumer watch(Load made) {
        load = Optional.of(made);
        RunMonitor.GcPauses own = new RunMonitor.GcPauses(made.clock());
        own.start();
        pauses = Optional.of(own);
        return nowNanos -> {
            if (nowNanos - made.clock().startNanos() >= 0) {
                link.second(new InjectorSecond(
                        made.clock().second(nowNanos),
                        made.searches().takeRecorded(),
                        made.feeder().takeRecorded(),
                        made.ledger().takeEntries()));
            }
        };
    }

    @Override
    public RunMonitor.Seen seen(long endNanos, MicrosSummary eventLoopLateness) {
        return pauses.map(own -> RunMonitor.Seen.ofProcess(own, eventLoopLateness))
                .orElse(RunMonitor.Seen.NOTHING);
    }

    @Override
    public void finish(LoadOutcome measured) {
        Load made = load.orElseThrow();
        try {
            boolean check = link.ended(outcome(measured, made), made.ledger());
            if (check && !made.interrupted().getAsBoolean()) {
                CheckedAnswers answers = measured.end().ending() == LoadOutcome.Ending.COMPLETE
                        ? AnswerReview.againstEvents(host(), plan().source(), measured, List.of(), made.interrupted())
                        : CheckedAnswers.none(measured.kept().answers());
                link.checked(answers, measured.end().clock().startNanos());
            }
        } finally {
            pauses.ifPresent(RunMonitor.GcPauses::close);
            bench.close();
        }
    }

    private InjectorOutcome outcome(LoadOutcome measured, Load made) {
        RunClock clock = measured.end().clock();
        ClockOffset atStart = clockAtStart.orElseThrow();
        ClockOffset whole = made.interrupted().getAsBoolean() ? atStart : untilNow(atStart);
        return new InjectorOutcome(
                measured.end().ending(),
                clock.second(measured.end().nanos()),
                whole,
                measured.generator().nanos(),
                result(measured, whole),
                measured.probed().visibility().taken(),
                measured.probed().pagination(),
                stored(measured));
    }

    /** Who has a store for itself is the only one who can look there for what it fed. */
    private List<StoredEvents> stored(LoadOutcome measured) {
        return bench.target().transport().equals(Transport.IN_PROCESS)
                ? List.of(FedEvents.lookFor(measured.fed(), bench.store()))
                : List.of();
    }

    /** Where the server does not answer any more, its clock is no longer what matters. */
    private ClockOffset untilNow(ClockOffset atStart) {
        try {
            return atStart.until(bench.clock());
        } catch (TargetException | SearchException gone) {
            return atStart;
        }
    }

    private InjectorResult result(LoadOutcome measured, ClockOffset clock) {
        SearchStatistics all = measured.searches().merged(key -> true);
        HostActivity own = measured.seen().host();
        return new InjectorResult(
                link.number(),
                hostName(),
                Runtime.getRuntime().availableProcessors(),
                all.count(),
                0,
                measured.feeder().acknowledgedSoFar(),
                measured.generator().result(all.count(), measured.end().seconds()),
                new InjectorResult.Punctuality(
                        TimeUnit.NANOSECONDS.toMicros(clock.uncertaintyNanos()),
                        TimeUnit.NANOSECONDS.toMicros(startLatenessNanos),
                        all.times(TimeMetric.SEARCH_LATENESS).summary(),
                        own.eventLoopLatenessMicros()),
                own.pauses(),
                List.of());
    }

    private static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException unnamed) {
            return "unknown";
        }
    }
}
