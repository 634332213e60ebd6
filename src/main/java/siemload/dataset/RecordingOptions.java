package siemload.dataset;

import java.time.Duration;

/**
 * How a recording is used. Immutable.
 *
 * @param amplify how often it is repeated, 1 or more; 1 leaves the events as they are
 * @param span the time over which the copies are laid out, if there are more than one
 * @param badLines what happens with a line that is no event
 */
public record RecordingOptions(int amplify, Duration span, BadLines badLines) {

    /** As it was recorded; bad lines are reported and skipped. */
    public static final RecordingOptions PLAIN = new RecordingOptions(1, Duration.ofDays(7), BadLines.SKIP);

    /** What happens with lines that are no events. */
    public enum BadLines {
        /** They are counted, the first of them are reported, and the rest of the file is read. */
        SKIP,
        /** The first of them ends the reading. */
        REFUSE
    }

    public RecordingOptions {
        if (amplify < 1) {
            throw new IllegalArgumentException("amplify must be 1 or more, was " + amplify);
        }
        if (span.isNegative() || span.isZero()) {
            throw new IllegalArgumentException("span must be above 0, was " + span);
        }
    }
}
