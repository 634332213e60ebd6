package siemload.database.postgresql;

import static siemload.database.postgresql.PostgresqlConnections.SQL;

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
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import siemload.database.Hint;
import siemload.database.layout.EventField;
import siemload.database.server.Portions;
import siemload.database.sql.SqlSearches;
import siemload.event.AddressRange;
import siemload.event.Endpoint;
import siemload.event.SecurityEvent;
import siemload.query.PageClass;
import siemload.query.Search;
import siemload.query.SearchCatalog;
import siemload.query.Summary;

/**
 * Writes searches as SQL of one layout, for one hint. PostgreSQL's planner has no hints. Instead, a condition is hidden from its index
 * inside an expression with an equal result and an equal estimate, and settings of the session rule out the other plans. Settings are not
 * enough: they also apply to the join with the JSON, so that a page after a full scan would read all of the JSON, too. Thread-safe.
 */
final class PostgresqlSearchStatements extends SqlSearches {
    /** The condition of the search window. Only the time index can answer this condition's hidden form. */
    private static final String WINDOW = "window";
    /** The id. If the id is hidden, the join with the JSON cannot return the events in the order of their ids. */
    private static final String ID = "id";

    private static final Set<String> FULL = Set.of(TIME, FIELDS);
    /** The parts to hide if a field's index is wanted: each address is then joined with its event. */
    private static final Set<String> BY_FIELD = Set.of(ID, TIME, "event");
    /** The parts to hide if the time index is wanted: each event is then joined with its addresses. */
    private static final Set<String> BY_TIME = Set.of(ID, WINDOW, LOOKUP);

    private static final Set<String> BY_TIME_ALONE = Set.of(ID, WINDOW, LOOKUP, FIELDS);

    private final Layout layout;
    private final Hint hint;
    private final int workersAtLeast;

    /** @param workersAtLeast the least number of workers that share a search if the hint asks for several */
    PostgresqlSearchStatements(Layout layout, Hint hint, int workersAtLeast) {
        super(layout, Map.of());
        this.layout = layout;
        this.hint = hint;
        this.workersAtLeast = workersAtLeast;
    }

    Layout layout() {
        return layout;
    }

    List<String> settings() {
        return settings(hint, workersAtLeast);
    }

    /**
     * Settings for the whole session, as {@code name=value}. The settings add no cost to a search, and a search by id can still use the
     * primary key.
     */
    static List<String> settings(Hint hint, int workersAtLeast) {
        String block = "hint-" + hint.label();
        return SQL.has(block)
                ? SQL.part(block, Map.of("workers", Integer.toString(workersAtLeast)))
                        .lines()
                        .toList()
                : List.of();
    }

    enum Reading {
        /** Rows in order, received all at once. */
        PAGE,
        /** Rows in order, received in portions. */
        STREAM,
        /** Rows in order, received in portions through a cursor: the server prefers a plan that returns the first rows early. */
        CURSOR,
        /** Rows in order, received one by one as the server finds them. */
        COPY,
        /** The rows, if any, of a statement that writes, received all at once. */
        WRITE
    }

    /** A statement with values in text form, and how its rows are read. */
    record Asked(String sql, List<Object> values, Reading reading) {
        static Asked atOnce(Compiled statement) {
            return new Asked(statement.sql(), statement.values(), Reading.PAGE);
        }
    }

    private Asked found(Search search) {
        Rows rows = rows(search);
        // If workers are to share a search, its rows must not be fetched in portions.
        boolean shared = hint == Hint.FULL_SCAN_PARALLEL && Hint.concerns(search);
        Reading inPortions = shared ? Reading.COPY : Reading.CURSOR;
        Reading reading = switch (rows.way()) {
            case SINGLE -> Reading.PAGE;
            case PAGE, LAST_PAGE -> Portions.make(rows.size()) ? inPortions : Reading.PAGE;
            case WHOLE -> shared ? Reading.COPY : Reading.STREAM;
        };
        return new Asked(rows.statement().sql(), rows.statement().values(), reading);
    }

    /** Returns a search's statement for a class of page. For the summary of a trend, that statement stores the trend. */
    Asked asked(Search search, PageClass page) {
        if (page == PageClass.COUNT) {
            return Asked.atOnce(count(search));
        } else if (page == PageClass.SUMMARY
                && SearchCatalog.trend(search.name()).isPresent()) {
            return storing(search, SearchCatalog.trend(search.name()).get(), "");
        } else if (page == PageClass.SUMMARY && search.summary().isPresent()) {
            return Asked.atOnce(of(search, search.summary().get()));
        }
        return found(search);
    }

    /** Returns the statement that sums up all rows of a search and stores the sums; the statement returns no rows. */
    Asked storing(Search search, Summary.Hours summary, String trend) {
        Compiled summing = of(search, summary);
        List<Object> values = new ArrayList<>(List.of(trend));
        values.addAll(summing.values());
        return new Asked(
                SQL.read("trend-store", Map.of("summary", summing.sql())).sql(), values, Reading.PAGE);
    }

