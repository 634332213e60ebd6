package siemload.database.server;

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
}
