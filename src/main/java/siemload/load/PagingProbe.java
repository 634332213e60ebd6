package siemload.load;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongFunction;
import java.util.function.Predicate;
import siemload.database.ResultCursor;
import siemload.database.RowReader;
import siemload.database.SearchException;
import siemload.database.SearchSession;
import siemload.measure.PagingRecorder;
import siemload.measure.RunClock;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.PageKey;
import siemload.query.Paging;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.query.Window;
import siemload.results.PagingTruth;
import siemload.scenario.Retention;

/**
 * An analyst who watches the newest events and turns some pages, over and over, each time by another way of paging; and
 * who looks afterwards whether the pages held every event once. Slow enough to be a small part of the load: six pages in
 * a quarter of a minute.
 */
final class PagingProbe implements Runnable {
    private static final int PAGES = 6;
    private static final int PAGE_SIZE = 100;
    private static final long PAGE_PAUSE_NANOS = Duration.ofSeconds(1).toNanos();
    private static final long WALK_PAUSE_NANOS = Duration.ofSeconds(9).toNanos();

    private final SearchSession session;
    private final List<Paging> ways;
    private final LongFunction<Predicate<String>> storedAt;
    private final RunClock clock;
    private final PagingRecorder recorder;
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
            PagingRecorder recorder) {
        this.session = session;
        this.ways = List.copyOf(ways);
        this.storedAt = storedAt;
        this.clock = clock;
        this.recorder = recorder;
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
                note(paging, start, walk(paging, () -> pause(PAGE_PAUSE_NANOS)));
            } catch (SearchException failed) {
                note(paging, start, new PagingTruth(paging.label(), 0, 0, 0, 0, 0, 1));
            } catch (RuntimeException bug) {
                note(paging, start, new PagingTruth(paging.label(), 0, 0, 0, 0, 0, 1));
                throw bug;
            }
            pause(WALK_PAUSE_NANOS);
        }
    }

    /** A walk that the end of the run cut short, or that began in the warm-up, does not count. */
    private void note(Paging paging, long start, PagingTruth truth) {
        if (open && clock.measures(start) && !clock.isOver(System.nanoTime())) {
            recorder.add(paging, truth);
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
            turnPages(walk, paging, betweenPages, (page, rows) -> session.search(search(Window.ALWAYS, page), rows));
        }
        List<PageKey> between = new ArrayList<>();
        walk.window()
                .ifPresent(window -> session.search(search(window, new Page.Whole()), row -> between.add(row.key())));
        return walk.truth(between, storedAt.apply(start));
    }

    /** What reads a page. */
    @FunctionalInterface
    private interface PageReader {
        void read(Page page, RowReader rows);
    }

    private void turnPages(PagingWalk walk, Paging paging, Runnable betweenPages, PageReader reader) {
        Page page = new Page.Numbered(PAGE_SIZE, 1);
        for (int number = 1; open; number++) {
            List<PageKey> keys = new ArrayList<>(PAGE_SIZE);
            reader.read(page, row -> keys.add(row.key()));
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
}
