package siemload.load;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.LongFunction;
import java.util.function.LongUnaryOperator;
import siemload.config.DaemonThread;
import siemload.config.Property;
import siemload.database.SearchSession;
import siemload.database.Store.DayRemoval;
import siemload.database.Store.EventSink;
import siemload.database.TargetException;
import siemload.load.FeederRun.Probes;
import siemload.load.SearchWorkers.Answering;
import siemload.measure.LatencyRecorder;
import siemload.measure.RunClock;
import siemload.measure.monitor.ReplicaProgress;
import siemload.measure.monitor.RunMonitor;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.query.Window;
import siemload.results.RunResult.GeneratorCpu;
import siemload.run.Breakdown;
import siemload.run.ExitCode;
import siemload.run.LoadOutcome;
import siemload.run.LoadRun;
import siemload.run.LoadRun.ReadRouting.ReadStore;
import siemload.run.RunPlan;
import siemload.run.answers.AnswerCheck.DroppedDay;
import siemload.run.answers.AnswerSampler;
import siemload.run.answers.FeedLedger;
import siemload.scenario.AnalystGroup;
import siemload.scenario.LoadModel;
import siemload.scenario.Scenario;
import siemload.scenario.SearchDraw;
import siemload.scenario.StatementPlan;

/**
 * Everything in one run except Gatling: the workers that search, the feeder that inserts, the clock of both, and the status line. The first
 * user starts the engine. The end of Gatling or an interrupt finishes the engine, once. Thread-safe.
 */
final class LoadEngine {
    private static final Duration AFTER_CANCEL = Duration.ofSeconds(2);
    /** How often answers are passed on: later, they would have left the processor's caches and been copied by the garbage collector. */
    private static final Duration HANDED_OVER_EVERY = Duration.ofMillis(100);

    private static final Duration LONGEST_REMOVAL = Duration.ofSeconds(30);
    private static final Duration OVERTIME = Duration.ofMinutes(1);
    private static final int REHEARSED = 2_000;

    private final LoadRun run;
    /** The sessions on the store of the run, or on each of its replicas. */
    private final List<List<SearchSession>> sessions = new ArrayList<>();

    private final List<EventSink> sinks;
    private final List<SearchSession> probing;
    /** Locked by threads that wait for the start. If they locked the engine, the end of the process would wait for the start. */
    private final Object starting = new Object();

    private final AtomicBoolean finished = new AtomicBoolean();
    private final CountDownLatch handedOver = new CountDownLatch(1);
    private volatile Optional<StartedLoad> running = Optional.empty();
    private volatile boolean interrupted;
    private volatile boolean usersLeave;

    /** Opens all connections of the run. @throws TargetException if the server refuses one */
    LoadEngine(LoadRun run) {
        this.run = run;
        try {
            for (ReadStore store : run.bench().reading()) {
                int workers = plan().workers(sessions.size());
                sessions.add(SearchWorkers.openAll(workers, store.store()::openSession, SearchSession::close));
            }
            this.sinks = FeederRun.openSinks(run);
            this.probing = Probes.open(run);
        } catch (RuntimeException refused) {
            closeSessions();
            throw refused;
        }
        run.bench().onInterrupt(() -> {
            interrupted = true;
            end(Duration.ZERO);
        });
    }

    private void closeSessions() {
        sessions.forEach(place -> place.forEach(SearchSession::close));
    }

    /** Starts the clock, the workers and the feeder; every call except the first is ignored. */
    void start() {
        synchronized (starting) {
            if (running.isEmpty() && !finished.get()) {
                long startNanos = run.awaitStart(System.nanoTime());
                synchronized (this) {
                    if (!finished.get()) {
                        StartedLoad now = new StartedLoad(startNanos);
                        running = Optional.of(now);
                        now.go();
                    }
                }
            }
        }
    }

