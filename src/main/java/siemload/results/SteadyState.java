package siemload.results;

/**
 * Whether the measured phase was steady: whether neither the rate of searches nor their response time changed in it.
 * Immutable.
 *
 * @param tested whether there were enough seconds to tell
 * @param fromSecond where the longest part without a change begins that lasts until the end of the phase: 0 if all of it is
 *     steady, -1 if not even its second half is
 * @param searches the searches a second over the whole phase
 * @param responseTime the median response time over the whole phase
 */
public record SteadyState(boolean tested, double fromSecond, Figure searches, Figure responseTime) {
    /** The phase was too short to tell, or its table cannot be read. */
    public static final SteadyState UNTESTED =
            new SteadyState(false, 0, new Figure(Change.NONE, Change.NONE), new Figure(Change.NONE, Change.NONE));

    /**
     * How a figure changed.
     *
     * @param trend from the first third of the phase to its last, by the line through all of it
     * @param beginning the first tenth of the phase against the others
     */
    public record Figure(Change trend, Change beginning) {
        /** Whether a change was found. */
        public boolean changed() {
            return trend.found() || beginning.found();
        }
    }

    /** Whether a change was found. */
    public boolean changed() {
        return tested && fromSecond != 0;
    }
}
