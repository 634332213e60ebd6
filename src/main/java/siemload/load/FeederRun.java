package siemload.load;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongFunction;
import siemload.config.DaemonThread;
import siemload.config.Property;
import siemload.database.SearchException;
import siemload.database.SearchSession;
import siemload.database.Store.EventSink;
import siemload.dataset.FeedEvents;
import siemload.dataset.SeededRandom;
import siemload.event.SecurityEvent;
import siemload.measure.FeederRecorder;
import siemload.measure.RunClock;
import siemload.query.Criterion;
import siemload.query.CriterionKey;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.PageKey;
import siemload.query.Paging;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.query.Window;
import siemload.results.RunResult.PagingTruth;
import siemload.run.LoadRun;
import siemload.run.LoadRun.Shard;
import siemload.run.RunPlan;
import siemload.run.answers.FeedLedger;
import siemload.scenario.Scenario.Feeder;

/**
 * Sends the feeder's batches on a strict timetable, from the start of the warm-up to the end of the measured phase. With several
 * connections the {@code k}th batch of this process goes over connection {@code k mod connections}. A failed batch is sent again: after a
 * lost connection until the run ends, otherwise until it has failed three times. Thread-safe.
 */
final class FeederRun implements AutoCloseable {
    private static final int MOST_REFUSALS = 3;
    private static final int NOTES = 100_000;
    private static final long RETRY_PAUSE_NANOS = Duration.ofMillis(200).toNanos();

    private final Feeding feeding;
    private final Probes probes;
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean open = true;

    /** Creates a feeder that has not started, and that tells the probes about every acknowledged batch. */
    FeederRun(Feeding feeding, Probes probes) {
        this.feeding = feeding;
        this.probes = probes;
    }

    /**
     * The events to feed, the clock of their timetable, and the records of their fate. Thread-safe.
     *
     * @param shard which batches this process feeds
     * @param dataClock returns the time in the data, which becomes the detect time of the events due at an instant
     */
    record Feeding(
            Feeder feeder,
            Shard shard,
            FeedEvents events,
            RunClock clock,
            LongFunction<Instant> dataClock,
            FeederRecorder recorder,
            FeedLedger ledger) {

        /** Returns when a batch is due: when its last event is due. A late batch does not delay the next one. */
        long dueNanos(long batch) {
            return clock.startNanos() + feeder.rate().nanosOf((batch + 1.0) * feeder.batch());
        }

        /** Returns how many batches are due before this instant. */
        long dueBefore(long nanos) {
            double due = feeder.rate().dueUntil((nanos - clock.startNanos()) / 1e9);
            return Math.max(0, (long) Math.ceil((due - feeder.batch()) / feeder.batch()));
        }

        /** Returns all batches sent so far, which always have the same events. The result keeps no recorder in memory. */
        FeedLedger.Batches batches() {
            Content content = content();
            FeedLedger sent = ledger;
            return taker -> sent.batches(content::of, taker);
        }

        Content content() {
            return new Content(feeder, events, dataClock, clock.startNanos());
        }

        /** Makes the events of each batch; an event has the time at which it alone would be due. */
        private record Content(Feeder feeder, FeedEvents events, LongFunction<Instant> dataClock, long startNanos) {
            List<SecurityEvent> of(long batch) {
                int size = feeder.batch();
                List<SecurityEvent> content = new ArrayList<>(size);
                for (long number = batch * size; number < (batch + 1) * size; number++) {
                    Instant due = dataClock.apply(startNanos + feeder.rate().nanosOf(number + 1.0));
                    content.add(events.event(number, due.truncatedTo(ChronoUnit.MILLIS)));
                }
                return content;
            }
        }
    }

    /** Opens the feeder's connections. @throws siemload.database.TargetException if the server refuses one */
    static List<EventSink> openSinks(LoadRun run) {
        Feeder feeder = run.plan().scenario().feeder();
        int count = feeder.isOn() ? connections(feeder, run.plan().shard()) : 0;
        return SearchWorkers.openAll(count, run.bench().store()::openSink, EventSink::close);
    }

    /** Returns this process's share of the feeder's connections, at least 1; all processes together have at least the feeder's number. */
    static int connections(Feeder feeder, Shard shard) {
        return Math.max(1, shard.of(feeder.connections()));
    }

