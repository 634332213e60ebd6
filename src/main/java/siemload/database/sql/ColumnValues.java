package siemload.database.sql;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.HexFormat;
import siemload.event.AddressRange;
import siemload.event.AddressRange.Family;
import siemload.event.WholeText;
import siemload.query.Field;

/** How values stand in the columns. Stateless and thread-safe. */
final class ColumnValues {
    /** Stands in a column instead of several values; no text has this form. */
    static final String SEVERAL = "\0*";
    /** Stands in the column of a port instead of several ports. */
    static final int SEVERAL_PORTS = -1;

    private static final String NUL = "\0";
    /** Bytes. */
    private static final int LONGEST_NAME = 4_000;

    private ColumnValues() {}

    /**
     * A category or a name. To some databases an empty text is NULL; so it becomes a NUL character, and a text that starts with
     * NUL gets one more. Binary order stays.
     */
    static String text(String text) {
        return text.isEmpty() || text.startsWith(NUL) ? NUL + WholeText.of(text) : WholeText.of(text);
    }

    /** What {@link #text} was made of. */
    static String readText(String stored) {
        return stored.startsWith(NUL) ? stored.substring(1) : stored;
    }

    /** What a field of a summary stands for. */
    static String readValue(Field field, String stored) {
        return switch (field) {
            case SOURCE -> readAddress(HexFormat.of().parseHex(stored)).toString();
            case CATEGORY, DETECTOR, PORT, HOUR -> readText(stored);
        };
    }

    /** A description, or what is looked for in it: without NUL characters. */
    static String description(String text) {
        return WholeText.of(text.replace(NUL, ""));
    }

    /** Whether a description goes into a large object. */
    static boolean isLong(String description) {
        return description.getBytes(StandardCharsets.UTF_8).length > LONGEST_NAME;
    }

    static byte[] id(String id) {
        return WholeText.of(id).getBytes(StandardCharsets.UTF_8);
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
        return address(range, range.firstBytes());
    }

    static byte[] last(AddressRange range) {
        return address(range, range.lastBytes());
    }

    static AddressRange readAddress(byte[] stored) {
        return AddressRange.ofBytes(Arrays.copyOfRange(stored, 1, stored.length));
    }

    /** After the number of its family, so that all of one family stand together. */
    private static byte[] address(AddressRange range, byte[] address) {
        byte family = (byte) (range.family() == Family.IP4 ? 4 : 6);
        return ByteBuffer.allocate(1 + address.length).put(family).put(address).array();
    }
}
