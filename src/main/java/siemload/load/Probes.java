package siemload.load;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.function.LongFunction;
import java.util.function.Predicate;
import siemload.config.DaemonThread;
import siemload.config.Property;
import siemload.database.SearchException;
import siemload.database.SearchSession;
import siemload.database.SearchSession.ResultCursor;
import siemload.database.SearchSession.RowReader;
import siemload.dataset.FeedEvents;
import siemload.dataset.SeededRandom;
import siemload.measure.RunClock;
import siemload.measure.VisibilityRecorder;
import siemload.query.Criterion;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.PageKey;
import siemload.query.Paging;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.query.Window;
import siemload.results.PagingTruth;
import siemload.run.LoadRun;
import siemload.run.answers.FeedLedger;
import siemload.scenario.Feeder;
import siemload.scenario.Retention;

/**
 * Two more users, beside the analysts: one looks for events as soon as they are fed, one turns the pages of the newest
 * ones. Each has a connection and a thread of its own; what they search is not among the results of the searches. Without
 * a feeder there is nothing for them to do. Thread-safe.
 */
final class Probes implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(2);
    private static final int NEWEST_BATCHES = 1_000;

    private final LoadRun run;
    private final FeedLedger ledger;
    private final List<SearchSession> sessions = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private volatile Optional<Running> running = Optional.empty();

    /**
     * Opens their connections.
     *
     * @throws siemload.database.TargetException if the server refuses one
     */
    Probes(LoadRun run, FeedLedger ledger) {
        this.run = run;
        this.ledger = ledger;
        if (run.plan().settings().value(Property.PROBES)
                && run.plan().scenario().feeder().isOn()) {
            sessions.addAll(SearchWorkers.openSessions(run.bench().store(), 2));
        }
    }

    private record Running(
            VisibilityProbe visibility, VisibilityRecorder visible, PagingProbe paging, Queue<PagingTruth> walks) {}

    /** Starts the threads. */
    void start(RunClock clock) {
        if (sessions.isEmpty()) {
            return;
        }
        Feeder feeder = run.plan().scenario().feeder();
        VisibilityRecorder visible = new VisibilityRecorder(clock);
        VisibilityProbe visibility = new VisibilityProbe(
                sessions.get(0),
                feeder.batch(),
                feeder.rate().mean(0, clock.secondsSinceStart(clock.endNanos())),
                run.plan().source().feed()::id,
                run.plan().seed(),
                visible);
        Queue<PagingTruth> walks = new ConcurrentLinkedQueue<>();
        PagingProbe paging = new PagingProbe(
                sessions.get(1),
                PagingProbe.ways(
                        run.plan().choice().plugin().abilities().pagings(),
                        run.plan().scenario().retention()),
                this::storedAt,
                clock,
                walks);
        running = Optional.of(new Running(visibility, visible, paging, walks));
        start("siemload-probe-visibility", visibility);
        start("siemload-probe-paging", paging);
    }

    /**
     * Which events were certainly stored at an instant. Of those that others feed meanwhile this process knows nothing: where
     * there are others, it judges by its own newest ones alone.
     */
    private Predicate<String> storedAt(long nanos) {
        FeedEvents events = run.plan().source().feed();
        if (run.plan().shard().isWhole()) {
            Set<String> unsettled = ledger.idsUnsettledAt(nanos, events);
            return id -> !unsettled.contains(id);
        }
        return ledger.idsSettledAt(nanos, events, NEWEST_BATCHES)::contains;
    }

    private void start(String name, Runnable probe) {
        Thread thread = DaemonThread.of(name, probe);
        threads.add(thread);
        thread.start();
    }

    /** Notes that a batch is stored; never waits. */
    void acknowledged(long batch, long nanos) {
        running.ifPresent(now -> now.visibility().acknowledged(batch, nanos));
    }

    /** @param clock of the load */
    VisibilityRecorder visibility(RunClock clock) {
        return running.map(Running::visible).orElseGet(() -> new VisibilityRecorder(clock));
    }

    List<PagingTruth> pagination() {
        return running.map(now -> PagingTruth.summed(now.walks())).orElse(List.of());
    }

    /** Ends what they are doing and closes the connections. */
    @Override
    public void close() {
        running.ifPresent(now -> {
            now.visibility().stop();
            now.paging().stop();
        });
        sessions.forEach(SearchSession::cancel);
        threads.forEach(Thread::interrupt);
        DaemonThread.awaitEnd(threads, PATIENCE);
        sessions.forEach(SearchSession::close);
    }

    /**
     * Looks for about one fed event a second, from its acknowledgement until a search by its id returns it. Batches and
     * events are chosen by the seed; one whose turn comes while another is being looked for is left out, so that nothing
     * waits for the probe itself.
     */
    static final class VisibilityProbe implements Runnable {
        private static final double PROBES_A_SECOND = 1;
        private static final long AGAIN_NANOS = Duration.ofMillis(1).toNanos();
        private static final long AFTER_FAILURE_NANOS = Duration.ofMillis(200).toNanos();

        private final SearchSession session;
        private final LongFunction<String> ids;
        private final int batchSize;
        private final double ratio;
        private final long seed;
        private final VisibilityRecorder recorder;
        private final SynchronousQueue<Fed> handedOver = new SynchronousQueue<>();
        private volatile boolean open = true;

        /**
         * A probe of what this feeder feeds.
         *
         * @param session its own; closed by its owner
         * @param batchSize events a batch
         * @param eventsPerSecond that are fed on average, above 0
         * @param ids the id of a fed event by its number
         */
        VisibilityProbe(
                SearchSession session,
                int batchSize,
                double eventsPerSecond,
                LongFunction<String> ids,
                long seed,
                VisibilityRecorder recorder) {
            this.session = session;
            this.ids = ids;
            this.batchSize = batchSize;
            this.ratio = PROBES_A_SECOND * batchSize / eventsPerSecond;
            this.seed = seed;
            this.recorder = recorder;
        }

        private record Fed(String id, long acknowledgedNanos) {}

        /** Notes that a batch is stored, and may hand one of its events to the probe; never waits. */
        void acknowledged(long batch, long nanos) {
            SeededRandom random = SeededRandom.of(seed, batch);
            if (random.nextDouble() < ratio) {
                String id = ids.apply(batch * batchSize + random.nextInt(batchSize));
                boolean unused = handedOver.offer(new Fed(id, nanos));
            }
        }

        @Override
        public void run() {
            try {
                while (open) {
                    lookFor(handedOver.take());
                }
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
        }

        private void lookFor(Fed fed) {
            Search search = new Search(
                    SearchName.DETAIL,
                    Window.ALWAYS,
                    List.of(new Criterion.IdIs(fed.id())),
                    Order.NEWEST_FIRST,
                    new Page.Numbered(1, 1));
            while (open) {
                try {
                    if (session.search(search, row -> {}) > 0) {
                        recorder.seen(fed.acknowledgedNanos(), System.nanoTime());
                        return;
                    }
                    LockSupport.parkNanos(AGAIN_NANOS);
                } catch (SearchException failed) {
                    LockSupport.parkNanos(AFTER_FAILURE_NANOS);
                }
            }
            recorder.neverSeen(fed.acknowledgedNanos());
        }

        void stop() {
            open = false;
        }
    }

    /**
     * An analyst who watches the newest events and turns some pages, over and over, each time by another way of paging; and
     * who looks afterwards whether the pages held every event once. Slow enough to be a small part of the load: six pages in
     * a quarter of a minute.
     */
    static final class PagingProbe implements Runnable {
        private static final int PAGES = 6;
        private static final int PAGE_SIZE = 100;
        private static final long PAGE_PAUSE_NANOS = Duration.ofSeconds(1).toNanos();
        private static final long WALK_PAUSE_NANOS = Duration.ofSeconds(9).toNanos();

        private final SearchSession session;
        private final List<Paging> ways;
        private final LongFunction<Predicate<String>> storedAt;
        private final RunClock clock;
        private final Queue<PagingTruth> walks;
        private volatile boolean open = true;

        /**
         * A probe that walks in each of these ways in turn.
         *
         * @param session its own; closed by its owner
         * @param storedAt tells of an id whether its event was certainly stored at an instant
         */
        PagingProbe(
                SearchSession session,
                List<Paging> ways,
                LongFunction<Predicate<String>> storedAt,
                RunClock clock,
                Queue<PagingTruth> walks) {
            this.session = session;
            this.ways = List.copyOf(ways);
            this.storedAt = storedAt;
            this.clock = clock;
            this.walks = walks;
        }

        /**
         * In which ways it may walk: an open cursor keeps its tables locked, so that a day could be dropped only after the walk, and
         * everybody would wait for it.
         */
        static List<Paging> ways(List<Paging> possible, Optional<Retention> retention) {
            return possible.stream()
                    .filter(paging -> retention.isEmpty() || paging != Paging.CURSOR)
                    .toList();
        }

        @Override
        public void run() {
            for (int walk = 0; open && !clock.isOver(System.nanoTime()); walk++) {
                Paging paging = ways.get(walk % ways.size());
                long start = System.nanoTime();
                try {
                    note(start, walk(paging, () -> pause(PAGE_PAUSE_NANOS)));
                } catch (SearchException failed) {
                    note(start, new PagingTruth(paging.label(), 0, 0, 0, 0, 0, 1));
                } catch (RuntimeException bug) {
                    note(start, new PagingTruth(paging.label(), 0, 0, 0, 0, 0, 1));
                    throw bug;
                }
                pause(WALK_PAUSE_NANOS);
            }
        }

        /** A walk that the end of the run cut short, or that began in the warm-up, does not count. */
        private void note(long start, PagingTruth truth) {
            if (open && clock.measures(start) && !clock.isOver(System.nanoTime())) {
                walks.add(truth);
            }
        }

        /**
         * One walk, to the last page or the end of the events.
         *
         * @param betweenPages what the analyst does before each page but the first
         */
        PagingTruth walk(Paging paging, Runnable betweenPages) {
            PagingWalk walk = new PagingWalk(paging);
            long start = System.nanoTime();
            if (paging == Paging.CURSOR) {
                try (ResultCursor cursor = session.open(search(Window.ALWAYS, new Page.Numbered(PAGE_SIZE, 1)))) {
                    turnPages(walk, paging, betweenPages, (page, rows) -> cursor.next(PAGE_SIZE, rows));
                }
            } else {
                turnPages(
                        walk, paging, betweenPages, (page, rows) -> session.search(search(Window.ALWAYS, page), rows));
            }
            List<PageKey> between = new ArrayList<>();
            walk.window()
                    .ifPresent(
                            window -> session.search(search(window, new Page.Whole()), row -> between.add(row.key())));
            return walk.truth(between, storedAt.apply(start));
        }

        private void turnPages(
                PagingWalk walk, Paging paging, Runnable betweenPages, BiConsumer<Page, RowReader> reader) {
            Page page = new Page.Numbered(PAGE_SIZE, 1);
            for (int number = 1; open; number++) {
                List<PageKey> keys = new ArrayList<>(PAGE_SIZE);
                reader.accept(page, row -> keys.add(row.key()));
                walk.page(keys);
                if (number == PAGES || keys.size() < PAGE_SIZE) {
                    return;
                }
                page = paging.page(PAGE_SIZE, number + 1L, () -> keys.get(keys.size() - 1));
                betweenPages.run();
            }
        }

        private static Search search(Window window, Page page) {
            return new Search(SearchName.MENTAT, window, List.of(), Order.NEWEST_FIRST, page);
        }

        /** Ends the walk under way as soon as its search has ended; the owner cancels that. */
        void stop() {
            open = false;
        }

        private void pause(long nanos) {
            long until = System.nanoTime() + nanos;
            for (long left = nanos; left > 0 && open; left = until - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
        }

        /** The rows of one walk through the pages of the newest events. Used by one thread. */
        static final class PagingWalk {
            private final Paging paging;
            private final NavigableSet<PageKey> shown = new TreeSet<>(PageKey.OLDEST_FIRST);
            private long pages;
            private long rows;

            PagingWalk(Paging paging) {
                this.paging = paging;
            }

            /** Takes the rows of the next page. */
            void page(List<PageKey> keys) {
                pages++;
                rows += keys.size();
                shown.addAll(keys);
            }

            /**
             * The detect times from the oldest to the newest row; empty where no row was shown. These need not be the last and the
             * first one: where more events arrive than pages are turned, pages by offset move forward in time.
             */
            Optional<Window> window() {
                return shown.isEmpty()
                        ? Optional.empty()
                        : Optional.of(new Window(
                                shown.first().detectTime(),
                                shown.last().detectTime().plusNanos(1_000)));
            }

            /**
             * Compares the pages with the events that are there.
             *
             * @param between all events of {@link #window}, as they are now
             * @param wasThere whether the event with this id was certainly there before the first page was asked for
             */
            PagingTruth truth(List<PageKey> between, Predicate<String> wasThere) {
                long missed = between.stream()
                        .filter(key -> isBetween(key) && !shown.contains(key) && wasThere.test(key.id()))
                        .map(PageKey::id)
                        .distinct()
                        .count();
                return new PagingTruth(paging.label(), 1, pages, rows, missed, rows - shown.size(), 0);
            }

            private boolean isBetween(PageKey key) {
                return PageKey.OLDEST_FIRST.compare(key, shown.first()) >= 0
                        && PageKey.OLDEST_FIRST.compare(key, shown.last()) <= 0;
            }
        }
    }
}
