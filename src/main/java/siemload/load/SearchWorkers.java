package siemload.load;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.TransferQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.LongUnaryOperator;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import siemload.database.SearchException;
import siemload.database.SearchSession;
import siemload.load.SearchRequest.SearchAnswer;
import siemload.measure.LatencyRecorder;
import siemload.measure.LatencyRecorder.Sample;
import siemload.measure.LatencyRecorder.Taker;
import siemload.query.Page;
import siemload.query.PageClass;
import siemload.query.PageKey;
import siemload.query.Search;
import siemload.query.SearchCatalog;
import siemload.query.Summary;
import siemload.results.Outcome;
import siemload.run.answers.AnswerSampler;

/**
 * Runs searches on its own threads, each with one session, so that no event loop ever blocks. Requests wait in one unbounded queue: the
 * load model limits their number. Thread-safe.
 */
final class SearchWorkers implements AutoCloseable {
    private final LatencyRecorder recorder;
    private final AnswerSampler sampler;
    private final LongSupplier clock;
    private final Answering answering;
    /** The number of searches that wait for these workers, plus the number of busy workers. */
    private final AtomicInteger underWay = new AtomicInteger();
    /** This kind of queue assigns a search to a waiting worker before waking it: twenty searches due at once wake twenty workers. */
    private final TransferQueue<Job> queue = new LinkedTransferQueue<>();

    private final List<SearchSession> sessions;
    private final List<Worker> workers = new ArrayList<>();
    private final Set<UserCursor> cursors = ConcurrentHashMap.newKeySet();
    private volatile boolean open = true;

    /** Starts one thread per session. The threads use the system's clock and search the store itself. */
    SearchWorkers(List<SearchSession> sessions, LatencyRecorder recorder, AnswerSampler sampler) {
        this(sessions, recorder, sampler, System::nanoTime, Answering.by(() -> sessions.get(0)));
    }

    /**
     * Starts one thread per session; the threads close the sessions at the end.
     *
     * @param clock the monotonic clock of intended starts, in nanoseconds
     * @param answering where the sessions search
     */
    SearchWorkers(
            List<SearchSession> sessions,
            LatencyRecorder recorder,
            AnswerSampler sampler,
            LongSupplier clock,
            Answering answering) {
        this.recorder = recorder;
        this.answering = answering;
        this.sampler = sampler;
        this.clock = clock;
        this.sessions = List.copyOf(sessions);
        for (SearchSession session : sessions) {
            Worker worker = new Worker("siemload-search-" + workers.size(), session);
            worker.setDaemon(true);
            workers.add(worker);
            worker.start();
        }
    }

    /**
     * A place that answers searches.
     *
     * @param opener opens a connection for a user's cursor
     * @param completeUntil returns, for a search that begins at this instant on {@link System#nanoTime}, the instant up to which the place
     *     certainly has every acknowledged event
     * @param taker takes the samples of searches there, in addition to the run's recorder; callable from any thread
     */
    record Answering(Supplier<SearchSession> opener, LongUnaryOperator completeUntil, Consumer<Sample> taker) {
        /** Returns the store itself as a place, which has every event that it acknowledged. */
        static Answering by(Supplier<SearchSession> opener) {
            return new Answering(opener, LongUnaryOperator.identity(), sample -> {});
        }
    }

    /** @throws siemload.database.TargetException if the server refuses a connection; those opened before are closed */
    static <T> List<T> openAll(int count, Supplier<T> opener, Consumer<T> closer) {
        List<T> opened = new ArrayList<>();
        try {
            for (int i = 0; i < count; i++) {
                opened.add(opener.get());
            }
            return opened;
        } catch (RuntimeException refused) {
            opened.forEach(closer);
            throw refused;
        }
    }

    /** Queues a search that the load generator reached exactly when it was due, and whose sample goes to no log. */
    void submit(SearchRequest request, Consumer<SearchAnswer> listener) {
        submit(request, request.intendedStart(), Taker.NOBODY, listener);
    }