    /** Starts to feed over these sinks, one per connection, and closes them at the end. */
    void start(List<EventSink> sinks) {
        probes.start();
        for (int i = 0; i < sinks.size(); i++) {
            int connection = i;
            threads.add(DaemonThread.start("siemload-feeder-" + i, () -> feed(connection, sinks.get(connection))));
        }
    }

    /** Stops after the batches in progress and waits for them, for 30 s at most; then stops the probes. */
    @Override
    public void close() {
        open = false;
        threads.forEach(LockSupport::unpark);
        DaemonThread.awaitEnd(threads, Duration.ofSeconds(30));
        probes.close();
    }

    /** The results of the paging probe. */
    List<PagingTruth> pagination() {
        return PagingTruth.summed(probes.walks);
    }

    private void feed(int connection, EventSink sink) {
        Shard shard = feeding.shard();
        long stride = (long) connections(feeding.feeder(), shard) * shard.count();
        long batch = shard.number(connection);
        Feeding.Content contents = feeding.content();
        try (sink) {
            for (; open && !feeding.clock().isOver(feeding.dueNanos(batch)); batch += stride) {
                long due = feeding.dueNanos(batch);
                long ready = Math.max(due, System.nanoTime());
                // The batch is built before it is due: reading 50 recorded events takes a millisecond.
                List<SecurityEvent> content = contents.of(batch);
                LoadEngine.parkUntil(due, () -> open);
                if (!open) {
                    break;
                }
                long sent = send(batch, content, due, sink);
                long nextDue = feeding.dueNanos(batch + stride);
                feeding.recorder().delayed(due, sent - ready, System.nanoTime() - Math.max(sent, nextDue));
            }
        } finally {
            noteNeverSent(batch, stride);
        }
    }

    /** Records the batches that were never sent: without them, a feeder far behind would seem to be on time. */
    private void noteNeverSent(long firstBatch, long between) {
        long now = System.nanoTime();
        long until = feeding.clock().isOver(now) ? feeding.clock().endNanos() : now;
        long left = Math.max(0, feeding.dueBefore(until) - firstBatch);
        long stride = between * (1 + left / NOTES);
        for (long batch = firstBatch; feeding.dueNanos(batch) - until < 0; batch += stride) {
            feeding.recorder().neverSent(stride / between, feeding.feeder().batch(), feeding.dueNanos(batch), now);
        }
    }

    /** @return when the batch was first sent */
    private long send(long batch, List<SecurityEvent> content, long due, EventSink sink) {
        long sent = System.nanoTime();
        feeding.recorder().sent(content.size(), due, sent);
        feeding.ledger().sent(batch, sent);
        int refusals = 0;
        while (true) {
            try {
                long bytes = sink.write(content);
                long acknowledged = System.nanoTime();
                feeding.recorder().acknowledged(content.size(), bytes, due, sent, acknowledged);
                feeding.ledger().acknowledged(batch, acknowledged);
                probes.acknowledged(batch, acknowledged);
                return sent;
            } catch (SearchException failure) {
                refusals += failure.kind() == SearchException.Kind.CONNECTION ? 0 : 1;
                if (refusals == MOST_REFUSALS || !open || feeding.clock().isOver(System.nanoTime())) {
                    feeding.recorder().givenUp(content.size(), failure);
                    return sent;
                }
                feeding.recorder().retried();
                LockSupport.parkNanos(RETRY_PAUSE_NANOS);
            }
        }
    }

    /**
     * Two probes that run next to the analysts, each with its own connection and thread. The searches of probes do not count in the
     * results. Probes run only with a feeder. Thread-safe.
     *
     * <p>The visibility probe looks for about one fed event a second, from the acknowledgement of the event until a search for its id
     * returns it. The seed determines the batches and events to look for. A batch is skipped while the probe is busy with another, so that
     * nothing waits for the probe.
     *
     * <p>The paging probe turns pages of the newest events again and again, using the ways of paging in turn. After each walk the probe
     * checks whether the pages had every event once. The paging probe is a small part of the load: six pages in 15 seconds.
     */
    static final class Probes implements AutoCloseable {
        private static final Duration PATIENCE = Duration.ofSeconds(2);
        private static final double LOOKED_FOR_A_SECOND = 1;
        private static final long AGAIN_NANOS = Duration.ofMillis(1).toNanos();
        private static final long AFTER_FAILURE_NANOS = Duration.ofMillis(200).toNanos();
        private static final int PAGES = 6;
        private static final int PAGE_SIZE = 100;
        private static final long PAGE_PAUSE_NANOS = Duration.ofSeconds(1).toNanos();
        private static final long WALK_PAUSE_NANOS = Duration.ofSeconds(9).toNanos();

