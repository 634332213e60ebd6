package siemload.load;

import io.netty.util.concurrent.EventExecutorGroup;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import siemload.config.ConfigException;
import siemload.config.Property;
import siemload.database.SearchSession;
import siemload.measure.LatencyRecorder;
import siemload.measure.Sample;
import siemload.measure.monitor.RunMonitor;
import siemload.run.DayDrop;
import siemload.run.ExitCode;
import siemload.run.LoadOutcome;
import siemload.run.LoadRun;
import siemload.run.ReadRouting;
import siemload.run.RunPlan;
import siemload.run.Shard;
import siemload.run.answers.AnswerSampler;
import siemload.run.answers.FeedLedger;
import siemload.run.answers.TrendHours;
import siemload.scenario.AnalystGroup;
import siemload.scenario.Phases;
import siemload.scenario.Scenario;
import siemload.scenario.SearchDraw;
import siemload.scenario.StatementPlan;

/**
 * Everything that works beside Gatling in one run: the workers that search, the feeder that inserts, the clock that both
 * follow, and the line on the terminal. Started by the first user, finished once by whoever comes first: Gatling's end
 * or an interrupt. Thread-safe.
 */
final class LoadEngine {
    private static final Duration AFTER_CANCEL = Duration.ofSeconds(2);
    private static final Duration MOMENT = Duration.ofMillis(100);
    /** Answers that wait for longer have left the processor's caches, and are copied by the collector first. */
    private static final Duration HANDED_OVER_EVERY = Duration.ofMillis(100);

    private static final Duration OVERTIME = Duration.ofMinutes(1);

    private final LoadRun run;
    private final LoadConnections connections;
    private final ReadRouting routing;
    private final FeedLedger ledger;
    private final AnswerSampler sampler;
    /** Held by who waits for the start; not this, since who ends the process must not wait for a start that may never come. */
    private final Object starting = new Object();

    private final AtomicBoolean finished = new AtomicBoolean();
    private final CountDownLatch handedOver = new CountDownLatch(1);
    private final SearchDraw draw;
    private final TrendHours trends = new TrendHours();
    private final Probes probes;
    private final EventLoopProbe eventLoops = new EventLoopProbe();
    private volatile Optional<StartedLoad> running = Optional.empty();
    private volatile boolean interrupted;
    private volatile boolean usersLeave;

    /**
     * Opens all connections of the run.
     *
     * @throws siemload.database.TargetException if the server refuses one
     */
    LoadEngine(LoadRun run) {
        this.run = run;
        requireOneProcess(run.plan());
        this.draw = PlanProof.draw(run);
        PlanProof.of(run);
        Rehearsal.run();
        run.prepareServer();
        this.ledger = new FeedLedger(run.plan().scenario().feeder().batch());
        this.sampler = sampler(run.plan());
        this.connections = LoadConnections.open(run);
        this.routing = run.plan().routing();
        this.probes = new Probes(run, ledger);
        run.openMonitor();
        run.onInterrupt(this::interrupt);
    }

    /** Whoever starts Gatling in another way than by the launcher starts no injectors. */
    private static void requireOneProcess(RunPlan plan) {
        if (plan.isInjected()) {
            throw new ConfigException(
                    plan.settings().origin(Property.INJECTORS),
                    "injectors are started by ./siemload run alone (allowed here: 1)");
        }
    }

    private static AnswerSampler sampler(RunPlan plan) {
        double ratio = plan.settings().value(Property.CHECKS);
        return plan.asksStatements()
                ? AnswerSampler.ofRepeats(
                        ratio,
                        plan.scenario().statements().stream()
                                .map(StatementPlan::statement)
                                .toList(),
                        plan.choice().plugin()::rowText)
                : new AnswerSampler(ratio, plan.source().until());
    }

