package siemload.database;

/**
 * Where the times of statements in a {@link CounterReading} come from, for people. Immutable.
 *
 * @param view the server's own name of what it counts them in; empty where it does not tell
 * @param covers what is in these times and what is not; empty where it does not tell
 * @param untold why the server does not tell; empty where it does
 */
public record StatementSource(String view, String covers, String untold) {

    /** A server that tells. */
    public static StatementSource of(String view, String covers) {
        return new StatementSource(view, covers, "");
    }

    /** A server that does not tell, and why, for people. */
    public static StatementSource none(String why) {
        return new StatementSource("", "", why);
    }
}
