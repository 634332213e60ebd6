package siemload.database.layout;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import siemload.config.Sha256;
import siemload.event.WholeText;

/** Parts of events in the form that databases of documents compare as the suite does. Stateless. */
public final class EventText {
    private static final long MICROS_PER_SECOND = 1_000_000;
    private static final int NANOS_PER_MICRO = 1_000;
    private static final int MICROS_PER_MILLI = 1_000;

    private static final int LONGEST_BYTES = 4_000;

    private EventText() {}

    /** Microseconds since 1970, rounded down; the nearest possible number for times beyond any event. */
    public static long micros(Instant instant) {
        long limit = Long.MAX_VALUE / MICROS_PER_SECOND;
        long seconds = instant.getEpochSecond();
        if (seconds >= limit || seconds <= -limit) {
            return seconds > 0 ? Long.MAX_VALUE : Long.MIN_VALUE;
        }
        return seconds * MICROS_PER_SECOND + instant.getNano() / NANOS_PER_MICRO;
    }

    /** The time of so many microseconds since 1970. */
    public static Instant instant(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }

    /** The first whole millisecond since 1970 from then on: a date in milliseconds is from then on if it is from that one on. */
    public static long millisFrom(long micros) {
        long down = Math.floorDiv(micros, MICROS_PER_MILLI);
        return Math.floorMod(micros, MICROS_PER_MILLI) == 0 ? down : down + 1;
    }

    /** The text without NUL characters, which patterns cannot look for. */
    public static String searchable(String text) {
        return WholeText.of(text.replace("\0", ""));
    }

    /** Whether a searchable text is longer than columns are to some databases. */
    public static boolean isLong(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length > LONGEST_BYTES;
    }

    /** What an id is called where 512 bytes are the most: SHA-256 of its UTF-8 bytes in the letters of URLs, 43 characters. */
    public static String idHash(String id) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(Sha256.of(WholeText.of(id)));
    }
}
