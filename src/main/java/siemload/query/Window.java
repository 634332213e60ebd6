package siemload.query;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** The window of detect times of a search: from {@code from} (included) until {@code until} (excluded), not earlier. Immutable. */
public record Window(Instant from, Instant until) {

    /** No bound on the detect time. */
    public static final Window ALWAYS = new Window(Instant.MIN, Instant.MAX);

    public Window {
        if (until.isBefore(from)) {
            throw new IllegalArgumentException("a window must not end before it starts: " + from + " to " + until);
        }
    }

    /** The window of this length that ends (excluded) at {@code until}. */
    public static Window last(Duration length, Instant until) {
        return new Window(until.minus(length), until);
    }

    /** Returns whether this is {@link #ALWAYS}, for which targets omit the condition on the detect time. */
    public boolean isAlways() {
        return equals(ALWAYS);
    }

    /** The window in words. */
    String words() {
        return isAlways() ? "at any time" : "from " + from + " until " + until;
    }

    /** The start for summaries: {@link #from} in whole microseconds, the unit of all times in results. */
    public Instant start() {
        return isAlways() ? from : from.truncatedTo(ChronoUnit.MICROS);
    }

    /** Returns whether the detect time lies inside the window. */
    public boolean contains(Instant detectTime) {
        return !detectTime.isBefore(from) && detectTime.isBefore(until);
    }
}
