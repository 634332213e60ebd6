package siemload.run.procedure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;
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
    private final List<ClosedLoopReader> readers = new ArrayList<>();
    private final List<Part> parts = new ArrayList<>();

    NoisyNeighbourSteps(Procedure.Noisy procedure, ProcedureContext context) {
        this.procedure = procedure;
        this.context = context;
    }

    /** One of the three parts; times of searches that began in it come in until the last of them has ended. */
    private record Part(String name, LatencySamples times, double seconds) {}

    @Override
    public void run() {
        List<StepRecord> noiseSteps = new ArrayList<>();
        try {
            startReaders();
            part("before");
            try (UnboundedReader noise = UnboundedReader.start(context)) {
                part("beside");
                noise.cancel();
                part("after");
                noiseSteps.add(noise.step().done());
            }
        } finally {
            readers.forEach(ClosedLoopReader::close);
            parts.forEach(part -> context.steps().add(step(part)));
            noiseSteps.forEach(context.steps()::add);
        }
    }

    private void startReaders() {
        List<SearchName> searches = procedure.searchSet().searches();
        ProcedureSearches asked = context.searches(procedure.searchSet());
        Page page = procedure.page();
        for (int user = 0; user < procedure.users(); user++) {
            int own = user;
            // Users differ in their values and in the search that they begin with, the same ones in every run.
            ClosedLoopReader reader = new ClosedLoopReader(
                    context.store().openSession(),
                    number -> asked.search(
                            searches.get((number + own) % searches.size()),
                            number * procedure.users() + own,
                            procedure.order(),
                            page));
            readers.add(reader);
            context.interruption().onAsk(reader::cancel);
        }
        readers.forEach(ClosedLoopReader::start);
    }

    /** Measures for a while. */
    private void part(String name) {
        context.interruption().check();
        context.status("%d users, %s the search for everything", procedure.users(), name);
        LatencySamples times = new LatencySamples();
        readers.forEach(reader -> reader.recordInto(times));
        long start = System.nanoTime();
        while (System.nanoTime() - start < procedure.part().toNanos()) {
            context.interruption().check();
            LockSupport.parkNanos(MOMENT_NANOS);
        }
        parts.add(new Part(name, times, (System.nanoTime() - start) / 1e9));
        // Searches that begin between two parts, or while all of it is brought to its end, are of none of them.
        readers.forEach(reader -> reader.recordInto(new LatencySamples()));
        for (ClosedLoopReader reader : readers) {
            reader.failure().ifPresent(failure -> {
                throw new TargetException("a user's search failed: " + failure.getMessage(), failure);
            });
        }
    }

    private StepRecord step(Part part) {
        LatencySamples times = part.times();
        return new Step(part.name())
                .fact("users", procedure.users())
                .figure("searches", times.count())
                .figure("searchesPerSecond", times.count() / part.seconds())
                .figure("p50Micros", times.percentile(50))
                .figure("p95Micros", times.percentile(95))
                .figure("maxMicros", times.percentile(100))
                .done();
    }

    /** A user who searches again as soon as an answer is there. Started once; all methods may be called from any thread. */
    private static final class ClosedLoopReader implements AutoCloseable {
        private final SearchSession session;
        private final IntFunction<Search> searches;
        private final Thread thread;
        private volatile LatencySamples times = new LatencySamples();
        private volatile Optional<SearchException> failure = Optional.empty();
        private volatile boolean open = true;

        /** @param searches what is searched, by the number of the search from 0 on; asked on the user's thread */
        ClosedLoopReader(SearchSession session, IntFunction<Search> searches) {
            this.session = session;
            this.searches = searches;
            this.thread = DaemonThread.of("siemload-reader", this::read);
        }

        void start() {
            thread.start();
        }

        /** From now on the times of searches that begin go there. */
        void recordInto(LatencySamples other) {
            times = other;
        }

        /** Why the user gave up, where that is so. */
        Optional<SearchException> failure() {
            return failure;
        }

        void cancel() {
            open = false;
            session.cancel();
        }

        private void read() {
            try (session) {
                for (int number = 0; open; number++) {
                    Search search = searches.apply(number);
                    LatencySamples mine = times;
                    mine.add(TimedSearch.read(search, session).lastEventMicros());
                }
            } catch (SearchException failed) {
                if (open) {
                    failure = Optional.of(failed);
                }
            }
        }

        /** Lets the search under way end, and the user go. */
        @Override
        public void close() {
            open = false;
            DaemonThread.awaitEnd(List.of(thread), Duration.ofSeconds(30));
        }
    }

    /**
     * One search for every event there is, in time order and without an end to its window; asked again where it comes to its
     * end before it is cancelled. Used by one thread beside its own.
     */
    private static final class UnboundedReader implements AutoCloseable {
        private static final long PATIENCE_SECONDS = 60;
        private static final Search EVERYTHING =
                new Search(SearchName.MENTAT, Window.ALWAYS, List.of(), Order.NEWEST_FIRST, new Page.Whole());

        private final ProcedureContext context;
        private final SearchSession session;
        private final AtomicLong rows = new AtomicLong();
        private final AtomicLong asked = new AtomicLong();
        private final CountDownLatch ended = new CountDownLatch(1);
        private volatile long cancelledNanos;
        private volatile long endedNanos;
        private volatile boolean cancelled;
        private volatile String failure = "";

        private UnboundedReader(ProcedureContext context) {
            this.context = context;
            this.session = context.store().openSession();
        }

        /** Begins to search. */
        static UnboundedReader start(ProcedureContext context) {
            UnboundedReader noise = new UnboundedReader(context);
            Thread thread = DaemonThread.of("siemload-noise", noise::search);
            context.interruption().onAsk(noise::cancel);
            thread.start();
            return noise;
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
                ended.countDown();
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
            Duration since = Duration.ofNanos(System.nanoTime() - cancelledNanos);
            OptionalLong running = context.store().runningFor(since);
            running.ifPresent(statements -> step.figure("stillRunning", statements));
            return awaitEnd()
                    ? step.figure("cancelMicros", Math.max(0, endedNanos - cancelledNanos) / 1e3)
                    : step.failed("the search had not ended " + PATIENCE_SECONDS + " s after it was cancelled");
        }

        private boolean awaitEnd() {
            try {
                return ended.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
            } catch (InterruptedException hurried) {
                Thread.currentThread().interrupt();
                return false;
            }
        }

        @Override
        public void close() {
            cancel();
            awaitEnd();
        }
    }
}
