package siemload.database.postgresql;

import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.SignStyle;
import java.time.temporal.ChronoField;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;
import siemload.database.layout.EventField;
import siemload.database.layout.EventText;
import siemload.event.AddressRange;
import siemload.event.AddressRange.Family;
import siemload.event.SecurityEvent;

/** Values in the form that PostgreSQL reads. What its text cannot hold is left out: NUL, and halves of surrogates. */
final class SqlText {
    private static final int NANOS_IN_MICRO = 1_000;
    private static final long MICROS_IN_SECOND = 1_000_000;
    private static final long EPOCH_SECOND =
            Instant.parse("2000-01-01T00:00:00Z").getEpochSecond();
    private static final DateTimeFormatter TIME = new DateTimeFormatterBuilder()
            .appendValue(ChronoField.YEAR_OF_ERA, 4, 10, SignStyle.NORMAL)
            .appendPattern("-MM-dd HH:mm:ss.SSSSSS+00")
            .toFormatter(Locale.ROOT);

    /** The first time and the end of those that PostgreSQL knows; what lies beyond is infinity to it. */
    static final Instant FIRST = Instant.parse("-4711-01-01T00:00:00Z");

    static final Instant END = Instant.parse("+294276-01-01T00:00:00Z");

    private SqlText() {}

    /** What an event has of a field. @throws IllegalArgumentException if it is not a field of an event alone */
    @SuppressWarnings("unchecked") // The kind of a field says what its lists hold.
    static String of(EventField field, SecurityEvent event) {
        Object value = field.of(event);
        return switch (field.kind()) {
            case TEXT -> clean((String) value);
            case TIME -> timestamp((Instant) value);
            case TEXTS -> textArray((List<String>) value);
            case NUMBERS -> array((List<Integer>) value, String::valueOf);
            case RANGES -> multirange((List<AddressRange>) value);
            case HULL -> {
                List<AddressRange> ranges = (List<AddressRange>) value;
                yield ranges.isEmpty() ? "empty" : range(AddressRange.hull(ranges));
            }
            case WHOLE_EVENT, OF_ADDRESS -> throw new IllegalArgumentException("no field of an event alone: " + field);
        };
    }

    /** The text without NUL characters; half a surrogate pair becomes U+FFFD. Usually the text itself. */
    static String clean(String text) {
        return EventText.searchable(text);
    }

    /** The time in UTC and whole microseconds, rounded down; infinity beyond the years that the server knows. */
    static String timestamp(Instant instant) {
        if (instant.isBefore(FIRST) || !instant.isBefore(END)) {
            return instant.isBefore(FIRST) ? "-infinity" : "infinity";
        }
        LocalDateTime time = LocalDateTime.ofEpochSecond(instant.getEpochSecond(), instant.getNano(), ZoneOffset.UTC);
        return TIME.format(time) + (time.getYear() > 0 ? "" : " BC");
    }

    /** The same in microseconds since 2000, which is the binary form of a {@code timestamptz}. */
    static long micros(Instant instant) {
        if (instant.isBefore(FIRST)) {
            return Long.MIN_VALUE;
        }
        return instant.isBefore(END)
                ? (instant.getEpochSecond() - EPOCH_SECOND) * MICROS_IN_SECOND + instant.getNano() / NANOS_IN_MICRO
                : Long.MAX_VALUE;
    }

    static String textArray(List<String> texts) {
        return clean(array(texts, text -> '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"'));
    }

    private static <T> String array(List<T> elements, Function<T, String> form) {
        return elements.stream().map(form).collect(Collectors.joining(",", "{", "}"));
    }

    /** An address of which the block {@code field-source} gives the family and the number. */
    static AddressRange readAddress(String text) {
        BigInteger number = new BigInteger(text.substring(1));
        return text.charAt(0) == '4'
                ? AddressRange.ip4(number.longValueExact())
                : AddressRange.ip6(number.shiftRight(Long.SIZE).longValue(), number.longValue());
    }

    static String range(AddressRange range) {
        return range.family() == Family.IP4
                ? "[" + range.firstLow() + "," + range.lastLow() + "]"
                : "[" + new BigInteger(1, range.firstBytes()) + "," + new BigInteger(1, range.lastBytes()) + "]";
    }

    static String multirange(List<AddressRange> ranges) {
        return array(ranges, SqlText::range);
    }
}
