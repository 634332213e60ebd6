package siemload.query;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Comparator;
import siemload.event.SecurityEvent;

/** The position of a row in the order of a search: its detect time and its event id. Immutable. */
public record PageKey(Instant detectTime, String id) {

    /** The order by detect time, then by the UTF-8 bytes of the id. */
    public static final Comparator<PageKey> OLDEST_FIRST =
            Comparator.comparing(PageKey::detectTime).thenComparing(PageKey::id, PageKey::compareUtf8);

    /** The position of an event in the order of searches. */
    public static PageKey of(SecurityEvent event) {
        return new PageKey(event.detectTime(), event.id()).inMicroseconds();
    }

    /** This key with the detect time in whole microseconds, rounded down, as every target stores it. */
    public PageKey inMicroseconds() {
        return new PageKey(detectTime.truncatedTo(ChronoUnit.MICROS), id);
    }

    /** Compares two texts by their UTF-8 bytes, as every target does. */
    public static int compareUtf8(String a, String b) {
        return Arrays.compareUnsigned(a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8));
    }
}
