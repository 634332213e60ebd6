package siemload.load;

import siemload.scenario.Rate;

/**
 * The due times of batches or of users at a rate. A late batch or user does not delay the next one. Immutable.
 *
 * @param startNanos the monotonic clock at the start
 * @param rate of events, or of users
 * @param first how many events or users must be due for the first batch or user
 * @param each how many more must be due for each further batch or user
 */
record Timetable(long startNanos, Rate rate, double first, double each) {
    /** A time so long that it means never, yet differences of instants do not overflow. */
    private static final double LONGEST_NANOS = 1L << 61;

    /** Returns the timetable of arriving users; the first one arrives as soon as the rate is above 0. */
    static Timetable ofArrivals(long startNanos, Rate userRate) {
        return new Timetable(startNanos, userRate, Double.MIN_VALUE, 1);
    }

    /** Returns when the batch or user of this index is due; one with a negative index was due before the start. */
    long dueNanos(long index) {
        return nanos(first + index * each);
    }

    /** Returns how many batches or users are due before this instant. */
    long dueBefore(long nanos) {
        double count = (rate.dueUntil((nanos - startNanos) / 1e9) - first) / each;
        return Math.max(0, (long) Math.ceil(count));
    }

    /** Returns when event {@code number}, counted from 0, is due, even if its batch is due later. */
    long dueNanosOf(long number) {
        return nanos(number + 1.0);
    }

    private long nanos(double count) {
        double nanos = rate.secondsOf(count) * 1e9;
        return startNanos + Math.round(Math.max(-LONGEST_NANOS, Math.min(LONGEST_NANOS, nanos)));
    }
}
