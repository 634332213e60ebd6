package siemload.database.server;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;

/**
 * How many rows are asked for at once. A whole result, and a page that is larger than {@link #LARGEST_AT_ONCE}, come in
 * portions: memory does not grow with them, and their first row is at hand long before their last. Smaller pages come in one
 * round trip.
 */
public final class Portions {
    /** Rows of one portion. */
    public static final int ROWS = 1_000;

    /** Rows of the largest page that is received at once: some 10 MB of events. */
    public static final int LARGEST_AT_ONCE = 10_000;

    private Portions() {}

    /** Whether a page of so many rows comes in portions. */
    public static boolean make(int rows) {
        return rows > LARGEST_AT_ONCE;
    }

    /** How many rows to ask for at once of a page that has so many. */
    public static int of(int rows) {
        return make(rows) ? ROWS : rows;
    }

    /**
     * The ids that a store is asked for, cut so that no question has too many of them: each id once, in their order.
     *
     * @param ids as the server stores them
     * @param size ids of a portion at most, 1 or more
     */
    public static List<List<String>> ofIds(Collection<String> ids, int size) {
        List<String> distinct = new ArrayList<>(new LinkedHashSet<>(ids));
        List<List<String>> portions = new ArrayList<>();
        for (int from = 0; from < distinct.size(); from += size) {
            portions.add(distinct.subList(from, Math.min(from + size, distinct.size())));
        }
        return portions;
    }
}
