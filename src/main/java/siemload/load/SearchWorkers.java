package siemload.load;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import siemload.config.DaemonThread;
import siemload.database.SearchException;
import siemload.database.SearchSession;
import siemload.database.SearchSession.RowReader;
import siemload.database.Store;
import siemload.measure.LatencyRecorder;
import siemload.measure.Sample;
import siemload.measure.TickIo;
import siemload.query.PageClass;
import siemload.query.PageKey;
import siemload.query.Search;
import siemload.query.Summary;
import siemload.query.TrendCatalog;
import siemload.results.Outcome;
import siemload.run.answers.AnswerSampler;
import siemload.run.answers.AnswerWatch;

/**
 * Runs searches on threads of its own, each with one session, so that no event loop ever blocks, and what users do before
 * them, when it is due. Requests wait in one queue without bound: the load model decides how many there are. Thread-safe.
 */
final class SearchWorkers implements AutoCloseable {
    private final LatencyRecorder recorder;
    private final Answering answering;
    /** Searches of these workers that have not ended, the waiting ones included. */
    private final AtomicInteger underWay = new AtomicInteger();

    /** That of the measured phase, and that of the others. */
    private final AnswerSampler[] samplers;

    private final LongSupplier clock;
    private final WorkQueue<Job> queue = new WorkQueue<>();
    private final List<SearchSession> sessions;
    private final List<Worker> workers = new ArrayList<>();
    private volatile boolean open = true;

    /** Starts one thread per session; the threads close the sessions at the end. */
    SearchWorkers(List<SearchSession> sessions, LatencyRecorder recorder, AnswerSampler sampler) {
        this(sessions, recorder, sampler, System::nanoTime);
    }

    /** The same by another clock. */
    SearchWorkers(List<SearchSession> sessions, LatencyRecorder recorder, AnswerSampler sampler, LongSupplier clock) {
        this(sessions, recorder, sampler, clock, session -> OwnIo.off(), Answering.STORE);
    }

    /**
     * Starts one thread per session, each of which works as these say; the threads close the sessions at the end.
     *
     * @param clock nanoseconds of a monotonic clock, the one that intended starts are told by
     * @param counting counts what searches of a session read and write
     * @param answering what there is to know of where the sessions search
     */
    SearchWorkers(
            List<SearchSession> sessions,
            LatencyRecorder recorder,
            AnswerSampler sampler,
            LongSupplier clock,
            Function<SearchSession, OwnIo> counting,
            Answering answering) {
        this.recorder = recorder;
        this.answering = answering;
        this.samplers = new AnswerSampler[] {sampler, sampler.ofWarmUp()};
        this.clock = clock;
        this.sessions = List.copyOf(sessions);
        for (int i = 0; i < sessions.size(); i++) {
            SearchSession session = sessions.get(i);
            Worker worker = new Worker("siemload-search-" + i, session, counting.apply(session));
            worker.setDaemon(true);
            workers.add(worker);
            worker.start();
        }
        DaemonThread.start("siemload-overdue", this::doOverdueSteps);
    }

