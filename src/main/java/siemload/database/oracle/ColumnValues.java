package siemload.database.oracle;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import siemload.event.AddressRange;
import siemload.event.AddressRange.Family;

/** How values stand in the columns. Stateless and thread-safe. */
final class ColumnValues {
    /** Stands in a column instead of several values; no text has this form. */
    static final String SEVERAL = "\0*";
    /** Stands in the column of a port instead of several ports. */
    static final int SEVERAL_PORTS = -1;

    private static final String NUL = "\0";

    private ColumnValues() {}

    /**
     * A category or a name. To Oracle an empty text is NULL; so it becomes a NUL character, and a text that starts with
     * NUL gets one more. Binary order stays.
     */
    static String text(String text) {
        return text.isEmpty() || text.startsWith(NUL) ? NUL + whole(text) : whole(text);
    }

    /** What {@link #text} was made of. */
    static String readText(String stored) {
        return stored.startsWith(NUL) ? stored.substring(1) : stored;
    }

    /** A description, or what is looked for in it: without NUL characters. */
    static String description(String text) {
        return whole(text.replace(NUL, ""));
    }

    /** Halves of characters, which no database has room for, become the replacement character. */
    static String whole(String text) {
        StringBuilder whole = new StringBuilder(text.length());
        text.codePoints().forEach(c -> {
            boolean half = c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE;
            whole.appendCodePoint(half ? 0xFFFD : c);
        });
        return whole.toString();
    }

    static byte[] id(String id) {
        return whole(id).getBytes(StandardCharsets.UTF_8);
    }

    static String readId(byte[] stored) {
        return new String(stored, StandardCharsets.UTF_8);
    }

    static LocalDateTime time(Instant instant) {
        return LocalDateTime.ofInstant(instant, ZoneOffset.UTC).truncatedTo(ChronoUnit.MICROS);
    }

    static Instant readTime(LocalDateTime stored) {
        return stored.toInstant(ZoneOffset.UTC);
    }

    static byte[] first(AddressRange range) {
        return address(range.family(), range.firstHigh(), range.firstLow());
    }

    static byte[] last(AddressRange range) {
        return address(range.family(), range.lastHigh(), range.lastLow());
    }

    private static byte[] address(Family family, long high, long low) {
        return switch (family) {
            case IP4 ->
                ByteBuffer.allocate(1 + Integer.BYTES)
                        .put((byte) 4)
                        .putInt((int) low)
                        .array();
            case IP6 ->
                ByteBuffer.allocate(1 + 2 * Long.BYTES)
                        .put((byte) 6)
                        .putLong(high)
                        .putLong(low)
                        .array();
        };
    }
}
