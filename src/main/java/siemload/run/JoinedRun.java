package siemload.run;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import siemload.config.DaemonThread;
import siemload.database.SearchException;
import siemload.database.ServerAddress;
import siemload.database.Store;
import siemload.database.Store.DatasetKey;
import siemload.database.Target;
import siemload.database.TargetException;
import siemload.database.Transport;
import siemload.dataset.ValuePools;
import siemload.measure.AbortWatch;
import siemload.measure.ClockOffset;
import siemload.measure.FeederRecorder;
import siemload.measure.LatencyRecorder;
import siemload.measure.RunClock;
import siemload.measure.SearchStatistics;
import siemload.measure.SecondLog;
import siemload.measure.monitor.RunMonitor;
import siemload.results.FeederResult.StoredEvents;
import siemload.results.HostActivity;
import siemload.results.InjectorResult;
import siemload.results.MicrosSummary;
import siemload.results.TimeMetric;
import siemload.run.ExistingSearches.AnswerReview;
import siemload.run.LoadOutcome.InjectorOutcome;
import siemload.run.LoadOutcome.InjectorSecond;
import siemload.run.LoadRun.ReadRouting.ReadStore;
import siemload.run.RunSetup.Replicas;
import siemload.run.answers.CheckedAnswers;
import siemload.run.answers.FeedLedger;

/**
 * The part of an injector in a run: it joins the store that the run has made, and hands over what it measured. Where the server
 * comes from, whether its plans are right, and what it did meanwhile are the business of the run. Thread-safe.
 */
final class JoinedRun implements LoadRun {
    private final RunHost host;
    private final InjectorLink link;
    private final Resources resources;
    private final Target target;
    private final Store store;
    private final List<ReadStore> reading;
    private final ValuePools pools;
    private volatile Optional<RunMonitor.OwnProcess> ownProcess = Optional.empty();
    private volatile Optional<Runnable> interruption = Optional.empty();
    private volatile boolean interrupted;
    private volatile Optional<FeedLedger> ledger = Optional.empty();
    private volatile Optional<ClockOffset> clockAtStart = Optional.empty();
    private volatile long startLatenessNanos;

    private JoinedRun(RunHost host, InjectorLink link, Resources resources, Target target) {
        this.host = host;
        this.link = link;
        this.resources = resources;
        this.target = target;
        DatasetKey key = DatasetKeys.of(link.plan(), target.version());
        this.store = resources.add(target.join(key, link.store()));
        this.reading = Replicas.connect(host, link.plan(), resources, target, link.server())
                .join(store);
        this.pools = new DatasetLoading(host, link.plan()).values();
    }

    /**
     * Joins the store of the run.
     *
     * @throws siemload.database.TargetException if the server cannot be reached, or has no such store
     */
    static JoinedRun open(RunHost host, InjectorLink link, Resources resources) {
        RunPlan plan = link.plan();
        Target target =
                resources.add(plan.choice().plugin().connect(link.server(), RunSetup.options(plan, plan.sessions())));
        return new JoinedRun(host, link, resources, target);
    }

    @Override
    public RunHost host() {
        return host;
    }

    @Override
    public RunPlan plan() {
        return link.plan();
    }

    @Override
    public ValuePools pools() {
        return pools;
    }

    @Override
    public Store store() {
        return store;
    }

    @Override
    public List<ReadStore> readStores() {
        return reading;
    }

    @Override
    public ServerAddress server() {
        return link.server();
    }

    @Override
    public void onInterrupt(Runnable action) {
        interruption = Optional.of(action);
    }

    @Override
    public void interrupt() {
        interrupted = true;
        interruption.ifPresent(Runnable::run);
    }

    @Override
    public long awaitStart(long nowNanos) {
        ClockOffset clock = clock();
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
    public void watch(RunClock clock) {
        ownProcess = Optional.of(resources.add(RunMonitor.ownProcess(clock)));
    }

    @Override
    public SecondLog openLog(RunClock clock, LatencyRecorder searches, FeederRecorder feeder, FeedLedger fed) {
        ledger = Optional.of(fed);
        return new SecondLog() {
            @Override
            public void tick(long nowNanos) {
                if (nowNanos - clock.startNanos() >= 0) {
                    link.second(new InjectorSecond(
                            clock.second(nowNanos), searches.takeRecorded(), feeder.takeRecorded(), fed.takeEntries()));
                }
            }

            @Override
            public void close() {}
        };
    }

    /** Whoever coordinates the run sees what all injectors do together, and judges that. */
    @Override
    public AbortWatch harm() {
        return new AbortWatch(List.of(), () -> Duration.ZERO);
    }

    @Override
    public void abort(String why) {
        throw new IllegalStateException("an injector does not judge the load: " + why);
    }

    @Override
    public RunMonitor.Seen seen(long endNanos, MicrosSummary eventLoopLateness) {
        return ownProcess.map(own -> own.seen(eventLoopLateness)).orElse(RunMonitor.Seen.NOTHING);
    }

    @Override
    public void finish(LoadOutcome measured) {
        try {
            if (link.ended(outcome(measured), ledger.orElseThrow()) && !interrupted) {
                AnswerReview review = new AnswerReview(
                        host, plan().source(), List.of(), Path.of(""), OptionalLong.empty(), Optional.empty());
                CheckedAnswers answers = review.check(measured, () -> interrupted);
                link.checked(answers, measured.end().clock().startNanos());
            }
        } finally {
            resources.close();
        }
    }

    @Override
    public void abandon() {
        resources.close();
    }

    private InjectorOutcome outcome(LoadOutcome measured) {
        RunClock clock = measured.end().clock();
        ClockOffset atStart = clockAtStart.orElseThrow();
        ClockOffset whole = interrupted ? atStart : untilNow(atStart);
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
        if (!target.transport().equals(Transport.IN_PROCESS)) {
            return List.of();
        }
        return List.of(FedEvents.lookFor(
                measured.fed().acknowledgedIds(), measured.fed().unacknowledgedIds(), store));
    }

    /** Where the server does not answer any more, its clock is no longer what matters. */
    private ClockOffset untilNow(ClockOffset atStart) {
        try {
            return atStart.until(clock());
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
                InjectorResult.Share.alone(all.count(), measured.feeder().acknowledgedSoFar()),
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