    private void doOverdueSteps() {
        try {
            Optional<Runnable> step = queue.nextOverdue();
            while (step.isPresent()) {
                step.get().run();
                step = queue.nextOverdue();
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Opens sessions for as many workers.
     *
     * @throws siemload.database.TargetException if the server refuses one; those opened before are closed
     */
    static List<SearchSession> openSessions(Store store, int workers) {
        List<SearchSession> sessions = new ArrayList<>();
        try {
            for (int i = 0; i < workers; i++) {
                sessions.add(store.openSession());
            }
            return sessions;
        } catch (RuntimeException refused) {
            sessions.forEach(SearchSession::close);
            throw refused;
        }
    }

    /**
     * Queues a search; the listener is called exactly once, on the worker's thread. A search that a listener submits is
     * taken by its own worker if nobody waits in the queue: no other thread need be woken for it.
     */
    void submit(SearchRequest request, Consumer<SearchAnswer> listener) {
        recorder.started();
        if (underWay.incrementAndGet() > sessions.size()) {
            recorder.foundAllBusy(request.intendedStart());
        }
        Job job = new Job(request, listener);
        boolean kept = Thread.currentThread() instanceof Worker worker && worker.keeps(this, job);
        if (!kept) {
            queue.add(job);
        }
    }

    /**
     * Does something that takes no time, such as to submit a search, when it is due: on an idle worker, which takes that
     * search at once.
     *
     * @param dueNanos on {@link System#nanoTime}; the step may be done up to 0.5 ms before, the search is not
     * @param step must not throw
     */
    void at(long dueNanos, Runnable step) {
        queue.at(dueNanos, step);
    }

    /** Waits until every search that was submitted here has ended, or the time is up. */
    void awaitIdle(Duration atMost) throws InterruptedException {
        long deadline = System.nanoTime() + atMost.toNanos();
        while (underWay.get() > 0 && System.nanoTime() - deadline < 0) {
            TimeUnit.MILLISECONDS.sleep(5);
        }
    }

    /** Asks the server to give up whatever the sessions are running. */
    void cancelAll() {
        sessions.forEach(SearchSession::cancel);
    }

    /**
     * Records all searches that are still under way as unfinished, with the time that their users have waited; whatever
     * becomes of them afterwards is not recorded, and their listeners are not called.
     */
    void giveUp() {
        long now = clock.getAsLong();
        workers.forEach(worker -> worker.current.ifPresent(job -> giveUp(job, now)));
        queue.waiting().forEach(job -> giveUp(job, now));
    }

    private void giveUp(Job job, long now) {
        if (job.end()) {
            SearchRequest request = job.request();
            finished(request, request.unfinishedAt(now));
        }
    }

    /** Stops the threads after the searches they are running and closes the sessions. */
    @Override
    public void close() {
        open = false;
        queue.close();
        workers.forEach(Thread::interrupt);
    }

    private void run(Job job, SearchSession session, OwnIo own) {
        SearchRequest request = job.request();
        int phase = recorder.phaseIndex(request.intendedStart());
        AnswerWatch watch = request.isTrend()
                ? AnswerWatch.NOBODY
                : samplers[phase].watch(request.search(), request.page(), request.draw());
        RowCollector rows = new RowCollector(request.keep(), watch, clock);
        own.begin(request);
        long taken = clock.getAsLong();
        while (taken < request.intendedStart()) {
            Thread.onSpinWait();
            taken = clock.getAsLong();
        }
        long complete = answering.completeUntil().applyAsLong(taken);
        long count = 0;
        Outcome outcome = Outcome.OK;
        String code = "";
        String message = "";
        try {
            count = answer(request, session, rows);
        } catch (SearchException failure) {
            outcome = outcome(failure.kind());
            code = failure.code();
            message = String.valueOf(failure.getMessage());
        } catch (RuntimeException bug) {
            outcome = Outcome.OTHER;
            code = bug.getClass().getSimpleName();
            message = String.valueOf(bug.getMessage());
        }
        long end = clock.getAsLong();
        TickIo io = io(own, outcome);
        if (!job.end()) {
            return;
        }
        Sample sample = new Sample(
                request.intendedStart(),
                request.handedOver(),
                taken,
                rows.firstNanos(end),
                end,
                request.page() == PageClass.STATEMENT ? Math.max(rows.rows(), count) : rows.rows(),
                rows.bytes(),
                outcome,
                code);
        finished(request, sample);
        if (outcome == Outcome.OK) {
            watch.answered(request.seenFromNanos(complete), end, count);
        }
        job.listener().accept(new SearchAnswer(sample, phase, count, message, rows.kept(), rows.lastKey(), io));
    }

    private void finished(SearchRequest request, Sample sample) {
        recorder.finished(request.key(), request.asked(), sample);
        answering.taker().accept(sample);
        underWay.decrementAndGet();
    }

    private static TickIo io(OwnIo own, Outcome outcome) {
        if (outcome == Outcome.OK) {
            return own.answered();
        }
        own.failed();
        return TickIo.NONE;
    }

    private static long answer(SearchRequest request, SearchSession session, RowCollector rows) {
        Search search = request.search();
        if (request.isTrend()) {
            session.store(search, TrendCatalog.summary(search.name()).orElseThrow(), request.trend());
            return 0;
        }
        return switch (request.page()) {
            case COUNT -> session.count(search);
            case SUMMARY -> rows.lines(session.summarize(search, summary(search)));
            case FIRST, DEEPER, LAST, WHOLE, STATEMENT ->
                request.reading().isPresent()
                        ? request.reading().orElseThrow().read(search, rows)
                        : session.search(search, rows);
        };
    }

    private static Summary summary(Search search) {
        return search.summary()
                .orElseThrow(() -> new IllegalArgumentException(search.name() + " is listed, not summed up"));
    }

    private static Outcome outcome(SearchException.Kind kind) {
        return switch (kind) {
            case TIMEOUT -> Outcome.TIMEOUT;
            case CANCELLED -> Outcome.CANCELLED;
            case CONNECTION -> Outcome.CONNECTION;
            case REFUSED -> Outcome.REFUSED;
            case OTHER -> Outcome.OTHER;
        };
    }

    /** A thread with a session. */
    private final class Worker extends Thread {
        private final SearchSession session;
        private final OwnIo own;
        private Optional<Job> next = Optional.empty();
        private volatile Optional<Job> current = Optional.empty();

        Worker(String name, SearchSession session, OwnIo own) {
            super(name);
            this.session = session;
            this.own = own;
        }

        /** Takes a job that a listener submitted on this very thread, unless others wait. */
        boolean keeps(SearchWorkers workers, Job job) {
            if (workers != SearchWorkers.this || next.isPresent() || !queue.isEmpty()) {
                return false;
            }
            next = Optional.of(job);
            return true;
        }

        @Override
        public void run() {
            try (session) {
                while (open) {
                    current = next();
                    current.ifPresent(job -> SearchWorkers.this.run(job, session, own));
                }
            } catch (InterruptedException closed) {
                interrupt();
            }
        }

        private Optional<Job> next() throws InterruptedException {
            Optional<Job> kept = next;
            next = Optional.empty();
            if (kept.isPresent()) {
                return kept;
            }
            if (queue.isEmpty()) {
                own.rest();
            }
            return queue.next();
        }
    }

    /** A search that ends once: with its answer, or because the run gives it up. */
    private record Job(SearchRequest request, Consumer<SearchAnswer> listener, AtomicBoolean ended) {

        Job(SearchRequest request, Consumer<SearchAnswer> listener) {
            this(request, listener, new AtomicBoolean());
        }

        /** Whether this is the end. */
        boolean end() {
            return ended.compareAndSet(false, true);
        }
    }

    /**
     * What workers are to do: searches at once, in the order in which they came, and users' steps at the instants at which they
     * are due. Thread-safe.
     *
     * <p>An idle worker waits for the next step itself and then takes it, so that a user's search begins on the thread that runs
     * it: a timer on another thread would have to wake the worker, which takes longer than a short search. Waking up takes about a
     * tenth of a millisecond, and so do a user's steps up to the search, in code that is seldom run. So a worker comes to a step up
     * to 0.5 ms before it is due, and spins when all is ready; but for no more than one part in {@value #EARLY_PART} of the time
     * between instants.
     *
     * <p>One of those that are idle, the leader, watches the clock, as in {@link java.util.concurrent.DelayQueue}. Work is put into
     * the hands of the others before they are woken, so that none needs the lock any more: where twenty steps are due at one
     * instant, all twenty are awake before the first search keeps the processors busy.
     *
     * <p>Where no worker is idle, {@link #nextOverdue} takes the steps on a thread of their own: users go on pressing Search when
     * the database does not keep up.
     *
     * @param <S> a search
     */
    static final class WorkQueue<S> {
        private static final long EARLY_NANOS = TimeUnit.MICROSECONDS.toNanos(500);
        private static final int EARLY_PART = 20;

        private final ReentrantLock lock = new ReentrantLock();
        private final Condition noWorker = lock.newCondition();
        private final Queue<S> searches = new ArrayDeque<>();
        private final PriorityQueue<Step> steps =
                new PriorityQueue<>(Comparator.comparingLong(Step::dueNanos).thenComparingLong(Step::number));
        private final long originNanos = System.nanoTime();
        /** Idle, and not the leader; whoever has been so the longest is first. */
        private final Queue<Idle<S>> followers = new ArrayDeque<>();

        private Optional<Idle<S>> leader = Optional.empty();
        private boolean open = true;
        /** How many searches wait; changed under the lock, and read without it. */
        private volatile int length;

        private long added;
        private long lastDueNanos;
        /** Of the instant before the last one. */
        private long dueBeforeNanos;

        /** What is due at an instant since the origin; the number decides between steps of the same one. */
        private record Step(long dueNanos, long number, Runnable action) {}

        /** What a worker does next: an action, or a search. */
        private record Work<S>(Optional<Runnable> action, Optional<S> search) {}

        /** A worker that waits. */
        private static final class Idle<S> {
            private final Thread thread = Thread.currentThread();
            private volatile Optional<Work<S>> work = Optional.empty();

            /** Wakes it. */
            void give(Work<S> given) {
                work = Optional.of(given);
                LockSupport.unpark(thread);
            }
        }

        /** Adds a search for the next worker. */
        void add(S search) {
            lock.lock();
            try {
                Idle<S> worker = followers.poll();
                if (worker != null) {
                    worker.give(searching(search));
                } else if (leader.isPresent()) {
                    leader.orElseThrow().give(searching(search));
                    leader = Optional.empty();
                    noWorker.signal();
                } else {
                    searches.add(search);
                    length = searches.size();
                }
            } finally {
                lock.unlock();
            }
        }

        private static <S> Work<S> searching(S search) {
            return new Work<>(Optional.empty(), Optional.of(search));
        }

        /**
         * Adds a step of a user.
         *
         * @param dueNanos when it is due, on {@link System#nanoTime}; at once, if that is past. It may be done up to 0.5 ms before:
         *     whoever runs what it submits waits for the instant
         */
        void at(long dueNanos, Runnable action) {
            lock.lock();
            try {
                Step step = new Step(dueNanos - originNanos, added++, action);
                steps.add(step);
                if (steps.element().number() != step.number()) {
                    return;
                }
                if (leader.isPresent()) {
                    LockSupport.unpark(leader.orElseThrow().thread);
                } else {
                    passOn();
                }
            } finally {
                lock.unlock();
            }
        }

        /** The searches that wait for a worker. */
        List<S> waiting() {
            lock.lock();
            try {
                return List.copyOf(searches);
            } finally {
                lock.unlock();
            }
        }

        /** Whether no search waits for a worker; asked after each answer, and so without the lock. */
        boolean isEmpty() {
            return length == 0;
        }

        /**
         * Waits for work on a worker's thread.
         *
         * @return a search to run, when it is due; nothing after a step, which has been done
         */
        Optional<S> next() throws InterruptedException {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            Idle<S> me = new Idle<>();
            long nanos = look(me);
            while (me.work.isEmpty()) {
                LockSupport.parkNanos(this, nanos);
                if (Thread.interrupted() && isWithdrawn(me)) {
                    throw new InterruptedException();
                }
                nanos = look(me);
            }
            Work<S> work = me.work.orElseThrow();
            work.action().ifPresent(Runnable::run);
            return work.search();
        }

        /** Takes what there is to do, or waits among the idle. @return how long until it has to look again */
        private long look(Idle<S> me) {
            if (me.work.isPresent()) {
                return 0;
            }
            lock.lock();
            try {
                if (me.work.isPresent()) {
                    return 0;
                }
                if (!searches.isEmpty()) {
                    me.work = Optional.of(searching(searches.remove()));
                    length = searches.size();
                    return 0;
                }
                if (isStepToBegin()) {
                    leaveIdle(me);
                    me.work = Optional.of(takeStep());
                    handOut();
                    return 0;
                }
                return beIdle(me);
            } finally {
                lock.unlock();
            }
        }

        private long beIdle(Idle<S> me) {
            if (!steps.isEmpty() && (leader.isEmpty() || leader.orElseThrow() == me)) {
                followers.remove(me);
                leader = Optional.of(me);
                return nanosToStart();
            }
            if (!followers.contains(me)) {
                leaveIdle(me);
                followers.add(me);
            }
            return Long.MAX_VALUE;
        }

        private void leaveIdle(Idle<S> me) {
            if (leader.isPresent() && leader.orElseThrow() == me) {
                leader = Optional.empty();
            } else {
                followers.remove(me);
            }
        }

        /** Whether the worker, which is wanted no longer, had nothing to do. What it was given meanwhile is done before it goes. */
        private boolean isWithdrawn(Idle<S> me) {
            lock.lock();
            try {
                if (me.work.isPresent()) {
                    Thread.currentThread().interrupt();
                    return false;
                }
                leaveIdle(me);
                passOn();
                return true;
            } finally {
                lock.unlock();
            }
        }

        /** Gives the steps that are to begin as well to other idle workers; one of the rest watches the clock. */
        private void handOut() {
            while (isStepToBegin() && !followers.isEmpty()) {
                followers.remove().give(takeStep());
            }
            passOn();
        }

        /** Someone has to watch the clock, or to take the steps where nobody is idle. */
        private void passOn() {
            if (leader.isEmpty() && !steps.isEmpty() && !followers.isEmpty()) {
                Idle<S> next = followers.remove();
                leader = Optional.of(next);
                LockSupport.unpark(next.thread);
            } else if (leader.isEmpty() && followers.isEmpty()) {
                noWorker.signal();
            }
        }

        private Work<S> takeStep() {
            Step step = steps.remove();
            if (step.dueNanos() != lastDueNanos) {
                dueBeforeNanos = lastDueNanos;
                lastDueNanos = step.dueNanos();
            }
            return new Work<>(Optional.of(step.action()), Optional.empty());
        }

        /**
         * Waits for a step that no worker is free for.
         *
         * @return nothing once the queue is closed and no step is left
         */
        Optional<Runnable> nextOverdue() throws InterruptedException {
            lock.lockInterruptibly();
            try {
                while (open || !steps.isEmpty()) {
                    if (leader.isPresent() || !followers.isEmpty() || steps.isEmpty()) {
                        noWorker.await();
                    } else if (nanosTo(steps.element()) > 0) {
                        noWorker.awaitNanos(nanosTo(steps.element()));
                    } else {
                        return Optional.of(steps.remove().action());
                    }
                }
                return Optional.empty();
            } finally {
                lock.unlock();
            }
        }

        /** Workers take no more; {@link #nextOverdue} tells the steps that are left, when they are due. */
        void close() {
            lock.lock();
            try {
                open = false;
                noWorker.signal();
            } finally {
                lock.unlock();
            }
        }

        private boolean isStepToBegin() {
            return !steps.isEmpty() && nanosToStart() <= 0;
        }

        /** How long until a worker comes to the next step, which there must be. */
        private long nanosToStart() {
            Step step = steps.element();
            long before = step.dueNanos() == lastDueNanos ? dueBeforeNanos : lastDueNanos;
            long early = Math.min(EARLY_NANOS, Math.max(0, step.dueNanos() - before) / EARLY_PART);
            return nanosTo(step) - early;
        }

        private long nanosTo(Step step) {
            return step.dueNanos() - (System.nanoTime() - originNanos);
        }
    }

    /** Reads every row of an answer and keeps what was asked for. One per search, used by one thread. */
    private static final class RowCollector implements RowReader {
        private static final byte[] NONE = {};

        private final SearchRequest.Keep keep;
        private final AnswerWatch watch;
        private final LongSupplier clock;
        private long rows;
        private long bytes;
        private long firstNanos;
        private byte[] kept = NONE;
        private Optional<PageKey> lastKey = Optional.empty();

        /** @param clock nanoseconds of a monotonic clock */
        RowCollector(SearchRequest.Keep keep, AnswerWatch watch, LongSupplier clock) {
            this.keep = keep;
            this.watch = watch;
            this.clock = clock;
        }

        @Override
        public void row(Row row) {
            if (rows == 0) {
                firstNanos = clock.getAsLong();
            }
            byte[] idea = row.idea();
            bytes += idea.length;
            if (rows <= keep.row()) {
                kept = idea;
            }
            if (keep.lastKey()) {
                lastKey = Optional.of(row.key());
            }
            if (watch.wantsRows()) {
                watch.row(row.detectTime(), row.id());
            }
            if (watch.wantsContents()) {
                watch.contents(idea);
            }
            rows++;
        }

        /** Takes the lines of a summary, which have come at once. */
        long lines(List<Summary.Line> lines) {
            rows = lines.size();
            firstNanos = clock.getAsLong();
            watch.lines(lines);
            return rows;
        }

        long rows() {
            return rows;
        }

        long bytes() {
            return bytes;
        }

        /** When the first row was at hand; the end of the search where there was none. */
        long firstNanos(long endNanos) {
            return rows == 0 ? endNanos : firstNanos;
        }

        Optional<byte[]> kept() {
            return kept.length == 0 ? Optional.empty() : Optional.of(kept);
        }

        Optional<PageKey> lastKey() {
            return lastKey;
        }
    }
}
