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
 * Writes searches as SQL of one layout, for one hint. PostgreSQL's planner knows no hints: what an index could answer is hidden from it
 * inside an expression with the same rows and the same estimate, and settings of the session keep it from what it would take instead.
 * Settings alone would not do: they hold for the join with the JSON as well, so that a page after a full scan of the events would read all
 * of the JSON, too. Thread-safe.
 */
final class PostgresqlSearchStatements extends SqlSearches {
    /** Where events are to be found by the index of the time, the window is put so that that index alone can answer it. */
    private static final String WINDOW = "window";
    /** The order of the ids, in which the join with the JSON could have the events. */
    private static final String ID = "id";

    private static final Set<String> FULL = Set.of(TIME, FIELDS);
    /** Each address looks for its event. */
    private static final Set<String> BY_FIELD = Set.of(ID, TIME, "event");
    /** Each event looks for its addresses. */
    private static final Set<String> BY_TIME = Set.of(ID, WINDOW, LOOKUP);

    private static final Set<String> BY_TIME_ALONE = Set.of(ID, WINDOW, LOOKUP, FIELDS);

    private final Layout layout;
    private final Hint hint;
    private final int workersAtLeast;

    /** @param workersAtLeast how many workers share a search if the hint asks for several */
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
     * Settings for the whole session, as {@code name=value}. They cost a search nothing, and nothing in them speaks
     * against the primary key, by which a search by id finds its event.
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
        /** In their order, received at once. */
        PAGE,
        /** In their order, received in portions. */
        STREAM,
        /** The same by a cursor, for which the server plans to have the first rows early. */
        CURSOR,
        /** In their order, received as they come. */
        COPY,
        /** None or some, received at once, of a statement that writes. */
        WRITE
    }

    /** A statement, whose values are in text form, and how its rows are read. */
    record Asked(String sql, List<Object> values, Reading reading) {
        static Asked atOnce(Compiled statement) {
            return new Asked(statement.sql(), statement.values(), Reading.PAGE);
        }
    }

    private Asked found(Search search) {
        Rows rows = rows(search);
        // Rows must not be asked for in portions where workers are to share a search.
        boolean shared = hint == Hint.FULL_SCAN_PARALLEL && Hint.concerns(search);
        Reading inPortions = shared ? Reading.COPY : Reading.CURSOR;
        Reading reading = switch (rows.way()) {
            case SINGLE -> Reading.PAGE;
            case PAGE, LAST_PAGE -> Portions.make(rows.size()) ? inPortions : Reading.PAGE;
            case WHOLE -> shared ? Reading.COPY : Reading.STREAM;
        };
        return new Asked(rows.statement().sql(), rows.statement().values(), reading);
    }

    /** The statement of a search that users come to in this way; of a trend, the one that stores it. */
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

    /** The statement that sums up all rows of the search and stores the lines; it has no rows. */
    Asked storing(Search search, Summary.Hours summary, String trend) {
        Compiled summing = of(search, summary);
        List<Object> values = new ArrayList<>(List.of(trend));
        values.addAll(summing.values());
        return new Asked(
                SQL.read("trend-store", Map.of("summary", summing.sql())).sql(), values, Reading.PAGE);
    }

    /** What no index may answer is hidden inside expressions. */
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

    /** In the text form of its type. */
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

    /** Values in the form that PostgreSQL reads. What its text cannot hold is left out: NUL, and halves of surrogates. */
    static final class SqlText {
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
            return range.family() == AddressRange.Family.IP4
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
}