    /**
     * Runs searches without a database before the load, for about a fifth of a second. Java compiles code that has run a few hundred times,
     * and until then the code is slow; a few users who search now and then may not reach that number in the warm-up. Half of these searches
     * count as measured, and some answers are kept: compiled code lacks branches that were never taken, and would be discarded when the
     * first measured search takes such a branch.
     */
    static void rehearse() {
        var row = new SearchSession.RowReader.DetachedRow("id", Instant.EPOCH, new byte[] {'{', '}'});
        SearchSession nowhere = (SearchSession) Proxy.newProxyInstance(
                SearchSession.class.getClassLoader(),
                new Class<?>[] {SearchSession.class},
                (self, method, arguments) -> {
                    if (method.getName().equals("search")) {
                        ((SearchSession.RowReader) arguments[1]).row(row);
                        return 1L;
                    }
                    return null;
                });
        Search any =
                new Search(SearchName.MENTAT, Window.ALWAYS, List.of(), Order.NEWEST_FIRST, new Page.Numbered(1, 1));
        long now = System.nanoTime();
        Duration phase = Duration.ofMinutes(1);
        LatencyRecorder recorder = new LatencyRecorder(RunClock.startingAt(now - phase.toNanos(), phase, phase));
        AnswerSampler some = new AnswerSampler(0.001, Instant.EPOCH);
        CountDownLatch searches = new CountDownLatch(REHEARSED);
        try (SearchWorkers workers = new SearchWorkers(List.of(nowhere), recorder, some)) {
            for (int i = 0; i < REHEARSED; i++) {
                SearchRequest request = new SearchRequest(any, now - i % 2, i % 3 == 0 ? 0 : 0.9, "");
                workers.submit(request, answer -> searches.countDown());
            }
            searches.await();
            recorder.takeIn();
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }

    RunPlan plan() {
        return run.plan();
    }

    /** Passes all searches that have ended to their takers. Call this before a user leaves. */
    void takeIn() {
        running.ifPresent(now -> now.recorder.takeIn());
    }

    Duration duration() {
        Scenario.Phases phases = plan().scenario().phases();
        return phases.warmup().plus(phases.measurement());
    }

    /**
     * Returns the time in the data at an instant of the monotonic clock: the data set's end when the run starts, advancing with the run.
     * The feeder's events and the analysts' windows follow this time, so that a data set of 2016 is searched as if recorded now.
     */
    static LongFunction<Instant> dataClock(long startNanos, Instant dataUntil) {
        return nanos -> dataUntil.plusNanos(nanos - startNanos);
    }

    /** Declares that all users leave at the end of the measured phase. Users of simulations in Java may stay longer. */
    void onlyAnalysts() {
        usersLeave = true;
    }

    /** Lets the running searches end, stops everything, and passes the measurements on. */
    void finish() {
        end(plan().searchTimeout().plusSeconds(5));
        if (running.isEmpty() && !interrupted) {
            run.host().line("nothing was measured: no user started (with load: open, raise arrivals or -Dduration)");
            run.host().exit(ExitCode.INCONCLUSIVE); // Without any response, Gatling's report would crash.
        }
    }

    /** Ends the run, or waits until another thread has ended it; an interrupt speeds this up. Returns when the results are written. */
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
                closeSessions();
                sinks.forEach(EventSink::close);
                probing.forEach(SearchSession::close);
                run.bench().close();
                return;
            }
        }
        started().end(patience);
    }

    /** Returns the running load, with which its users work. Call this after the first user has started. */
    StartedLoad started() {
        return running.orElseThrow(() -> new IllegalStateException("no user has started yet"));
    }

    /** The part of a load that exists once its first user has started: the clock, and everything that needs the clock. */
    final class StartedLoad {
        /** Covers the time from the start of the load to the end of its measured phase. */
        final RunClock clock;

        final LatencyRecorder recorder;
        final LongFunction<Instant> dataClock;

        final EarlyStart early = new EarlyStart();

        private final AnswerSampler sampler;
        /** The workers on the store of the run, or on each of its replicas. */
        private final List<SearchWorkers> places = new ArrayList<>();

        private final List<ReplicaProgress> followed = new ArrayList<>();
        private final FeederRun.Feeding fed;
        private final FeederRun feeder;
        private volatile List<Thread> removing = List.of();
        private volatile Optional<DroppedDay> drop = Optional.empty();
        private final GeneratorCpu cpu = new GeneratorCpu();
        private final StatusLine status;
        private final LongConsumer seconds;

        StartedLoad(long startNanos) {
            Scenario scenario = plan().scenario();
            Scenario.Phases phases = scenario.phases();
            clock = RunClock.startingAt(startNanos, phases.warmup(), phases.measurement());
            recorder = new LatencyRecorder(clock, scenario.feeder().rate());
            for (AnalystGroup group : scenario.analysts()) {
                if (group.load() instanceof LoadModel.Scheduled schedule) {
                    LongUnaryOperator due = nanos -> schedule.dueBefore(nanos - startNanos);
                    recorder.expectTicks(group.name(), schedule.tasks(), schedule.every(), due);
                }
            }
            recorder.expectReplicas(plan().readUrls());
            double checked = plan().settings().value(Property.CHECKS);
            var statements =
                    scenario.statements().stream().map(StatementPlan::statement).toList();
            sampler = plan().asksStatements()
                    ? AnswerSampler.ofRepeats(checked, statements)
                    : new AnswerSampler(checked, plan().source().until());
            for (ReadStore store : run.bench().reading()) {
                int index = places.size();
                Answering answering = Answering.by(store.store()::openSession);
                if (store.replica().isPresent()) {
                    LatencyRecorder.ReplicaRecorder taker = recorder.replicas().get(index);
                    ReplicaProgress progress = new ReplicaProgress(System.nanoTime()); // Nothing has been fed yet.
                    answering = new Answering(answering.opener(), progress::completeUntil, taker::finished);
                    progress.watch(store.replica().get(), taker);
                    followed.add(progress);
                }
                places.add(new SearchWorkers(sessions.get(index), recorder, sampler, System::nanoTime, answering));
            }
            dataClock = dataClock(startNanos, plan().source().until());
            FeedLedger ledger = new FeedLedger(scenario.feeder().batch());
            seconds = run.watch(new LoadRun.Load(clock, recorder, ledger, Set.of(), () -> interrupted));
            fed = new FeederRun.Feeding(
                    scenario.feeder(), plan().shard(), run.feed(), clock, dataClock, recorder.feeder(), ledger);
            feeder = new FeederRun(fed, new Probes(fed, probing, Probes.pagings(plan()), plan().seed()));
            status = new StatusLine(run.host()::status, plan().asked(), clock, recorder);
        }

        RunPlan plan() {
            return run.plan();
        }

        SearchDraw draw() {
            return run.bench().draw();
        }

        /** Returns the workers for a user or a task of a group. */
        SearchWorkers workers(AnalystGroup group, long number) {
            return workers(plan().routing().first(group) + number);
        }

        /** Returns the workers for the user, task or session with this number in the run. */
        SearchWorkers workers(long number) {
            return places.get(plan().routing().replica(number));
        }

        Analyst.DrawnSearches searches(AnalystGroup group) {
            return new Analyst.DrawnSearches(group, draw(), dataClock);
        }

        /** Returns whether a step due at this instant is too late: the measured phase is over by then, or the run is being ended. */
        boolean isOverAt(long dueNanos) {
            return finished.get() || clock.isOver(dueNanos);
        }

        void go() {
            feeder.start(sinks);
            status.at(clock.measureNanos(), cpu::phaseStarted);
            status.at(clock.endNanos(), cpu::phaseEnded);
            status.every(Duration.ofSeconds(1), clock.measureNanos(), () -> seconds.accept(System.nanoTime()));
            status.every(HANDED_OVER_EVERY, clock.measureNanos(), recorder::takeIn);
            Runnable drops = () -> removing = List.of(DaemonThread.start("siemload-retention", this::removeOldestDay));
            var retention = plan().scenario().retention();
            retention.ifPresent(
                    day -> status.at(clock.measureNanos() + day.after().toNanos(), drops));
            if (usersLeave) {
                long latest =
                        clock.endNanos() + plan().searchTimeout().plus(OVERTIME).toNanos();
                // Users who are still there at that instant were lost, and waiting longer would not help.
                status.at(latest, () -> {
                    throw new IllegalStateException("the load has not ended " + OVERTIME.toSeconds()
                            + " s after the last answer was due: users were lost");
                });
            }
        }

        /** Lets the running searches end, stops everything, and passes the measurements on. */
        void end(Duration patience) throws InterruptedException {
            long endNanos = System.nanoTime();
            cpu.phaseEnded();
            status.close();
            feeder.close();
            DaemonThread.awaitEnd(removing, LONGEST_REMOVAL);
            letSearchesEnd(patience);
            seconds.accept(System.nanoTime());
            RunMonitor.Seen seen = run.seen(endNanos);
            LoadOutcome.Ending ending = interrupted ? LoadOutcome.Ending.INTERRUPTED : LoadOutcome.Ending.COMPLETE;
            run.finish(new LoadOutcome(
                    new LoadOutcome.End(clock, endNanos, ending),
                    recorder,
                    cpu,
                    seen,
                    sampler,
                    feeder.pagination(),
                    new LoadOutcome.Fed(fed.ledger(), fed.events(), run.fed(fed.batches())),
                    drop,
                    Optional.empty()));
        }

        private void removeOldestDay() {
            Window day = plan().oldestDay();
            drop = Optional.of(DroppedDay.failed(day, System.nanoTime(), "the removal outlasted the run"));
            drop = Optional.of(remove(day, run.bench().store().dayRemoval()));
        }

        private void letSearchesEnd(Duration patience) throws InterruptedException {
            try {
                awaitIdle(patience, () -> interrupted);
                places.forEach(SearchWorkers::cancelAll);
                awaitIdle(AFTER_CANCEL, () -> false);
                places.forEach(SearchWorkers::giveUp);
            } finally {
                places.forEach(SearchWorkers::close);
                followed.forEach(ReplicaProgress::close);
            }
        }

        /** Waits until every search has ended and its answer is delivered, or the time is up, or {@code hurry} is true. */
        private void awaitIdle(Duration atMost, BooleanSupplier hurry) throws InterruptedException {
            long deadline = System.nanoTime() + atMost.toNanos();
            while (!hurry.getAsBoolean()
                    && places.stream().anyMatch(SearchWorkers::isBusy)
                    && System.nanoTime() - deadline < 0) {
                TimeUnit.MILLISECONDS.sleep(5);
            }
        }
    }

    /** Removes a day now. If the server refuses, the result has the server's message. */
    static DroppedDay remove(Window day, Optional<DayRemoval> removal) {
        long start = System.nanoTime();
        try {
            var removed = removal.map(by -> by.remove(day));
            return new DroppedDay(day, start, System.nanoTime(), removed, "");
        } catch (TargetException refused) {
            return DroppedDay.failed(day, start, String.valueOf(refused.getMessage()));
        }
    }

    /** Prints the status of the run once a second, and runs actions at given instants. Thread-safe. */
    static final class StatusLine implements AutoCloseable {
        private static final long PATIENCE_SECONDS = 5;

        private final Consumer<String> status;
        private final String asked;
        private final RunClock clock;
        private final LatencyRecorder recorder;
        private final ScheduledThreadPoolExecutor timer =
                new ScheduledThreadPoolExecutor(1, DaemonThread.named("siemload-status"));

        /**
         * @param status shows the text, which is empty at the end
         * @param asked the word for the requests of users: {@code searches}
         */
        StatusLine(Consumer<String> status, String asked, RunClock clock, LatencyRecorder recorder) {
            this.status = status;
            this.asked = asked;
            this.clock = clock;
            this.recorder = recorder;
            timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
            every(Duration.ofSeconds(1), System.nanoTime() - 1, () -> status.accept(text(System.nanoTime())));
        }

        /** Runs an action once, at this instant of the monotonic clock. */
        void at(long nanos, Runnable action) {
            var unused = timer.schedule(Breakdown.guarded(action), nanos - System.nanoTime(), TimeUnit.NANOSECONDS);
        }

        /** Runs an action at regular intervals during the run; one of its times is at this instant. */
        void every(Duration interval, long nanos, Runnable action) {
            long first = Math.floorMod(nanos - System.nanoTime(), interval.toNanos());
            Runnable task = Breakdown.guarded(action);
            var unused = timer.scheduleAtFixedRate(task, first, interval.toNanos(), TimeUnit.NANOSECONDS);
        }

        /**
         * Stops the timer, and waits for work in progress, for 5 s at most: the work at the ends of two seconds must not overlap. The work
         * is not interrupted, since an interrupt would close the file that is being written.
         */
        @Override
        public void close() {
            timer.shutdown();
            try {
                timer.awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS);
            } catch (InterruptedException hurried) {
                Thread.currentThread().interrupt();
            }
            status.accept("");
        }

        /** Returns the text at this instant: the figures of the last second that has ended or, before an agreed start, the time left. */
        String text(long now) {
            if (now - clock.startNanos() <= 0) {
                return String.format(Locale.ROOT, "beginning in %.1f s", (clock.startNanos() - now) / 1e9);
            }
            LatencyRecorder.RecordedSearches second = recorder.recent();
            double p95 = recorder.recentResponseTimes().p95() / 1e3;
            double rate = second.finished() / recorder.recentSeconds();
            double fed = second.acknowledged() / recorder.recentSeconds();
            return String.format(Locale.ROOT, "%s | %.0f %s/s, p95 %.1f ms, ", phase(now), rate, asked, p95)
                    + recorder.running() + " running, " + recorder.failedSoFar() + " failed"
                    + (recorder.feeder().isOn() ? String.format(Locale.ROOT, " | feeder %.0f events/s", fed) : "");
        }

        private String phase(long now) {
            if (clock.isOver(now)) {
                return "waiting for the last " + asked;
            }
            boolean warms = now - clock.measureNanos() < 0;
            long from = warms ? clock.startNanos() : clock.measureNanos();
            long done = TimeUnit.NANOSECONDS.toSeconds(now - from);
            long all = TimeUnit.NANOSECONDS.toSeconds((warms ? clock.measureNanos() : clock.endNanos()) - from);
            return (warms ? "warm-up " : "measuring ") + done + " of " + all + " s";
        }
    }

    /**
     * How early to begin steps: waking an event loop and then a worker takes 0.2 ms. The worker spins until the search is due, for at most
     * one part in {@value #PART} of the time between steps. Thread-safe.
     */
    static final class EarlyStart {
        private static final long MOST_NANOS = TimeUnit.MICROSECONDS.toNanos(500);
        private static final int PART = 10;

        private long lastDue;
        private long lastPlanned = System.nanoTime();
        private long early;

        /** @param plannedNanos an instant that advances as steps do; steps that are due at one instant begin equally early */
        synchronized long nanos(long dueNanos, long plannedNanos) {
            if (dueNanos != lastDue) {
                early = Math.min(MOST_NANOS, Math.max(0, plannedNanos - lastPlanned) / PART);
                lastDue = dueNanos;
                lastPlanned = plannedNanos;
            }
            return early;
        }
    }

    /** Waits until this {@link System#nanoTime}, or until a condition ends. Code that ends the condition may unpark the thread. */
    static void parkUntil(long nanos, BooleanSupplier waits) {
        while (System.nanoTime() - nanos < 0 && waits.getAsBoolean()) {
            LockSupport.parkNanos(nanos - System.nanoTime());
        }
    }
}
