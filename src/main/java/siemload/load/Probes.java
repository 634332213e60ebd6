package siemload.load;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import siemload.config.DaemonThread;
import siemload.config.Property;
import siemload.database.SearchException;
import siemload.database.SearchSession;
import siemload.database.SearchSession.ResultCursor;
import siemload.database.SearchSession.RowReader;
import siemload.dataset.FeedEvents;
import siemload.dataset.SeededRandom;
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
import siemload.run.RunPlan;
import siemload.run.answers.FeedLedger;
import siemload.scenario.Scenario.Feeder;

/**
 * Two probes beside the analysts, each with a connection and a thread of its own; their searches are not among the results. Without a
 * feeder there is nothing for them to do. Thread-safe.
 *
 * <p>One looks for about one fed event a second, from its acknowledgement until a search by its id returns it. Batches and events are
 * chosen by the seed; a batch is skipped while another is looked for, so that nothing waits for the probe.
 *
 * <p>The other one turns pages of the newest events, over and over, each time by another way of paging, and checks afterwards whether the
 * pages had every event once. It is a small part of the load: six pages in 15 seconds.
 */
final class Probes implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(2);
    private static final double LOOKED_FOR_A_SECOND = 1;
    private static final long AGAIN_NANOS = Duration.ofMillis(1).toNanos();
    private static final long AFTER_FAILURE_NANOS = Duration.ofMillis(200).toNanos();
    private static final int PAGES = 6;
    private static final int PAGE_SIZE = 100;
    private static final long PAGE_PAUSE_NANOS = Duration.ofSeconds(1).toNanos();
    private static final long WALK_PAUSE_NANOS = Duration.ofSeconds(9).toNanos();

    private final List<SearchSession> sessions;
    private final List<Paging> pagings;
    private final int batchSize;
    /** The share of batches of which an event is looked for; 1 or more means all. */
    private final double ratio;

    private final FeedEvents events;
    private final FeedLedger ledger;
    private final long seed;
    private final RunClock clock;
    private final List<Thread> threads = new ArrayList<>();
    private final SynchronousQueue<Fed> handedOver = new SynchronousQueue<>();
    private final FeederRecorder recorder;
    private final List<PagingTruth> walks = new CopyOnWriteArrayList<>();
    private volatile boolean open = true;

    /**
     * Probes before their start.
     *
     * @param sessions of the visibility probe and of the paging probe; or of the first one, or none
     * @param pagings the ways of paging, used in turn
     */
    Probes(
            List<SearchSession> sessions,
            List<Paging> pagings,
            Feeder feeder,
            FeedEvents events,
            FeedLedger ledger,
            FeederRecorder recorder,
            long seed,
            RunClock clock) {
        this.sessions = List.copyOf(sessions);
        this.pagings = List.copyOf(pagings);
        this.batchSize = feeder.batch();
        double eventsPerSecond = feeder.rate().mean(0, clock.secondsSinceStart(clock.endNanos()));
        this.ratio = LOOKED_FOR_A_SECOND * batchSize / eventsPerSecond;
        this.events = events;
        this.ledger = ledger;
        this.seed = seed;
        this.clock = clock;
        this.recorder = recorder;
    }

    /** An open cursor keeps its tables locked: a day could be dropped only after the walk, and everybody would wait for it. */
    static List<Paging> pagings(RunPlan plan) {
        boolean drops = plan.scenario().retention().isPresent();
        return plan.choice().plugin().abilities().pagings().stream()
                .filter(way -> !drops || way != Paging.CURSOR)
                .toList();
    }

    /**
     * Opens their connections: none if they are switched off, and one if other processes feed as well, so that the contents of a page are
     * not known here.
     *
     * @throws siemload.database.TargetException if the server refuses one
     */
    static List<SearchSession> open(LoadRun run) {
        boolean wanted = run.plan().settings().value(Property.PROBES)
                && run.plan().scenario().feeder().isOn();
        int count = run.plan().shard().isWhole() ? 2 : 1;
        return SearchWorkers.openAll(wanted ? count : 0, run.bench().store()::openSession, SearchSession::close);
    }

    private record Fed(String id, long acknowledgedNanos) {}

    void start() {
        List<Runnable> tasks = List.of(this::lookForEvents, this::turnPages);
        for (int i = 0; i < sessions.size(); i++) {
            threads.add(DaemonThread.start("siemload-probe-" + i, tasks.get(i)));
        }
    }

    /** Notes that a batch is stored, and may pass one of its events to the visibility probe; never waits. */
    void acknowledged(long batch, long nanos) {
        SeededRandom random = SeededRandom.of(seed, batch);
        if (random.nextDouble() < ratio) {
            String id = events.id(batch * batchSize + random.nextInt(batchSize));
            boolean unused = handedOver.offer(new Fed(id, nanos));
        }
    }

    List<PagingTruth> pagination() {
        return PagingTruth.summed(walks);
    }

    /** Cancels their searches and closes the connections. */
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
        Search search = new Search(SearchName.DETAIL, Window.ALWAYS, byId, Order.NEWEST_FIRST, new Page.Numbered(1, 1));
        while (open) {
            try {
                if (sessions.get(0).search(search, row -> {}) > 0) {
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

    private void turnPages() {
        for (int walk = 0; open && !clock.isOver(System.nanoTime()); walk++) {
            Paging paging = pagings.get(walk % pagings.size());
            long start = System.nanoTime();
            PagingTruth truth;
            try {
                truth = walk(sessions.get(1), paging, () -> pause(PAGE_PAUSE_NANOS));
            } catch (SearchException failed) {
                truth = new PagingTruth(paging.label(), 0, 0, 0, 0, 0, 1);
            }
            // A walk cut short by the end of the run, or begun in the warm-up, does not count.
            if (open && clock.measures(start) && !clock.isOver(System.nanoTime())) {
                walks.add(truth);
            }
            pause(WALK_PAUSE_NANOS);
        }
    }

    private void pause(long nanos) {
        DueSteps.parkUntil(System.nanoTime() + nanos, () -> open);
    }

    /**
     * One walk, to the last page or the end of the events.
     *
     * @param betweenPages the pause before each page but the first
     */
    PagingTruth walk(SearchSession session, Paging paging, Runnable betweenPages) {
        long start = System.nanoTime();
        List<List<PageKey>> pages;
        if (paging == Paging.CURSOR) {
            try (ResultCursor cursor = session.open(search(Window.ALWAYS, new Page.Numbered(PAGE_SIZE, 1)))) {
                pages = pages(paging, betweenPages, (page, rows) -> cursor.next(PAGE_SIZE, rows));
            }
        } else {
            pages = pages(paging, betweenPages, (page, rows) -> session.search(search(Window.ALWAYS, page), rows));
        }
        List<PageKey> between = new ArrayList<>();
        NavigableSet<PageKey> shown = shown(pages);
        if (!shown.isEmpty()) {
            // These need not be the last and the first row: if more events arrive than pages are turned, pages by
            // offset move forward in
            // time.
            Window window = new Window(
                    shown.first().detectTime(), shown.last().detectTime().plusNanos(1_000));
            session.search(search(window, new Page.Whole()), row -> between.add(row.key()));
        }
        return truth(paging, pages, between, ledger.idsUnsettledAt(start, events));
    }

    private List<List<PageKey>> pages(Paging paging, Runnable betweenPages, BiConsumer<Page, RowReader> reader) {
        List<List<PageKey>> pages = new ArrayList<>();
        Page page = new Page.Numbered(PAGE_SIZE, 1);
        for (int number = 1; open; number++) {
            List<PageKey> keys = new ArrayList<>(PAGE_SIZE);
            reader.accept(page, row -> keys.add(row.key()));
            pages.add(keys);
            if (number == PAGES || keys.size() < PAGE_SIZE) {
                break;
            }
            page = paging.page(PAGE_SIZE, number + 1L, () -> keys.get(keys.size() - 1));
            betweenPages.run();
        }
        return pages;
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
     * @param there all events from the time of the oldest to that of the newest row, as stored now
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
