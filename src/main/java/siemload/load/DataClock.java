package siemload.load;

import java.time.Instant;

/**
 * What time it is in the data: the data set's end when the run starts, and moving on with the run. The feeder's events
 * and the analysts' windows follow it, so that a data set of 2016 is searched as if it were being recorded now.
 * Immutable.
 *
 * @param startNanos the monotonic clock at the start of the run
 * @param dataUntil the first instant after the data set
 */
record DataClock(long startNanos, Instant dataUntil) {

    /** The time in the data at an instant of the monotonic clock. */
    Instant at(long nanos) {
        return dataUntil.plusNanos(nanos - startNanos);
    }
}
