package siemload.run.answers;

import siemload.query.Window;
import siemload.run.answers.SampledAnswer.Visibility;

/**
 * The day whose events were removed during a run, all at once and somewhen between two instants. Instants are those of {@link
 * System#nanoTime}. Immutable.
 *
 * @param startNanos when the server was told to
 * @param endNanos when it had done so; far away where nobody knows
 */
public record DroppedDay(Window day, long startNanos, long endNanos) {
    /** 146 years: beyond any run, and still told from the instants of one by a difference. */
    private static final long FAR = Long.MAX_VALUE / 2;

    /** One that nobody knows to be gone. */
    public static DroppedDay unknown(Window day, long startNanos) {
        return new DroppedDay(day, startNanos, startNanos + FAR);
    }

    /** How an answer has the events of the data set that are of this day. */
    Visibility visibilityTo(SampledAnswer answer) {
        if (startNanos - answer.endNanos() >= 0) {
            return Visibility.STORED;
        }
        return endNanos - answer.seenFromNanos() < 0 ? Visibility.NEVER : Visibility.LEAVING;
    }
}