    /**
     * Starts the clock, the workers and the feeder; every call but the first is ignored.
     *
     * @param loops those that users live on
     * @param log is flushed through the run
     */
    void start(EventExecutorGroup loops, ResponseLog log) {
        if (running.isPresent()) {
            return;
        }
        synchronized (starting) {
            if (running.isEmpty() && !finished.get()) {
                startAt(run.awaitStart(System.nanoTime()), loops, log);
            }
        }
    }

    private synchronized void startAt(long startNanos, EventExecutorGroup loops, ResponseLog log) {
        if (finished.get()) {
            return;
        }
        running = Optional.of(StartedLoad.at(startNanos, run, connections, sampler, ledger, probes));
        started().status().every(HANDED_OVER_EVERY, started().clock().measureNanos(), () -> {
            recorder().takeIn();
            log.flush();
        });
        eventLoops.start(loops, started().clock());
        if (usersLeave) {
            expectEnd(started());
        }
    }

    /** Whether the user wants to read all that there is. */
    boolean wantsDetails() {
        return run.plan().settings().value(Property.DETAILS);
    }

    /** The number of the first user or task of a group among all of the run. */
    long firstNumber(AnalystGroup group) {
        return routing.first(group);
    }

    /**
     * Queues a search; the listener is called exactly once, on a worker's thread.
     *
     * @param number of the user or task, which decides where it is answered
     */
    void submit(long number, SearchRequest request, Consumer<SearchAnswer> listener) {
        started().pools().of(number).workers().submit(request, listener);
    }

    /** The workers that take the searches of a user, by the number. */
    SearchWorkers workers(long number) {
        return started().pools().of(number).workers();
    }

    /** The connections that search in the run's own store: those of the workers. */
    List<SearchSession> connections() {
        return connections.readers().get(0).sessions();
    }

    /** Takes what is measured of searches, ticks and replays. */
    LatencyRecorder recorder() {
        return started().recorder();
    }

    /** Records a search that nobody begins any more, since the run has ended: its user has waited for it until now. */
    Sample notBegun(SearchRequest request) {
        Sample sample = request.unfinishedAt(System.nanoTime());
        recorder().started();
        recorder().finished(request.key(), request.asked(), sample);
        return sample;
    }

    /** What becomes of the hours of trends. */
    TrendHours trends() {
        return trends;
    }

    /** What is counted of the searches of ticks. */
    SearchRequest.Counting tickCounting() {
        return run.plan().scenario().countsTickIo() ? SearchRequest.Counting.OWN_IO : SearchRequest.Counting.NONE;
    }

    /** Does the next step of a user, by the number, when it is due, or at the end of the measured phase if that comes first. */
    void at(long number, long dueNanos, Runnable step) {
        started().pools().of(number).workers().at(Math.min(dueNanos, endNanos()), step);
    }

    /**
     * Ends the process where the users of a scenario have not left long after the end of the run: then something has lost them,
     * and they would be waited for in vain.
     */
    private void expectEnd(StartedLoad now) {
        long latest = now.clock().endNanos()
                + run.plan().searchTimeout().plus(OVERTIME).toNanos();
        now.status().at(latest, () -> {
            throw new IllegalStateException("the load has not ended " + OVERTIME.toSeconds()
                    + " s after the last answer was due: users were lost");
        });
    }

    /** Whether the measured phase is over, or the run was interrupted. */
    boolean isOver() {
        return isOverAt(System.nanoTime());
    }

    /** Whether something due at this instant is too late: due after the measured phase, or the run was interrupted. */
    boolean isOverAt(long dueNanos) {
        return finished.get()
                || running.map(now -> now.clock().isOver(dueNanos)).orElse(false);
    }

    /** The start of the warm-up on the monotonic clock. */
    long startNanos() {
        return started().clock().startNanos();
    }

    /** The end of the measured phase on the monotonic clock. */
    long endNanos() {
        return started().clock().endNanos();
    }

