package siemload.run.answers;

import java.time.Duration;
import java.util.Optional;
import siemload.database.Store.DayRemoval;
import siemload.query.Window;
import siemload.run.answers.SampledAnswer.Visibility;

/**
 * The day whose events were removed during a run, all at once and somewhen between two instants. Instants are those of {@link
 * System#nanoTime}. Immutable.
 *
 * @param startNanos when the server was told to
 * @param endNanos when it had done so; far away where nobody knows
 * @param removed how; empty where it failed, or nobody knows
 * @param failure why it failed; empty where it did not
 */
public record DroppedDay(
        Window day, long startNanos, long endNanos, Optional<DayRemoval.Removed> removed, String failure) {
    /** 146 years: beyond any run, and still told from the instants of one by a difference. */
    static final long FAR = Long.MAX_VALUE / 2;

    /** One of which nobody knows that it is gone. */
    public static DroppedDay failed(Window day, long startNanos, String why) {
        return new DroppedDay(day, startNanos, startNanos + FAR, Optional.empty(), why);
    }

    /** How long it took, locks included; no time where nobody knows. */
    public Duration took() {
        return removed.isEmpty() ? Duration.ZERO : Duration.ofNanos(endNanos - startNanos);
    }

    /** How an answer has the events of the data set that are of this day. */
    Visibility visibilityTo(SampledAnswer answer) {
        return switch (answer.sees(startNanos, endNanos)) {
            case NEVER -> Visibility.MUST;
            case MAY -> Visibility.MAY;
            case MUST -> Visibility.NEVER;
        };
    }
}
