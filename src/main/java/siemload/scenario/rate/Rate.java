package siemload.scenario.rate;

/**
 * How fast things happen, as a pure function of time: what is due at an instant depends on that instant alone, never on
 * what happened before. Time is in seconds from the start of the warm-up, negative before it. {@code toString} is how the
 * rate is written in a scenario file. Immutable and thread-safe.
 */
public sealed interface Rate permits ConstantRate, SegmentRate, CapturedRate {

    /**
     * How many things are due from the start until this instant; it never falls. Before the start, minus the number of those
     * that would have been due from then on.
     */
    double dueUntil(double seconds);

    /**
     * The first instant by which this many things are due; the inverse of {@link #dueUntil}.
     *
     * @param count need not be a whole number, and is negative for things before the start
     * @return infinite where that many never are
     */
    double secondsOf(double count);

    /** How many things a second are due on average between two instants, of which the second is the later one. */
    default double mean(double fromSeconds, double untilSeconds) {
        return (dueUntil(untilSeconds) - dueUntil(fromSeconds)) / (untilSeconds - fromSeconds);
    }

    /** Whether nothing ever happens. */
    default boolean isNone() {
        return equals(ConstantRate.NONE);
    }
}
