package siemload.dataset;

import java.time.Duration;

/**
 * How a recording is repeated. Immutable.
 *
 * @param amplify how often, 1 or more; 1 leaves the events as they are
 * @param span the time over which the copies are laid out, if there are more than one
 */
public record RecordingOptions(int amplify, Duration span) {

    /** As it was recorded. */
    public static final RecordingOptions PLAIN = new RecordingOptions(1, Duration.ofDays(7));

    public RecordingOptions {
        if (amplify < 1) {
            throw new IllegalArgumentException("amplify must be 1 or more, was " + amplify);
        }
        if (span.isNegative() || span.isZero()) {
            throw new IllegalArgumentException("span must be above 0, was " + span);
        }
    }
}