    /**
     * Queues a search; the listener is called exactly once, on the worker's thread. A search that a listener submits is taken by the
     * listener's worker if the queue is empty, so that no other thread need be woken.
     *
     * @param handedOver when the load generator reached the search, on {@link System#nanoTime}; a user's limit of running searches may
     *     delay the search further
     * @param log takes the sample of the search, unless the run gives the search up
     */
    void submit(SearchRequest request, long handedOver, Taker log, Consumer<SearchAnswer> listener) {
        recorder.started();
        Job job = new Job(request, handedOver, log, listener);
        if (Thread.currentThread() instanceof Worker worker && worker.keeps(this, job)) {
            return;
        }
        if (underWay.incrementAndGet() > sessions.size()) {
            recorder.foundAllBusy(request.intendedStart());
        }
        queue.add(job);
    }

    /** Returns whether any search submitted here has not ended or has an undelivered answer. */
    boolean isBusy() {
        return underWay.get() > 0;
    }

    /** Returns a new cursor, for a user who starts or who has left an earlier cursor. */
    UserCursor cursor() {
        UserCursor cursor = new UserCursor();
        cursors.add(cursor);
        return cursor;
    }

    /** Asks the server to cancel all running searches, and closes the cursors of all users. */
    void cancelAll() {
        sessions.forEach(SearchSession::cancel);
        cursors.forEach(UserCursor::leave);
    }

    /**
     * Records all running searches as unfinished, with the time that their users have waited; a later outcome of these searches is not
     * recorded, and their listeners are not called.
     */
    void giveUp() {
        long now = clock.getAsLong();
        workers.forEach(worker -> worker.giveUp(now));
        queue.forEach(job -> job.giveUp(now));
    }

    /** Stops the threads after their running searches and closes the sessions. */
    @Override
    public void close() {
        open = false;
        workers.forEach(Thread::interrupt);
    }

    /** A thread with a session. A worker is busy until it has delivered the answer, and continues with a search that is kept for it. */
    private final class Worker extends Thread {
        private final SearchSession session;
        private @Nullable Job next;
        private volatile @Nullable Job current;

        Worker(String name, SearchSession session) {
            super(name);
            this.session = session;
        }

        /** Takes a job that a listener submitted on this thread, unless other jobs wait. */
        boolean keeps(SearchWorkers workers, Job job) {
            if (workers != SearchWorkers.this || next != null || !queue.isEmpty()) {
                return false;
            }
            next = job;
            return true;
        }

        void giveUp(long now) {
            Job job = current;
            if (job != null) {
                job.giveUp(now);
            }
        }

        @Override
        public void run() {
            try (session) {
                while (open) {
                    Job kept = next;
                    next = null;
                    Job job = kept == null ? queue.take() : kept;
                    current = job;
                    job.run(session);
                    if (next == null) {
                        underWay.decrementAndGet();
                    }
                }
            } catch (InterruptedException closed) {
                interrupt();
            }
        }
    }

    /**
     * A search that ends once: with its answer, or because the run gives it up. Reads every row of the answer and keeps what was requested.
     * Used by one thread, except for {@link #giveUp}.
     */
    private final class Job implements SearchSession.RowReader {
        private final SearchRequest request;
        private final long handedOver;
        private final Taker log;
        private final Consumer<SearchAnswer> listener;
        private final AtomicBoolean ended = new AtomicBoolean();
        private AnswerSampler.AnswerWatch watch = AnswerSampler.AnswerWatch.NOBODY;
        private long rows;
        private long bytes;
        private long firstNanos;
        private byte @Nullable [] kept;
        private @Nullable PageKey lastKey;

        Job(SearchRequest request, long handedOver, Taker log, Consumer<SearchAnswer> listener) {
            this.request = request;
            this.handedOver = handedOver;
            this.log = log;
            this.listener = listener;
        }

        void run(SearchSession session) {
            if (request.trend().isEmpty()) {
                watch = sampler.watch(request.search(), request.page(), request.draw());
            }
            long taken = clock.getAsLong();
            while (taken < request.intendedStart()) {
                Thread.onSpinWait();
                taken = clock.getAsLong();
            }
            long complete = answering.completeUntil().applyAsLong(taken);
            long count = 0;
            SearchException failure = null;
            try {
                count = answer(session);
            } catch (SearchException failed) {
                failure = failed;
            } catch (RuntimeException bug) {
                String code = bug.getClass().getSimpleName();
                failure = new SearchException(SearchException.Kind.OTHER, code, String.valueOf(bug.getMessage()), bug);
            }
            long end = clock.getAsLong();
            if (!ended.compareAndSet(false, true)) {
                return;
            }
            long due = request.intendedStart();
            long first = rows == 0 ? end : firstNanos;
            long read = request.page() == PageClass.STATEMENT ? Math.max(rows, count) : rows;
            // Each kind of failure has an outcome of the same name.
            Outcome outcome = failure == null
                    ? Outcome.OK
                    : Outcome.valueOf(failure.kind().name());
            String code = failure == null ? "" : failure.code();
            Sample sample = new Sample(due, handedOver, taken, first, end, read, bytes, outcome, code);
            finished(sample, failure == null ? "" : String.valueOf(failure.getMessage()), log);
            if (failure == null) {
                // The answer must contain the events that were there when the search began or its cursor was opened.
                boolean byCursor = request.reading().isPresent();
                watch.answered(byCursor ? request.reading().get().seenFromNanos : complete, end, count);
            }
            listener.accept(new SearchAnswer(sample, count, Optional.ofNullable(kept), Optional.ofNullable(lastKey)));
        }