        private final Feeding feeding;
        private final List<SearchSession> sessions;
        private final List<Paging> pagings;
        private final long seed;
        /** The share of batches from which the probe looks for an event; 1 or more means all. */
        private final double ratio;

        private final List<Thread> threads = new ArrayList<>();
        private final SynchronousQueue<Fed> handedOver = new SynchronousQueue<>();
        private final List<PagingTruth> walks = new CopyOnWriteArrayList<>();
        private volatile boolean open = true;

        /**
         * @param sessions one for the visibility probe and one for the paging probe; or only the first, or none
         * @param pagings the ways of paging, used in turn
         */
        Probes(Feeding feeding, List<SearchSession> sessions, List<Paging> pagings, long seed) {
            this.feeding = feeding;
            this.sessions = List.copyOf(sessions);
            this.pagings = List.copyOf(pagings);
            this.seed = seed;
            RunClock clock = feeding.clock();
            double eventsPerSecond = feeding.feeder().rate().mean(0, clock.secondsSinceStart(clock.endNanos()));
            this.ratio = LOOKED_FOR_A_SECOND * feeding.feeder().batch() / eventsPerSecond;
        }

        /**
         * Opens the connections of the probes: none if the probes are switched off or there is no feeder. If other processes feed as well,
         * only the visibility probe has a connection, since this process does not know which events a page must show.
         *
         * @throws siemload.database.TargetException if the server refuses one
         */
        static List<SearchSession> open(LoadRun run) {
            boolean wanted = run.plan().settings().value(Property.PROBES)
                    && run.plan().scenario().feeder().isOn();
            int count = run.plan().shard().isWhole() ? 2 : 1;
            return SearchWorkers.openAll(wanted ? count : 0, run.bench().store()::openSession, SearchSession::close);
        }

        /**
         * Returns the ways of paging to probe. A run that drops a day omits cursors, since an open cursor locks its tables. The drop would
         * wait for the end of the paging, and all sessions would wait for the drop.
         */
        static List<Paging> pagings(RunPlan plan) {
            boolean drops = plan.scenario().retention().isPresent();
            return plan.choice().plugin().abilities().pagings().stream()
                    .filter(way -> !drops || way != Paging.CURSOR)
                    .toList();
        }

        private record Fed(String id, long acknowledgedNanos) {}

        void start() {
            List<Runnable> tasks = List.of(this::lookForEvents, this::turnPages);
            tasks.subList(0, sessions.size()).forEach(task -> threads.add(DaemonThread.start("siemload-probe", task)));
        }

        /** Notes that a batch is stored, and may pass one of its events to the visibility probe; never waits. */
        void acknowledged(long batch, long nanos) {
            SeededRandom random = SeededRandom.of(seed, batch);
            if (random.nextDouble() < ratio) {
                int size = feeding.feeder().batch();
                String id = feeding.events().id(batch * size + random.nextInt(size));
                boolean unused = handedOver.offer(new Fed(id, nanos));
            }
        }

        /** Cancels the searches of the probes and closes the connections. */
        @Override
        public void close() {
            open = false;
            sessions.forEach(SearchSession::cancel);
            threads.forEach(Thread::interrupt);
            DaemonThread.awaitEnd(threads, PATIENCE);
            sessions.forEach(SearchSession::close);
        }

