package siemload.run.answers;

import java.time.Instant;

/** Instants as whole microseconds since 1970, rounded down, as every target keeps them. */
final class Micros {
    private static final long PER_SECOND = 1_000_000;
    private static final long MOST_SECONDS = Long.MAX_VALUE / PER_SECOND - 1;

    private Micros() {}

    /** The microseconds; what is too far away for them is the smallest or the largest number. */
    static long of(Instant instant) {
        long seconds = instant.getEpochSecond();
        if (Math.abs(seconds) > MOST_SECONDS) {
            return seconds < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
        }
        return seconds * PER_SECOND + instant.getNano() / 1_000;
    }
}
