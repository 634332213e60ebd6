package siemload.dataset;

import java.time.Duration;

/**
 * How a recording is repeated. Immutable.
 *
 * @param amplify how often, 1 or more; 1 leaves the events as they are
 */
public record RecordingOptions(int amplify) {

    /** As it was recorded. */
    public static final RecordingOptions PLAIN = new RecordingOptions(1);

    /** The time over which copies are laid out. */
    static final Duration SPAN = Duration.ofDays(7);

    public RecordingOptions {
        if (amplify < 1) {
            throw new IllegalArgumentException("amplify must be 1 or more, was " + amplify);
        }
    }
}