        private long answer(SearchSession session) {
            Search search = request.search();
            if (!request.trend().isEmpty()) {
                session.store(search, SearchCatalog.trend(search.name()).orElseThrow(), request.trend());
                return 0;
            }
            if (request.page() == PageClass.COUNT) {
                return session.count(search);
            }
            if (request.page() == PageClass.SUMMARY) {
                List<Summary.Line> lines =
                        session.summarize(search, search.summary().orElseThrow());
                // All lines arrived together.
                rows = lines.size();
                firstNanos = clock.getAsLong();
                watch.lines(lines);
                return rows;
            }
            return request.reading().isPresent()
                    ? request.reading().get().read(search, this)
                    : session.search(search, this);
        }

        void giveUp(long now) {
            if (ended.compareAndSet(false, true)) {
                finished(request.unfinishedAt(handedOver, now), "", Taker.NOBODY);
            }
        }

        private void finished(Sample sample, String message, Taker taker) {
            recorder.finished(request.key(), sample, message, taker);
            answering.taker().accept(sample);
        }

        @Override
        public void row(Row row) {
            if (rows == 0) {
                firstNanos = clock.getAsLong();
            }
            byte[] idea = row.idea();
            bytes += idea.length;
            if (rows <= request.keptRow()) {
                kept = idea;
            }
            if (request.keepsLastKey()) {
                lastKey = row.key();
            }
            watch.row(row, idea);
            rows++;
        }
    }

    /**
     * A user's own connection, on which the user's result stays open between pages. The first page opens the connection, and one worker at
     * a time uses it. Thread-safe.
     */
    final class UserCursor {
        private final ReentrantLock reading = new ReentrantLock();
        private volatile Optional<SearchSession> session = Optional.empty();
        private Optional<SearchSession.ResultCursor> cursor = Optional.empty();
        /** The instant at which the result was opened, or an earlier one if the replica was behind at that instant. */
        private volatile long seenFromNanos;

        private volatile boolean left;

        /** Reads the next page and returns its number of rows; the first page opens the result. Fails as well if the user has left. */
        long read(Search search, SearchSession.RowReader rows) {
            Page.Numbered page = (Page.Numbered) search.page();
            reading.lock();
            try {
                if (left) {
                    throw new SearchException(SearchException.Kind.CANCELLED, "", "the user has left");
                }
                if (page.number() == 1) {
                    seenFromNanos = answering.completeUntil().applyAsLong(System.nanoTime());
                    SearchSession own = session.orElseGet(answering.opener());
                    session = Optional.of(own);
                    cursor = Optional.of(own.open(search));
                }
                return cursor.orElseThrow(() -> new SearchException(
                                SearchException.Kind.OTHER, "", "the cursor was closed before this page"))
                        .next(page.size(), rows);
            } catch (SearchException failed) {
                cursor = Optional.empty();
                throw failed;
            } finally {
                if (left) {
                    closeSession();
                }
                reading.unlock();
            }
        }

        /** Cancels a read in progress, and closes the connection as soon as that read has ended; returns at once. */
        void leave() {
            cursors.remove(this);
            left = true;
            if (reading.tryLock()) {
                try {
                    closeSession();
                } finally {
                    reading.unlock();
                }
            } else {
                session.ifPresent(SearchSession::cancel);
            }
        }

        private void closeSession() {
            cursor.ifPresent(SearchSession.ResultCursor::close);
            session.ifPresent(SearchSession::close);
            cursor = Optional.empty();
            session = Optional.empty();
        }
    }
}
