package siemload.database.scripted;

import java.time.Duration;

/**
 * When the rows of one answer come: evenly between the first and the last. Instants are of a monotonic clock. Immutable.
 *
 * @param rows 1 or more
 */
public record AnswerSchedule(long firstRowNanos, long lastRowNanos, int rows) {

    /** One row after this time. */
    static AnswerSchedule of(long calledNanos, Duration time) {
        return of(calledNanos, time.toNanos());
    }

    /** One row after this time. */
    static AnswerSchedule of(long calledNanos, long nanos) {
        return new AnswerSchedule(calledNanos + nanos, calledNanos + nanos, 1);
    }

    /** When a row comes; 0 is the first. */
    long rowNanos(int row) {
        return rows == 1 ? firstRowNanos : firstRowNanos + (lastRowNanos - firstRowNanos) * row / (rows - 1);
    }
}