    /** The parts that no index may answer, and that are therefore hidden inside expressions. */
    @Override
    protected Set<String> hidden(Search search) {
        if (!Hint.concerns(search)) {
            return Set.of();
        }
        return switch (hint) {
            case NONE, FIRST_ROWS -> Set.of();
            case FULL_SCAN, FULL_SCAN_PARALLEL -> FULL;
            case INDEX -> Hint.hasIndexedField(search) ? BY_FIELD : BY_TIME;
            case TIME_INDEX -> BY_TIME_ALONE;
        };
    }

    /** The value in the text form of its type. */
    @Override
    protected Object value(String name, Object value) {
        return SqlText.of(value);
    }

    @Override
    protected Map<String, ?> looked(List<AddressRange> anyOf, boolean isWide) {
        List<AddressRange> wide =
                anyOf.stream().filter(range -> !isWide || !range.isSingle()).toList();
        AddressRange first =
                Collections.min(wide.stream().map(AddressRange::first).toList());
        AddressRange last =
                Collections.max(wide.stream().map(AddressRange::last).toList());
        return Map.of("networks", SqlText.networksAround(anyOf), "first", first.toString(), "last", last.toString());
    }

    /** Values in PostgreSQL's text form, without characters that PostgreSQL cannot store: NUL, and halves of surrogate pairs. */
    static final class SqlText {
        private static final Instant EPOCH = Instant.parse("2000-01-01T00:00:00Z");
        private static final DateTimeFormatter TIME = new DateTimeFormatterBuilder()
                .appendValue(ChronoField.YEAR_OF_ERA, 4, 10, SignStyle.NORMAL)
                .appendPattern("-MM-dd HH:mm:ss.SSSSSS+00")
                .toFormatter(Locale.ROOT);

        /** The first time in PostgreSQL's range; times outside the range become infinity. */
        private static final Instant FIRST = Instant.parse("-4711-01-01T00:00:00Z");

        private static final Instant END = Instant.parse("+294276-01-01T00:00:00Z");

        private SqlText() {}

        /** An event's value of a field. A field of addresses has an array with a value for each address, in one order for all fields. */
        @SuppressWarnings("unchecked") // The kind of a field determines the type of its lists.
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

        /** The form of a text, a time, a range or a number. A list becomes an array or a multirange. */
        static String of(Object value) {
            if (value instanceof String text) {
                return EventField.EventText.searchable(text);
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

        /** The time in UTC in whole microseconds, rounded down; infinity if it is outside the server's range. */
        private static String timestamp(Instant instant) {
            if (instant.isBefore(FIRST) || !instant.isBefore(END)) {
                return instant.isBefore(FIRST) ? "-infinity" : "infinity";
            }
            LocalDateTime time = LocalDateTime.ofInstant(instant, ZoneOffset.UTC);
            return TIME.format(time) + (time.getYear() > 0 ? "" : " BC");
        }

        /** The time in microseconds since 2000, which is the binary form of a {@code timestamptz}. */
        static long micros(Instant instant) {
            if (instant.isBefore(FIRST)) {
                return Long.MIN_VALUE;
            }
            // ChronoUnit.between would round towards zero instead of down.
            return instant.isBefore(END)
                    ? (instant.getEpochSecond() - EPOCH.getEpochSecond()) * 1_000_000 + instant.getNano() / 1_000
                    : Long.MAX_VALUE;
        }

        static Instant time(long micros) {
            return micros == Long.MAX_VALUE || micros == Long.MIN_VALUE
                    ? (micros > 0 ? OffsetDateTime.MAX : OffsetDateTime.MIN).toInstant()
                    : EPOCH.plus(micros, ChronoUnit.MICROS);
        }

        /** Reads an address from its family and its number, as the block {@code field-source} returns them. */
        static AddressRange readAddress(String text) {
            BigInteger number = new BigInteger(text.substring(1));
            return text.charAt(0) == '4'
                    ? AddressRange.ip4(number.longValueExact())
                    : AddressRange.ip6(number.shiftRight(Long.SIZE).longValue(), number.longValue());
        }

        private static String range(AddressRange range) {
            return range.family() == AddressRange.Family.IP4
                    ? "[" + range.firstLow() + "," + range.lastLow() + "]"
                    : "[" + new BigInteger(1, range.firstBytes()) + "," + new BigInteger(1, range.lastBytes()) + "]";
        }

        /**
         * For each address of one side of an event, the smallest network that covers it, without duplicates: the type {@code inet} has no
         * ranges other than networks. The networks that overlap with the range from a to b are those that contain a, and those from a to b
         * in the order of the type {@code inet}.
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

        /** All networks that contain the first addresses of these ranges, down to single addresses, as an array of {@code inet}. */
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
}
