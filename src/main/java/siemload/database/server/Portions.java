package siemload.database.server;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import siemload.database.Hint;
import siemload.database.SearchSession.ResultCursor;
import siemload.database.SearchSession.RowReader;
import siemload.query.PageClass;
import siemload.query.Search;

/**
 * The number of rows to fetch at once. Whole results, and pages larger than {@link #LARGEST_AT_ONCE}, come in portions, so memory does not
 * grow with the result, and the first row arrives long before the last. Smaller pages come in one round trip.
 */
public final class Portions {
    public static final int ROWS = 1_000;

    /** The number of rows in the largest page that is received at once: some 10 MB of events. */
    public static final int LARGEST_AT_ONCE = 10_000;

    private Portions() {}

    public static boolean make(int rows) {
        return rows > LARGEST_AT_ONCE;
    }

    /** Returns how many rows to fetch at once for a page of this size. */
    public static int of(int rows) {
        return make(rows) ? ROWS : rows;
    }

    /**
     * Divides ids among queries so that no query has too many ids: each id appears once, and the order is kept.
     *
     * @param ids as the server stores them
     * @param size the largest number of ids in a portion, 1 or more
     */
    public static List<List<String>> ofIds(Collection<String> ids, int size) {
        List<String> distinct = new ArrayList<>(new LinkedHashSet<>(ids));
        List<List<String>> portions = new ArrayList<>();
        for (int from = 0; from < distinct.size(); from += size) {
            portions.add(distinct.subList(from, Math.min(from + size, distinct.size())));
        }
        return portions;
    }

    /** Returns whether a search can find at most one row, and its page holds it: then the server answers sooner with a simpler plan. */
    public static boolean isSingle(Search search) {
        return !Hint.concerns(search) && search.page().pageClass() != PageClass.DEEPER;
    }

    /**
     * The open cursor of a session, at most one. The cursor closes itself when a page fails, and refuses pages afterwards. Not thread-safe,
     * like sessions.
     */
    public static final class PageCursor {
        private @Nullable ResultCursor open;

        /** Opens a cursor after closing the previous cursor; on some servers a later close would also end the new cursor. */
        public ResultCursor open(Supplier<ResultCursor> opening) {
            close();
            ResultCursor result = opening.get();
            ResultCursor opened = new ResultCursor() {
                private boolean closed;

                @Override
                public long next(int size, RowReader rows) {
                    if (closed) {
                        throw new IllegalStateException(
                                "the cursor is closed, since its session made another call or a page failed");
                    }
                    try {
                        return result.next(size, rows);
                    } catch (RuntimeException e) {
                        close();
                        throw e;
                    }
                }

                @Override
                public void close() {
                    if (!closed) {
                        closed = true;
                        result.close();
                    }
                }
            };
            open = opened;
            return opened;
        }

        /** Returns whether the session has a cursor, even one that its user has closed. */
        public boolean isThere() {
            return open != null;
        }

        public void close() {
            ResultCursor last = open;
            open = null;
            if (last != null) {
                last.close();
            }
        }
    }
}
