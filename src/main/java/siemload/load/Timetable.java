package siemload.load;

/**
 * When each of a row of equally spaced things is due. Strict: a thing that comes late does not move the next one.
 * Immutable.
 *
 * @param startNanos the monotonic clock at the start
 * @param periodNanos from one thing to the next; need not be a whole number
 */
record Timetable(long startNanos, double periodNanos) {

    /** Batches of events at a rate: the batch is due when its last event is. */
    static Timetable ofBatches(long startNanos, int batch, double eventsPerSecond) {
        return new Timetable(startNanos, batch * 1e9 / eventsPerSecond);
    }

    /** Users who arrive at a rate, the first one at the start. */
    static Timetable ofArrivals(long startNanos, double usersPerSecond) {
        double periodNanos = 1e9 / usersPerSecond;
        return new Timetable(startNanos - Math.round(periodNanos), periodNanos);
    }

    /** When thing {@code index} (0 or more) is due; the first one a period after the start. */
    long dueNanos(long index) {
        return startNanos + Math.round((index + 1) * periodNanos);
    }
}
