package siemload.database.postgresql;

import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.SignStyle;
import java.time.temporal.ChronoField;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import siemload.database.layout.EventField;
import siemload.database.layout.EventText;
import siemload.event.AddressRange;
import siemload.event.AddressRange.Family;
import siemload.event.Endpoint;
import siemload.event.SecurityEvent;

/** Values in the form that PostgreSQL reads. What its text cannot hold is left out: NUL, and halves of surrogates. */
final class SqlText {
    private static final Instant EPOCH = Instant.parse("2000-01-01T00:00:00Z");
    private static final DateTimeFormatter TIME = new DateTimeFormatterBuilder()
            .appendValue(ChronoField.YEAR_OF_ERA, 4, 10, SignStyle.NORMAL)
            .appendPattern("-MM-dd HH:mm:ss.SSSSSS+00")
            .toFormatter(Locale.ROOT);

    /** The first time and the end of those that PostgreSQL knows; what lies beyond is infinity to it. */
    static final Instant FIRST = Instant.parse("-4711-01-01T00:00:00Z");

    static final Instant END = Instant.parse("+294276-01-01T00:00:00Z");

    private SqlText() {}

    /** What an event has of a field; of the fields of an address those of all of its addresses, in the same order. */
    @SuppressWarnings("unchecked") // The kind of a field says what its lists hold.
    static String of(EventField field, SecurityEvent event) {
        return switch (field.kind()) {
            case TEXT, TIME, TEXTS, NUMBERS, RANGES, WHOLE_EVENT -> of(field.of(event));
            case HULL -> {
                List<AddressRange> ranges = (List<AddressRange>) field.of(event);
                yield ranges.isEmpty() ? "empty" : range(AddressRange.hull(ranges));
            }
            case OF_ADDRESS -> {
                List<String> each = new ArrayList<>();
                networks(event.sources()).forEach(one -> each.add(field == EventField.SIDE ? "s" : one.toString()));
                networks(event.targets()).forEach(one -> each.add(field == EventField.SIDE ? "t" : one.toString()));
                yield array(each, one -> one);
            }
        };
    }

    /** A text, a time, a range or a number; a list as an array, or as a multirange. */
    static String of(Object value) {
        if (value instanceof String text) {
            return EventText.searchable(text);
        } else if (value instanceof Instant time) {
            return timestamp(time);
        } else if (value instanceof AddressRange range) {
            return range(range);
        } else if (value instanceof Collection<?> several) {
            return array(
                    several,
                    one -> one instanceof String text
                            ? '"' + of(text).replace("\\", "\\\\").replace("\"", "\\\"") + '"'
                            : of(one));
        }
        return value.toString();
    }

    private static <T> String array(Collection<T> elements, Function<T, String> form) {
        return elements.stream().map(form).collect(Collectors.joining(",", "{", "}"));
    }

    /** The time in UTC and whole microseconds, rounded down; infinity beyond the years that the server knows. */
    private static String timestamp(Instant instant) {
        if (instant.isBefore(FIRST) || !instant.isBefore(END)) {
            return instant.isBefore(FIRST) ? "-infinity" : "infinity";
        }
        LocalDateTime time = LocalDateTime.ofInstant(instant, ZoneOffset.UTC);
        return TIME.format(time) + (time.getYear() > 0 ? "" : " BC");
    }

    /** The same in microseconds since 2000, which is the binary form of a {@code timestamptz}. */
    static long micros(Instant instant) {
        if (instant.isBefore(FIRST)) {
            return Long.MIN_VALUE;
        }
        // Not by ChronoUnit.between, which rounds towards zero.
        return instant.isBefore(END)
                ? (instant.getEpochSecond() - EPOCH.getEpochSecond()) * 1_000_000 + instant.getNano() / 1_000
                : Long.MAX_VALUE;
    }

    /** The time of such a number. */
    static Instant time(long micros) {
        return micros == Long.MAX_VALUE || micros == Long.MIN_VALUE
                ? (micros > 0 ? OffsetDateTime.MAX : OffsetDateTime.MIN).toInstant()
                : EPOCH.plus(micros, ChronoUnit.MICROS);
    }

    /** An address of which the block {@code field-source} gives the family and the number. */
    static AddressRange readAddress(String text) {
        BigInteger number = new BigInteger(text.substring(1));
        return text.charAt(0) == '4'
                ? AddressRange.ip4(number.longValueExact())
                : AddressRange.ip6(number.shiftRight(Long.SIZE).longValue(), number.longValue());
    }

    private static String range(AddressRange range) {
        return range.family() == Family.IP4
                ? "[" + range.firstLow() + "," + range.lastLow() + "]"
                : "[" + new BigInteger(1, range.firstBytes()) + "," + new BigInteger(1, range.lastBytes()) + "]";
    }

    /**
     * The smallest network that covers each address of one side of an event, each network once, which is how the type {@code inet} has
     * ranges. Among its values those that share an address with the range from a to b are the networks around a, and those from a to b in
     * the order of the type.
     */
    static Set<AddressRange> networks(List<Endpoint> side) {
        Set<AddressRange> networks = new LinkedHashSet<>();
        for (Endpoint end : side) {
            for (AddressRange address : end.addresses()) {
                networks.add(address.isSingle() ? address : address.network(address.sharedBits()));
            }
        }
        return networks;
    }

    /** All networks that the first addresses of these ranges lie in, down to those of one address, as an array of {@code inet}. */
    static String networksAround(List<AddressRange> ranges) {
        Set<AddressRange> networks = new LinkedHashSet<>();
        for (AddressRange range : ranges) {
            for (int bits = range.family().bits(); bits >= 0; bits--) {
                networks.add(range.network(bits));
            }
        }
        return array(networks, AddressRange::toString);
    }
}
