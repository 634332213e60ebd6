package siemload.measure;

import org.HdrHistogram.Histogram;

/**
 * What a {@link FeederRecorder} has taken since an instant, for another one to add; exact, as {@link RecordedSearches} are.
 *
 * @param lateness of batches of the measured phase, in microseconds
 * @param acknowledge how long their acknowledgements took
 * @param lastFailure the server's words about the last batch that was given up; empty where none was
 */
public record RecordedFeeder(Counts counts, Histogram lateness, Histogram acknowledge, String lastFailure) {

    /**
     * What was counted, of the whole run.
     *
     * @param measured of the measured phase alone
     */
    public record Counts(
            long sent,
            long acknowledged,
            long givenUp,
            long attempts,
            long failedAttempts,
            long retries,
            long delayedByItselfNanos,
            long delayedByAnswersNanos,
            Measured measured) {
        /** Nothing. */
        static final Counts NONE = new Counts(0, 0, 0, 0, 0, 0, 0, 0, new Measured(0, 0, 0, 0, 0));

        Counts plus(Counts more) {
            return new Counts(
                    sent + more.sent,
                    acknowledged + more.acknowledged,
                    givenUp + more.givenUp,
                    attempts + more.attempts,
                    failedAttempts + more.failedAttempts,
                    retries + more.retries,
                    delayedByItselfNanos + more.delayedByItselfNanos,
                    delayedByAnswersNanos + more.delayedByAnswersNanos,
                    new Measured(
                            measured.batches + more.measured.batches,
                            measured.events + more.measured.events,
                            measured.bytes + more.measured.bytes,
                            measured.dueEvents + more.measured.dueEvents,
                            measured.reachedEvents + more.measured.reachedEvents));
        }

        Counts since(Counts earlier) {
            return new Counts(
                    sent - earlier.sent,
                    acknowledged - earlier.acknowledged,
                    givenUp - earlier.givenUp,
                    attempts - earlier.attempts,
                    failedAttempts - earlier.failedAttempts,
                    retries - earlier.retries,
                    delayedByItselfNanos - earlier.delayedByItselfNanos,
                    delayedByAnswersNanos - earlier.delayedByAnswersNanos,
                    new Measured(
                            measured.batches - earlier.measured.batches,
                            measured.events - earlier.measured.events,
                            measured.bytes - earlier.measured.bytes,
                            measured.dueEvents - earlier.measured.dueEvents,
                            measured.reachedEvents - earlier.measured.reachedEvents));
        }
    }

    /**
     * What was acknowledged in the measured phase.
     *
     * @param dueEvents of the batches that were due in it
     * @param reachedEvents those of them that were acknowledged
     */
    public record Measured(long batches, long events, long bytes, long dueEvents, long reachedEvents) {}
}
