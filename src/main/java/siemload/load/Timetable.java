package siemload.load;

import siemload.scenario.Rate;

/**
 * The due times of batches or of users at a rate. A late batch or user does not move the next one. Immutable.
 *
 * @param startNanos the monotonic clock at the start
 * @param rate of events, or of users
 * @param first how many events or users must be due for the first batch or user
 * @param each how many more must be due for each further batch or user
 */
record Timetable(long startNanos, Rate rate, double first, double each) {
    /** A time so long that it means never, yet differences of instants do not overflow. */
    private static final double LONGEST_NANOS = 1L << 61;

    /** Batches of events: a batch is due when its last event is. */
    static Timetable ofBatches(long startNanos, int batch, Rate eventRate) {
        return new Timetable(startNanos, eventRate, batch, batch);
    }

    /** Users who arrive, the first one as soon as a user is due. */
    static Timetable ofArrivals(long startNanos, Rate userRate) {
        return new Timetable(startNanos, userRate, Double.MIN_VALUE, 1);
    }

    /** When the batch or user of this index is due; those with a negative index were due before the start. */
    long dueNanos(long index) {
        return nanos(first + index * each);
    }

    /** How many batches or users are due before this instant. */
    long dueBefore(long nanos) {
        double count = (rate.dueUntil((nanos - startNanos) / 1e9) - first) / each;
        return Math.max(0, (long) Math.ceil(count));
    }

    /** When event {@code number}, counted from 0, is due, whatever its batch. */
    long dueNanosOf(long number) {
        return nanos(number + 1.0);
    }

    private long nanos(double count) {
        double nanos = rate.secondsOf(count) * 1e9;
        return startNanos + Math.round(Math.max(-LONGEST_NANOS, Math.min(LONGEST_NANOS, nanos)));
    }
}
