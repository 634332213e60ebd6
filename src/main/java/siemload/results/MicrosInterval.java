package siemload.results;

/**
 * Where a percentile may lie, of which a run has seen one outcome: its 95 % interval, in microseconds. Immutable.
 *
 * @param low 0 where there are too few times for a lower end
 * @param high -1 where there are too few times for an upper end
 */
public record MicrosInterval(long low, long high) {
    /** No upper end. */
    public static final long OPEN = -1;

    /** Whether it is not known how high the percentile may be. */
    public boolean hasNoHighEnd() {
        return high == OPEN;
    }
}
