package siemload.query;

import java.util.Locale;

/**
 * How large a share of all events a search finds, after the four kinds of searches in Splunk's Capacity Planning Manual. It gives
 * shares of the first two; a super-sparse search finds "a small number", and a rare one is skipped by most of an index: here these are
 * fewer than a sparse one, and a single event. No event is in two classes; what finds more than 1 and less than 10 % is in none.
 */
public enum MatchClass {
    DENSE("10 % of the events or more"),
    SPARSE("0.01 to 1 % of the events"),
    SUPER_SPARSE("more than one event, but less than 0.01 % of them"),
    RARE("one event");

    private final String words;

    MatchClass(String words) {
        this.words = words;
    }

    /** Whether a search that finds so many of all events is of this class. */
    public boolean holds(long matching, long events) {
        return switch (this) {
            case DENSE -> matching > 1 && matching * 10 >= events;
            case SPARSE -> matching > 1 && matching * 10_000 >= events && matching * 100 <= events;
            case SUPER_SPARSE -> matching > 1 && matching * 10_000 < events;
            case RARE -> matching == 1;
        };
    }

    /** How many events such a search finds, for people. */
    public String words() {
        return words;
    }

    /** The name in results: {@code super-sparse}. */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