    /** Warm-up and measured phase together. */
    Duration duration() {
        Phases phases = run.plan().scenario().phases();
        return phases.warmup().plus(phases.measurement());
    }

    Scenario scenario() {
        return run.plan().scenario();
    }

    long seed() {
        return run.plan().seed();
    }

    /** Which part of the load this process makes. */
    Shard shard() {
        return run.plan().shard();
    }

    SearchDraw draw() {
        return draw;
    }

    /** The time in the data, now. */
    DataClock dataClock() {
        return new DataClock(started().clock().startNanos(), run.plan().source().until());
    }

    /** All users leave at the end of the measured phase; those of other simulations may stay for longer. */
    void onlyAnalysts() {
        usersLeave = true;
    }

    /** @param number of the user among all of the run */
    Analyst analyst(long number, UserWaits waits, UserStart start) {
        UserCursors cursors = started().pools().of(number).cursors();
        return new Analyst(waits, start, run.plan().variant().paging(), draw, dataClock(), cursors);
    }

    /** Lets the searches under way end, stops everything, and hands the measurements over. */
    void finish() {
        end(run.plan().searchTimeout().plusSeconds(5));
        if (running.isEmpty() && !interrupted) {
            run.host().line("nothing was measured: no user started (with load: open, raise arrivals or -Dduration)");
            run.host().exit(ExitCode.INCONCLUSIVE); // Gatling has no report about nothing and would crash.
        }
    }

    /** Ends the run, or hastens an end that is under way; returns when the results are written in either case. */
    private void interrupt() {
        interrupted = true;
        end(Duration.ZERO);
    }

    private void end(Duration patience) {
        try {
            if (finished.compareAndSet(false, true)) {
                try {
                    stopAndHandOver(patience);
                } finally {
                    handedOver.countDown();
                }
            }
            handedOver.await();
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }

    private void stopAndHandOver(Duration patience) throws InterruptedException {
        synchronized (this) {
            if (running.isEmpty()) {
                connections.close();
                probes.close();
                run.abandon();
                return;
            }
        }
        StartedLoad now = started();
        long endNanos = System.nanoTime();
        now.cpu().phaseEnded();
        now.status().close();
        now.feeder().close();
        Optional<DayDrop> drop = now.retention().flatMap(RetentionRun::close);
        probes.close();
        letSearchesEnd(now, patience);
        now.log().tick(System.nanoTime());
        run.close(now.log());
        RunMonitor.Seen seen = run.seen(endNanos, eventLoops.lateness());
        run.finish(new LoadOutcome(
                new LoadOutcome.End(now.clock(), endNanos, ending()),
                now.recorder(),
                now.feederRecorder(),
                now.cpu(),
                seen,
                new LoadOutcome.Kept(sampler, trends),
                new LoadOutcome.Probed(probes.visibility(now.clock()), probes.pagination()),
                LoadOutcome.Fed.of(
                        ledger, run.plan().source().feed(), taker -> ledger.batches(now.feeder()::content, taker)),
                drop,
                Optional.empty()));
    }

    private LoadOutcome.Ending ending() {
        if (run.isAborted()) {
            return LoadOutcome.Ending.ABORTED;
        }
        return interrupted ? LoadOutcome.Ending.INTERRUPTED : LoadOutcome.Ending.COMPLETE;
    }

    private void letSearchesEnd(StartedLoad now, Duration patience) throws InterruptedException {
        try (ReadPools pools = now.pools()) {
            long deadline = System.nanoTime() + patience.toNanos();
            while (!interrupted && now.recorder().running() > 0 && System.nanoTime() - deadline < 0) {
                pools.awaitIdle(MOMENT);
            }
            pools.cancelAll();
            pools.awaitIdle(AFTER_CANCEL);
            pools.giveUp();
        }
    }

    private StartedLoad started() {
        return running.orElseThrow(() -> new IllegalStateException("no user has started yet"));
    }
}
