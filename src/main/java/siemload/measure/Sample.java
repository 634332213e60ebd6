package siemload.measure;

import siemload.results.Outcome;

/**
 * One finished search. All instants are nanoseconds of one monotonic clock ({@link System#nanoTime}). Immutable.
 *
 * @param intendedStart when the user was due to press Search
 * @param handedOver when the load generator had got round to it: from then on the user waited for others
 * @param taken when a worker took it
 * @param firstEvent when the first row was at hand; equal to {@code end} where there was none
 * @param end when the last row was read, or the search failed
 * @param rows the rows read
 * @param bytes the bytes of the events read, without the wire protocol's own
 * @param outcome how it ended
 * @param code the SQLSTATE or vendor code of a failure; empty otherwise
 */
public record Sample(
        long intendedStart,
        long handedOver,
        long taken,
        long firstEvent,
        long end,
        long rows,
        long bytes,
        Outcome outcome,
        String code) {

    /** From the intended start to the last row, in nanoseconds. */
    public long responseNanos() {
        return end - intendedStart;
    }
}
