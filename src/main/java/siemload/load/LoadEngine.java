package siemload.load;

import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.EventExecutorGroup;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import siemload.config.DaemonThread;
import siemload.config.Property;
import siemload.database.Plan;
import siemload.database.SearchSession;
import siemload.database.SearchSession.RowReader;
import siemload.database.Store.DayRemoval;
import siemload.database.Store.EventSink;
import siemload.database.TargetException;
import siemload.load.SearchWorkers.Answering;
import siemload.measure.FeederRecorder;
import siemload.measure.LatencyRecorder;
import siemload.measure.MicrosHistogram;
import siemload.measure.RunClock;
import siemload.measure.Sample;
import siemload.measure.TickRecorder;
import siemload.measure.monitor.ReplicaProgress;
import siemload.measure.monitor.RunMonitor;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.PageClass;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.query.Summary;
import siemload.query.Window;
import siemload.results.MicrosSummary;
import siemload.results.RunResult.GeneratorCpu;
import siemload.run.ExitCode;
import siemload.run.LoadOutcome;
import siemload.run.LoadRun;
import siemload.run.LoadRun.ReadRouting;
import siemload.run.LoadRun.ReadRouting.ReadStore;
import siemload.run.RunPlan;
import siemload.run.answers.AnswerSampler;
import siemload.run.answers.DroppedDay;
import siemload.run.answers.FeedLedger;
import siemload.run.answers.TrendHours;
import siemload.scenario.AnalystGroup;
import siemload.scenario.Feeder;
import siemload.scenario.LoadModel;
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
    private final SearchPlaces places;
    private final List<EventSink> sinks;
    private final FeedLedger ledger;
    private final AnswerSampler sampler;
    /** Held by who waits for the start; not this, since who ends the process must not wait for a start that may never come. */
    private final Object starting = new Object();

    private final AtomicBoolean finished = new AtomicBoolean();
    private final CountDownLatch handedOver = new CountDownLatch(1);
    private final TrendHours trends = new TrendHours();
    private final Probes probes;
    private final DueSteps steps = new DueSteps();
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
        this.ledger = new FeedLedger(run.plan().scenario().feeder().batch());
        this.sampler = sampler(run.plan());
        this.places = new SearchPlaces(run);
        try {
            this.sinks = FeederRun.openSinks(
                    run.plan().scenario().feeder(),
                    run.plan().shard(),
                    run.bench().store());
        } catch (RuntimeException refused) {
            places.close();
            throw refused;
        }
        this.probes = new Probes(run, ledger);
        run.bench().onInterrupt(this::interrupt);
    }

    /** Has Java compile what takes searches, before there are any. */
    static void rehearse() {
        Rehearsal.run();
    }

    private static AnswerSampler sampler(RunPlan plan) {
        double ratio = plan.settings().value(Property.CHECKS);
        return plan.asksStatements()
                ? AnswerSampler.ofRepeats(
                        ratio,
                        plan.scenario().statements().stream()
                                .map(StatementPlan::statement)
                                .toList())
                : new AnswerSampler(ratio, plan.source().until());
    }

    /**
     * Starts the clock, the workers and the feeder; every call but the first is ignored.
     *
     * @param loops those that users live on
     * @param log is emptied of the warm-up through the run
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
        running = Optional.of(StartedLoad.at(startNanos, this));
        started().status().every(HANDED_OVER_EVERY, started().clock().measureNanos(), () -> {
            recorder().takeIn();
            log.emptyWarmUp();
        });
        eventLoops.start(loops, started().clock());
        if (usersLeave) {
            expectEnd(started());
        }
    }

    /** What is run, and of it the part of this process. */
    RunPlan plan() {
        return run.plan();
    }

    /** The workers that take the searches of a user or a task, by its number among all of the run, which decides where that is. */
    SearchWorkers workers(long number) {
        return places.of(number).workers();
    }

    /** The connections that search in the run's own store: those of the workers. */
    List<SearchSession> connections() {
        return places.of(0).sessions();
    }

    /** Takes what is measured of searches, ticks and replays. */
    LatencyRecorder recorder() {
        return started().recorder();
    }

    /** Records a search that nobody begins any more, since the run has ended: its user has waited for it until now. */
    Sample notBegun(SearchRequest request) {
        Sample sample = request.unfinishedAt(request.intendedStart(), System.nanoTime());
        recorder().started();
        recorder().finished(request.key(), sample);
        return sample;
    }

    /** Has whoever is to know of searches that have ended know of them; to be called before a user leaves. */
    void takeIn() {
        running.ifPresent(now -> now.recorder().takeIn());
    }

    /** What becomes of the hours of trends. */
    TrendHours trends() {
        return trends;
    }

    /** Takes a step when it is due, or at the end of the measured phase if that comes first. */
    void at(long dueNanos, Runnable step) {
        steps.at(Math.min(dueNanos, clock().endNanos()), step);
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
        Optional<StartedLoad> now = running;
        return finished.get() || (now.isPresent() && now.orElseThrow().clock().isOver(dueNanos));
    }

    /** That of the load, from its start to the end of its measured phase. */
    RunClock clock() {
        return started().clock();
    }

    /** Warm-up and measured phase together. */
    Duration duration() {
        Phases phases = plan().scenario().phases();
        return phases.warmup().plus(phases.measurement());
    }

    SearchDraw draw() {
        return run.bench().draw();
    }

    /** The time in the data, now. */
    DataClock dataClock() {
        return new DataClock(clock().startNanos(), plan().source().until());
    }

    /** All users leave at the end of the measured phase; those of other simulations may stay for longer. */
    void onlyAnalysts() {
        usersLeave = true;
    }

    /** @param number of the user among all of the run */
    Analyst analyst(long number, UserWaits waits, UserStart start) {
        return new Analyst(
                waits,
                start,
                plan().variant().paging(),
                draw(),
                dataClock(),
                places.of(number).cursors());
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
                places.close();
                sinks.forEach(EventSink::close);
                steps.close();
                probes.close();
                run.bench().close();
                return;
            }
        }
        StartedLoad now = started();
        long endNanos = System.nanoTime();
        now.cpu().phaseEnded();
        now.status().close();
        now.feeder().close();
        Optional<DroppedDay> drop = now.retention().flatMap(RetentionRun::close);
        probes.close();
        letSearchesEnd(now.recorder(), patience);
        now.seconds().accept(System.nanoTime());
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
        return interrupted ? LoadOutcome.Ending.INTERRUPTED : LoadOutcome.Ending.COMPLETE;
    }

    private void letSearchesEnd(LatencyRecorder recorder, Duration patience) throws InterruptedException {
        try (places;
                steps) {
            long deadline = System.nanoTime() + patience.toNanos();
            while (!interrupted && recorder.running() > 0 && System.nanoTime() - deadline < 0) {
                places.awaitIdle(MOMENT);
            }
            places.cancelAll();
            places.awaitIdle(AFTER_CANCEL);
            places.giveUp();
        }
    }

    private StartedLoad started() {
        return running.orElseThrow(() -> new IllegalStateException("no user has started yet"));
    }

    /**
     * Measures how late the timers of Gatling's event loops are: a late loop lets users wait for something that is not the
     * database. Every 10 ms one of them has a timer, each in its turn and on a strict timetable, so that loops that were busy for a
     * second count as a hundred late timers. Thread-safe.
     */
    private static final class EventLoopProbe {
        private static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

        /** Of the measured phase, and of the others. */
        private final MicrosHistogram[] lateness = {new MicrosHistogram(), new MicrosHistogram()};

        /** How long it takes until each loop has had its turn. */
        private volatile long roundNanos = PERIOD_NANOS;

        /** Starts a timer on each loop; they end with the measured phase. */
        void start(EventExecutorGroup loops, RunClock clock) {
            List<EventExecutor> all = new ArrayList<>();
            loops.forEach(all::add);
            roundNanos = PERIOD_NANOS * all.size();
            long due = System.nanoTime();
            for (EventExecutor loop : all) {
                due += PERIOD_NANOS;
                wait(loop, due, clock);
            }
        }

        /** How late the timers of the measured phase were. */
        MicrosSummary lateness() {
            return lateness[0].summary();
        }

        private void wait(EventExecutor loop, long dueNanos, RunClock clock) {
            if (!clock.isOver(dueNanos) && !loop.isShuttingDown()) {
                var unused = loop.schedule(
                        () -> tick(loop, dueNanos, clock), dueNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
            }
        }

        private void tick(EventExecutor loop, long dueNanos, RunClock clock) {
            wait(loop, take(dueNanos, System.nanoTime(), clock), clock);
        }

        /** Counts all timers that were due by now, from this one on. @return when the next one is due */
        long take(long firstDueNanos, long nowNanos, RunClock clock) {
            long due = firstDueNanos;
            for (; nowNanos - due >= 0; due += roundNanos) {
                lateness[clock.phaseIndex(due)].recordNanos(nowNanos - due);
            }
            return due;
        }
    }

    /** What of a load exists from its first user on: the clock, and everybody and everything that follows it. */
    private record StartedLoad(
            RunClock clock,
            LatencyRecorder recorder,
            FeederRecorder feederRecorder,
            FeederRun feeder,
            GeneratorCpu cpu,
            StatusLine status,
            LongConsumer seconds,
            Optional<RetentionRun> retention) {

        /** Starts all of it, for a load that begins at this instant of the monotonic clock. */
        static StartedLoad at(long nanos, LoadEngine engine) {
            LoadRun run = engine.run;
            Scenario scenario = run.plan().scenario();
            Phases phases = scenario.phases();
            Feeder feeder = scenario.feeder();
            RunClock clock = RunClock.startingAt(nanos, phases.warmup(), phases.measurement());
            LatencyRecorder recorder = new LatencyRecorder(clock);
            expectTicks(recorder.ticks(), scenario.analysts(), nanos);
            FeederRecorder feederRecorder = recorder.feeder(feeder.rate());
            recorder.replicas().expect(run.plan().readUrls());
            engine.places.start(recorder, engine.sampler);
            FeederRun feederRun = new FeederRun(
                    feeder,
                    run.plan().shard(),
                    run.plan().source().feed(),
                    clock,
                    new DataClock(nanos, run.plan().source().until()),
                    feederRecorder,
                    engine.ledger,
                    engine.probes::acknowledged);
            LongConsumer seconds = run.watch(new LoadRun.Load(
                    clock, recorder, feederRecorder, engine.ledger, Set.of(), () -> engine.interrupted));
            engine.probes.start(clock);
            feederRun.start(engine.sinks);
            Optional<RetentionRun> retention = retention(run, clock);
            retention.ifPresent(RetentionRun::start);
            GeneratorCpu cpu = new GeneratorCpu();
            StatusLine status = new StatusLine(
                    run.host()::status,
                    run.plan().asked(),
                    clock,
                    recorder,
                    feeder.isOn() ? Optional.of(feederRecorder) : Optional.empty());
            status.start();
            status.at(clock.measureNanos(), cpu::phaseStarted);
            status.at(clock.endNanos(), cpu::phaseEnded);
            status.every(Duration.ofSeconds(1), clock.measureNanos(), () -> seconds.accept(System.nanoTime()));
            return new StartedLoad(clock, recorder, feederRecorder, feederRun, cpu, status, seconds, retention);
        }

        private static void expectTicks(TickRecorder ticks, List<AnalystGroup> analysts, long startNanos) {
            for (AnalystGroup group : analysts) {
                if (group.load() instanceof LoadModel.Scheduled schedule) {
                    ticks.expect(
                            group.name(),
                            schedule.tasks(),
                            schedule.every(),
                            nanos -> schedule.dueBefore(nanos - startNanos));
                }
            }
        }

        private static Optional<RetentionRun> retention(LoadRun run, RunClock clock) {
            return run.plan()
                    .scenario()
                    .retention()
                    .map(planned -> new RetentionRun(
                            run.bench().store().dayRemoval().orElseThrow(),
                            run.plan().oldestDay(),
                            clock.measureNanos() + planned.after().toNanos()));
        }
    }

    /**
     * Searches that nobody asks a database for, before the load: the Java runtime compiles what has been run a few hundred times,
     * which takes longer than the warm-up where a handful of users search now and then, and runs it slowly until then. Half of them
     * are measured, and some of their answers kept: what no search did in the warm-up is left out of the compiled code, which is
     * thrown away when the first measured search does it. Stateless.
     */
    private static final class Rehearsal implements SearchSession {
        private static final int SEARCHES = 2_000;
        private static final double CHECKED_RATIO = 0.001;
        private static final double SELDOM = 0.9;
        private static final RowReader.Row ROW = new RowReader.DetachedRow("id", Instant.EPOCH, new byte[] {'{', '}'});
        private static final Search ANY =
                new Search(SearchName.MENTAT, Window.ALWAYS, List.of(), Order.NEWEST_FIRST, new Page.Numbered(1, 1));

        private Rehearsal() {}

        /** Hands over searches as users do, one after the other; it takes about a fifth of a second. */
        static void run() {
            long now = System.nanoTime();
            LatencyRecorder recorder = new LatencyRecorder(RunClock.startingAt(
                    now - Duration.ofMinutes(1).toNanos(), Duration.ofMinutes(1), Duration.ofMinutes(1)));
            CountDownLatch searches = new CountDownLatch(SEARCHES);
            try (DueSteps steps = new DueSteps();
                    SearchWorkers workers = new SearchWorkers(
                            List.of(new Rehearsal()), recorder, new AnswerSampler(CHECKED_RATIO, Instant.EPOCH))) {
                for (int i = 0; i < SEARCHES; i++) {
                    long due = now - i % 2;
                    SearchRequest request = new SearchRequest(ANY, PageClass.FIRST, due, i % 3 == 0 ? 0 : SELDOM);
                    steps.at(due, () -> workers.submit(request, answer -> searches.countDown()));
                }
                searches.await();
                recorder.takeIn();
            } catch (InterruptedException hurried) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public long search(Search search, RowReader rows) {
            rows.row(ROW);
            return 1;
        }

        @Override
        public long count(Search search) {
            return 0;
        }

        @Override
        public List<Summary.Line> summarize(Search search, Summary summary) {
            return List.of();
        }

        @Override
        public Plan explain(Search search) {
            throw new UnsupportedOperationException("nobody asks a rehearsal for plans");
        }

        @Override
        public void cancel() {}

        @Override
        public void close() {}
    }

    /** Removes the oldest day at its instant, over a connection and a thread of its own. Thread-safe. */
    static final class RetentionRun {
        private static final Duration OVERTIME = Duration.ofSeconds(30);

        private final DayRemoval removal;
        private final Window day;
        private final long dueNanos;
        private final Thread thread = DaemonThread.of("siemload-retention", this::run);
        private volatile boolean open = true;
        private volatile @Nullable DroppedDay drop;

        /** @param day from midnight to midnight */
        RetentionRun(DayRemoval removal, Window day, long dueNanos) {
            this.removal = removal;
            this.day = day;
            this.dueNanos = dueNanos;
        }

        void start() {
            thread.start();
        }

        private void run() {
            for (long left = dueNanos - System.nanoTime(); left > 0 && open; left = dueNanos - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
            if (!open) {
                return;
            }
            long start = System.nanoTime();
            drop = DroppedDay.failed(day, start, "it had not ended when the run did");
            try {
                DayRemoval.Removed removed = removal.remove(day);
                drop = new DroppedDay(day, start, System.nanoTime(), Optional.of(removed), "");
            } catch (TargetException refused) {
                drop = DroppedDay.failed(day, start, String.valueOf(refused.getMessage()));
            }
        }

        /** Begins with it no more; waits for one that is under way, for some time. Empty if none was begun. */
        Optional<DroppedDay> close() {
            open = false;
            LockSupport.unpark(thread);
            DaemonThread.awaitEnd(List.of(thread), OVERTIME);
            return Optional.ofNullable(drop);
        }
    }

    /** All places where a load searches, the store of a run or each replica of it, with their connections. Thread-safe. */
    private static final class SearchPlaces implements AutoCloseable {
        private final ReadRouting routing;
        private final List<Place> places = new ArrayList<>();

        /** @throws siemload.database.TargetException if a server refuses a connection; those opened before are closed */
        SearchPlaces(LoadRun run) {
            RunPlan plan = run.plan();
            this.routing = plan.routing();
            try {
                for (ReadStore store : run.bench().reading()) {
                    places.add(new Place(store, plan.workers(places.size())));
                }
            } catch (RuntimeException refused) {
                close();
                throw refused;
            }
        }

        /** Starts the workers. */
        void start(LatencyRecorder recorder, AnswerSampler sampler) {
            for (int i = 0; i < places.size(); i++) {
                places.get(i).start(i, recorder, sampler);
            }
        }

        /** Where the user, or the task, of this number searches. */
        Place of(long number) {
            return places.get(routing.replica(number));
        }

        /** Waits until every submitted search has ended, or the time is up. */
        void awaitIdle(Duration atMost) throws InterruptedException {
            long deadline = System.nanoTime() + atMost.toNanos();
            for (Place place : places) {
                place.workers().awaitIdle(Duration.ofNanos(deadline - System.nanoTime()));
            }
        }

        /** Ends what the servers are asked now; nobody goes on. */
        void cancelAll() {
            for (Place place : places) {
                place.workers().cancelAll();
                place.cursors().close();
            }
        }

        /** As {@link SearchWorkers#giveUp}. */
        void giveUp() {
            places.forEach(place -> place.workers().giveUp());
        }

        @Override
        public void close() {
            places.forEach(Place::close);
        }

        /** One of them. Its workers take over the connections that it opened. */
        static final class Place implements AutoCloseable {
            private final ReadStore store;
            private final List<SearchSession> sessions;
            private final ReplicaProgress progress;
            private volatile Optional<Started> started = Optional.empty();

            private record Started(SearchWorkers workers, UserCursors cursors) {}

            private Place(ReadStore store, int workers) {
                this.store = store;
                this.sessions = SearchWorkers.openSessions(store.store(), workers);
                // Nothing has been fed yet.
                this.progress = new ReplicaProgress(System.nanoTime());
            }

            private void start(int index, LatencyRecorder recorder, AnswerSampler sampler) {
                Answering answering = store.replica().isEmpty()
                        ? Answering.STORE
                        : new Answering(
                                progress::completeUntil, recorder.replicas().of(index)::finished);
                started = Optional.of(new Started(
                        new SearchWorkers(sessions, recorder, sampler, System::nanoTime, answering),
                        new UserCursors(store.store()::openSession, answering.completeUntil())));
                store.replica()
                        .ifPresent(replica ->
                                progress.watch(replica, recorder.replicas().of(index)));
            }

            SearchWorkers workers() {
                return started.orElseThrow().workers();
            }

            /** Those that users keep there from page to page. */
            UserCursors cursors() {
                return started.orElseThrow().cursors();
            }

            List<SearchSession> sessions() {
                return sessions;
            }

            @Override
            public void close() {
                if (started.isPresent()) {
                    started.get().workers().close();
                    progress.close();
                } else {
                    sessions.forEach(SearchSession::close);
                }
            }
        }
    }
}
