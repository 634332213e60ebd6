package siemload.target.memory;

import java.nio.charset.StandardCharsets;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Comparator;
import siemload.event.SecurityEvent;
import siemload.query.PageKey;

/** An event with its place in the order of searches. */
record StoredEvent(SecurityEvent event, PageKey place) {

    /** By detect time, then by the UTF-8 bytes of the id. */
    static final Comparator<PageKey> OLDEST_FIRST =
            Comparator.comparing(PageKey::detectTime).thenComparing(PageKey::id, StoredEvent::compareUtf8);

    static StoredEvent of(SecurityEvent event) {
        return new StoredEvent(event, inMicroseconds(new PageKey(event.detectTime(), event.id())));
    }

    /** With the detect time in whole microseconds, rounded down, as every target keeps it. */
    static PageKey inMicroseconds(PageKey key) {
        return new PageKey(key.detectTime().truncatedTo(ChronoUnit.MICROS), key.id());
    }

    private static int compareUtf8(String a, String b) {
        return Arrays.compareUnsigned(a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8));
    }
}
