package siemload.run.procedure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import siemload.config.DaemonThread;
import siemload.database.SearchException;
import siemload.database.SearchSession;
import siemload.database.TargetException;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.query.Window;
import siemload.results.StepRecord;
import siemload.scenario.Procedure;

/**
 * Users who read first pages in a closed loop without thinking: alone, beside one search for every event there is,
 * and alone again after that search was cancelled.
 */
final class NoisyNeighbourSteps implements Runnable {
    private static final long MOMENT_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final Procedure.Noisy procedure;
    private final ProcedureContext context;
    private final ProcedureSearches searches;
    private final List<StepRecord> steps = new ArrayList<>();
    private final Queue<SearchException> failures = new ConcurrentLinkedQueue<>();
    /** Takes the times of searches that begin now. */
    private volatile LatencySamples times = new LatencySamples();

    private volatile boolean open = true;

    NoisyNeighbourSteps(Procedure.Noisy procedure, ProcedureContext context) {
        this.procedure = procedure;
        this.context = context;
        this.searches = context.searches(procedure.searchSet());
    }

    /** One of the three parts; times of searches that began in it come in until the last of them has ended. */
    private record Part(String name, LatencySamples times, double seconds) {}

    @Override
    public void run() {
        List<Thread> users = new ArrayList<>();
        List<Part> parts = new ArrayList<>();
        try {
            for (int user = 0; user < procedure.users(); user++) {
                int number = user;
                SearchSession session = context.store().openSession();
                users.add(DaemonThread.start("siemload-reader", () -> read(session, number)));
                context.interruption().onAsk(() -> {
                    open = false;
                    session.cancel();
                });
            }
            parts.add(part("before"));
            try (Noise noise = new Noise(context)) {
                parts.add(part("beside"));
                noise.cancel();
                parts.add(part("after"));
                steps.add(noise.step().done());
            }
        } finally {
            open = false; // The searches under way end, and then the users go.
            DaemonThread.awaitEnd(users, Duration.ofSeconds(30));
            parts.forEach(part -> context.steps().add(step(part)));
            steps.forEach(context.steps()::add);
        }
    }

    /** Users differ in their values and in the search that they begin with, the same ones in every run. */
    private void read(SearchSession session, int user) {
        List<SearchName> names = procedure.searchSet().searches();
        Page page = procedure.page();
        try (session) {
            for (int number = 0; open; number++) {
                SearchName name = names.get((number + user) % names.size());
                int draw = number * procedure.users() + user;
                LatencySamples mine = times;
                mine.add(TimedSearch.read(searches.search(name, draw, procedure.order(), page), session)
                        .lastEventMicros());
            }
        } catch (SearchException failed) {
            if (open) {
                failures.add(failed);
            }
        }
    }

    /** Measures for a while. */
    private Part part(String name) {
        context.status("%d users, %s the search for everything", procedure.users(), name);
        LatencySamples ofPart = new LatencySamples();
        times = ofPart;
        long start = System.nanoTime();
        while (System.nanoTime() - start < procedure.part().toNanos()) {
            context.interruption().check();
            LockSupport.parkNanos(MOMENT_NANOS);
        }
        // Searches that begin between two parts, or while all of it is brought to its end, are of none of them.
        times = new LatencySamples();
        SearchException failure = failures.peek();
        if (failure != null) {
            throw new TargetException("a user's search failed: " + failure.getMessage(), failure);
        }
        return new Part(name, ofPart, (System.nanoTime() - start) / 1e9);
    }

    private StepRecord step(Part part) {
        return new Step(part.name())
                .fact("users", procedure.users())
                .figure("searches", part.times().count())
                .figure("searchesPerSecond", part.times().count() / part.seconds())
                .figure("p50Micros", part.times().percentile(50))
                .figure("p95Micros", part.times().percentile(95))
                .figure("maxMicros", part.times().percentile(100))
                .done();
    }

    /**
     * One search for every event there is, in time order and without an end to its window; asked again where it comes to its
     * end before it is cancelled. Used by one thread beside its own.
     */
    private static final class Noise implements AutoCloseable {
        private static final Duration PATIENCE = Duration.ofSeconds(60);
        private static final Search EVERYTHING =
                new Search(SearchName.MENTAT, Window.ALWAYS, List.of(), Order.NEWEST_FIRST, new Page.Whole());

        private final ProcedureContext context;
        private final SearchSession session;
        private final AtomicLong rows = new AtomicLong();
        private final AtomicLong asked = new AtomicLong();
        private final Thread thread;
        private volatile long cancelledNanos;
        private volatile long endedNanos;
        private volatile boolean cancelled;
        private volatile String failure = "";

        /** Begins to search. */
        Noise(ProcedureContext context) {
            this.context = context;
            this.session = context.store().openSession();
            this.thread = DaemonThread.of("siemload-noise", this::search);
            context.interruption().onAsk(this::cancel);
            thread.start();
        }

        private void search() {
            try (session) {
                while (!cancelled) {
                    asked.incrementAndGet();
                    session.search(EVERYTHING, row -> rows.incrementAndGet());
                }
            } catch (SearchException end) {
                failure = cancelled ? "" : String.valueOf(end.getMessage());
            } finally {
                endedNanos = System.nanoTime();
            }
        }

        /** Asks the server to give the search up; returns at once. */
        void cancel() {
            if (!cancelled) {
                cancelledNanos = System.nanoTime();
                cancelled = true;
                session.cancel();
            }
        }

        /**
         * What became of it, some time after it was cancelled: {@code cancelMicros} until the client was free again, and
         * {@code stillRunning} statements that the server has worked on since before.
         */
        Step step() {
            Step step = new Step("noise").figure("rows", rows.get()).figure("searches", asked.get());
            if (!failure.isEmpty()) {
                return step.failed(failure);
            }
            context.store()
                    .runningFor(Duration.ofNanos(System.nanoTime() - cancelledNanos))
                    .ifPresent(statements -> step.figure("stillRunning", statements));
            close();
            return thread.isAlive()
                    ? step.failed("the search had not ended " + PATIENCE.toSeconds() + " s after it was cancelled")
                    : step.figure("cancelMicros", Math.max(0, endedNanos - cancelledNanos) / 1e3);
        }

        @Override
        public void close() {
            cancel();
            DaemonThread.awaitEnd(List.of(thread), PATIENCE);
        }
    }
}