        private void lookForEvents() {
            try {
                while (open) {
                    lookFor(handedOver.take());
                }
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
        }

        private void lookFor(Fed fed) {
            List<Criterion> byId = List.of(CriterionKey.ID.is(fed.id()));
            Page first = new Page.Numbered(1, 1);
            Search search = new Search(SearchName.DETAIL, Window.ALWAYS, byId, Order.NEWEST_FIRST, first);
            while (open) {
                try {
                    if (sessions.get(0).search(search, row -> {}) > 0) {
                        feeding.recorder().seen(fed.acknowledgedNanos(), System.nanoTime());
                        return;
                    }
                    LockSupport.parkNanos(AGAIN_NANOS);
                } catch (SearchException failed) {
                    LockSupport.parkNanos(AFTER_FAILURE_NANOS);
                }
            }
            feeding.recorder().neverSeen(fed.acknowledgedNanos());
        }

        private void turnPages() {
            RunClock clock = feeding.clock();
            for (int walk = 0; open && !clock.isOver(System.nanoTime()); walk++) {
                Paging paging = pagings.get(walk % pagings.size());
                long start = System.nanoTime();
                PagingTruth truth;
                try {
                    truth = walk(sessions.get(1), paging, () -> pause(PAGE_PAUSE_NANOS));
                } catch (SearchException failed) {
                    truth = new PagingTruth(paging.label(), 0, 0, 0, 0, 0, 1);
                }
                // Paging cut short by the end of the run, or begun in the warm-up, does not count.
                if (open && clock.measures(start) && !clock.isOver(System.nanoTime())) {
                    walks.add(truth);
                }
                pause(WALK_PAUSE_NANOS);
            }
        }

        private void pause(long nanos) {
            LoadEngine.parkUntil(System.nanoTime() + nanos, () -> open);
        }

        /** Turns up to {@value #PAGES} pages of the newest events, with this pause before each page except the first. */
        PagingTruth walk(SearchSession session, Paging paging, Runnable betweenPages) {
            long start = System.nanoTime();
            List<List<PageKey>> pages = new ArrayList<>();
            Page page = new Page.Numbered(PAGE_SIZE, 1);
            try (var cursor = paging == Paging.CURSOR ? session.open(search(Window.ALWAYS, page)) : null) {
                while (open) {
                    List<PageKey> keys = new ArrayList<>(PAGE_SIZE);
                    SearchSession.RowReader rows = row -> keys.add(row.key());
                    long count = cursor == null
                            ? session.search(search(Window.ALWAYS, page), rows)
                            : cursor.next(PAGE_SIZE, rows);
                    pages.add(keys);
                    if (pages.size() == PAGES || count < PAGE_SIZE) {
                        break;
                    }
                    page = paging.page(PAGE_SIZE, pages.size() + 1L, () -> keys.get(keys.size() - 1));
                    betweenPages.run();
                }
            }
            List<PageKey> between = new ArrayList<>();
            NavigableSet<PageKey> shown = shown(pages);
            if (!shown.isEmpty()) {
                // The bounds are the oldest and newest row, not the last and first: if events arrive faster than pages
                // are turned, later pages by offset show newer events.
                Instant newest = shown.last().detectTime().plusNanos(1_000);
                Window window = new Window(shown.first().detectTime(), newest);
                session.search(search(window, new Page.Whole()), row -> between.add(row.key()));
            }
            return truth(paging, pages, between, feeding.ledger().idsUnsettledAt(start, feeding.events()));
        }

        private static Search search(Window window, Page page) {
            return new Search(SearchName.MENTAT, window, List.of(), Order.NEWEST_FIRST, page);
        }

        private static NavigableSet<PageKey> shown(List<List<PageKey>> pages) {
            NavigableSet<PageKey> shown = new TreeSet<>(PageKey.OLDEST_FIRST);
            pages.forEach(shown::addAll);
            return shown;
        }

        /**
         * Compares the pages of a walk with the stored events.
         *
         * @param there all events stored now, from the time of the oldest row to that of the newest row
         * @param unsettled ids of events that may have been missing when the first page was read
         */
        static PagingTruth truth(Paging paging, List<List<PageKey>> pages, List<PageKey> there, Set<String> unsettled) {
            NavigableSet<PageKey> shown = shown(pages);
            long rows = pages.stream().mapToInt(List::size).sum();
            long missed = there.stream()
                    .filter(key -> PageKey.OLDEST_FIRST.compare(key, shown.first()) >= 0
                            && PageKey.OLDEST_FIRST.compare(key, shown.last()) <= 0
                            && !shown.contains(key)
                            && !unsettled.contains(key.id()))
                    .map(PageKey::id)
                    .distinct()
                    .count();
            return new PagingTruth(paging.label(), 1, pages.size(), rows, missed, rows - shown.size(), 0);
        }
    }
}
