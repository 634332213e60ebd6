package siemload.run.procedure;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import siemload.database.Plan;
import siemload.database.SearchSession;
import siemload.database.SearchSession.ResultCursor;
import siemload.query.Page;
import siemload.query.PageKey;
import siemload.query.Paging;
import siemload.query.Search;

/**
 * Turns the pages of one search in the run's way of paging. By offset any page can be asked for. By key a page needs the
 * last row of the one before it, and by cursor all pages before it must have been read: what it takes to get there is not
 * measured. Used by one thread.
 */
final class PageTurner {
    private final Search search;
    private final Paging paging;
    private final int size;
    private final long pages;
    private final long rows;
    private final Map<Long, PageKey> keysBefore = new HashMap<>();

    /**
     * Gets ready to turn pages.
     *
     * @param size rows a page, 1 or more
     * @param rows how many the whole result has
     */
    PageTurner(Search search, Paging paging, int size, long rows) {
        this.search = search;
        this.paging = paging;
        this.size = size;
        this.pages = Paging.pages(size, rows);
        this.rows = rows;
    }

    /** How many pages there are, 1 or more: an empty result has an empty page. */
    long pages() {
        return pages;
    }

    /** What takes a page that was read. */
    @FunctionalInterface
    interface PageListener {
        /** Takes it; the number is 1 for the first page. */
        void read(long number, TimedSearch page);
    }

    /** Finds out what pages by key start after, by reading the result once; not needed for the first and the last page. */
    void locate(List<Long> numbers, SearchSession session) {
        if (paging != Paging.KEYSET || numbers.stream().allMatch(number -> number == 1)) {
            return;
        }
        long[] row = {0};
        session.search(search.with(new Page.Whole()), read -> {
            row[0]++;
            long next = row[0] / size + 1;
            if (row[0] % size == 0 && numbers.contains(next)) {
                keysBefore.put(next, read.key());
            }
        });
    }

    /**
     * Reads a page.
     *
     * @param number 1 to {@link #pages}; by key one that was located
     */
    TimedSearch read(long number, SearchSession session) {
        return switch (paging) {
            case OFFSET, KEYSET -> remembered(number, TimedSearch.read(page(number), session));
            case CURSOR -> {
                try (Opened cursor = new Opened(search, session)) {
                    for (long before = 1; before < number; before++) {
                        cursor.next(size);
                    }
                    yield cursor.next(size);
                }
            }
        };
    }

    /** An open result; opening it counts to its first page. */
    private static final class Opened implements AutoCloseable {
        private final Search search;
        private final SearchSession session;
        private Optional<ResultCursor> cursor = Optional.empty();

        Opened(Search search, SearchSession session) {
            this.search = search;
            this.session = session;
        }

        TimedSearch next(int rows) {
            return TimedSearch.read(search, reader -> {
                ResultCursor open = cursor.orElseGet(() -> session.open(search));
                cursor = Optional.of(open);
                open.next(rows, reader);
            });
        }

        @Override
        public void close() {
            cursor.ifPresent(ResultCursor::close);
        }
    }

    /** The last page alone: by key and by cursor from the far end. */
    TimedSearch readLast(SearchSession session) {
        return TimedSearch.read(search.with(paging.lastPage(size, rows)), session);
    }

    /** All pages from the first to the last. */
    void walk(SearchSession session, PageListener listener) {
        if (paging == Paging.CURSOR) {
            walkByCursor(search, size, 1, 1, session, listener);
        } else {
            for (long number = 1; number <= pages; number++) {
                listener.read(number, read(number, session));
            }
        }
    }

    /**
     * All pages from the last to the first. By key and by cursor these are the pages of the result in the other order, the
     * first of which has as many rows as the last page has.
     */
    void walkBack(SearchSession session, PageListener listener) {
        int rowsOfLast = (int) Math.max(1, rows - (pages - 1) * size);
        switch (paging) {
            case OFFSET -> {
                for (long number = pages; number >= 1; number--) {
                    listener.read(number, read(number, session));
                }
            }
            case KEYSET -> {
                Page page = new Page.Numbered(rowsOfLast, 1);
                for (long number = pages; number >= 1; number--) {
                    TimedSearch read = TimedSearch.read(reversed().with(page), session);
                    listener.read(number, read);
                    page = read.lastKey()
                            .<Page>map(key -> new Page.After(size, key))
                            .orElse(page);
                }
            }
            case CURSOR -> walkByCursor(reversed(), rowsOfLast, pages, -1, session, listener);
        }
    }

    private void walkByCursor(
            Search ordered, int firstSize, long first, int step, SearchSession session, PageListener listener) {
        try (Opened cursor = new Opened(ordered, session)) {
            for (long number = first; number >= 1 && number <= pages; number += step) {
                listener.read(number, cursor.next(number == first ? firstSize : size));
            }
        }
    }

    private TimedSearch remembered(long number, TimedSearch page) {
        page.lastKey().filter(last -> page.rows() == size).ifPresent(last -> keysBefore.put(number + 1, last));
        return page;
    }

    /** One whose key is unknown would be the first again. */
    private Search page(long number) {
        boolean known = paging != Paging.KEYSET || keysBefore.containsKey(number);
        return search.with(paging.page(
                size,
                known ? number : 1,
                () -> Optional.ofNullable(keysBefore.get(number)).orElseThrow()));
    }

    /** How the server goes about a page that can be asked for by itself; a cursor's cannot, nor one whose key is unknown. */
    Optional<Plan> plan(long number, SearchSession session) {
        boolean alone = switch (paging) {
            case OFFSET -> true;
            case KEYSET -> number == 1 || keysBefore.containsKey(number);
            case CURSOR -> false;
        };
        return alone ? Optional.of(session.explain(page(number))) : Optional.empty();
    }

    private Search reversed() {
        return search.with(search.order().reversed());
    }
}
