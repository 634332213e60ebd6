package siemload.database.sql;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.BinaryOperator;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import siemload.database.Hint;
import siemload.database.Store.BulkLoad;
import siemload.database.Variant;
import siemload.database.layout.EventField;
import siemload.database.server.Portions;
import siemload.database.server.Registry.Claim;
import siemload.database.sql.SqlAccess.SqlErrors.Fault;
import siemload.event.AddressRange;
import siemload.event.IdeaWriter;
import siemload.event.SecurityEvent;
import siemload.event.Utf8Sanitizer;
import siemload.query.Field;
import siemload.query.Search;

/** The tables of one data set, or of a run's copy of it, in the user's own schema, with their statements. Immutable and thread-safe. */
public final class TableGroup extends SqlAccess.SqlTables {
    public static final String EVENT = "event";
    /** The length of a list of ids, below the limit of 1,000 that some databases have. */
    private static final int PORTION = 500;
    /** The tables. Each table comes after the tables that it refers to. */
    public static final List<String> TABLES = List.of(EVENT, "addr", "list");

    /** The mark in a column in place of several values. No text has this form. */
    private static final String SEVERAL = "\0*";
    /** The mark in the column of a port in place of several ports. */
    private static final Long SEVERAL_PORTS = -1L;

    private static final String NUL = "\0";

    private final JdbcServer.Dialect dialect;
    private final String prefix;
    private final Variant variant;

    /**
     * Describes tables that need not exist.
     *
     * @param access as in {@link SqlAccess.SqlTables}
     * @param prefix the start of the tables' names
     */
    public TableGroup(JdbcServer.Dialect dialect, SqlAccess access, String prefix, Variant variant) {
        super(access, dialect.blocks());
        this.dialect = dialect;
        this.prefix = prefix;
        this.variant = variant;
    }

    public JdbcServer.Dialect dialect() {
        return dialect;
    }

    public String prefix() {
        return prefix;
    }

    public String name(String object) {
        return prefix + "_" + object.toUpperCase(Locale.ROOT);
    }

    public String eventTable() {
        return name(EVENT);
    }

    /** The names and clauses that the blocks leave open. */
    public Map<String, String> parts() {
        Map<String, String> parts = new HashMap<>(dialect.clauses(variant.partitions()));
        dialect.blocks().names().forEach(name -> parts.put(name, name(name)));
        return parts;
    }

    public SqlStatement statement(String block) {
        return dialect.blocks().read(block, parts());
    }

    @Override
    public String place() {
        return "the tables " + prefix + "_...";
    }

    @Override
    protected List<String> names() {
        return TABLES.stream().map(this::name).toList();
    }

    @Override
    protected SqlStatement counting() {
        return of(eventTable(), "events");
    }

    @Override
    protected List<SqlStatement.Step> steps() {
        return Stream.of("keys", "indexes-" + variant.indexes().label())
                .flatMap(block -> dialect.blocks().steps(block, parts()).stream())
                .toList();
    }

    @Override
    public void create(Claim claim) {
        access().run("create " + place(), open -> create(open, claim));
    }

    private void create(Connection open, Claim claim) throws SQLException {
        for (String table : TABLES) {
            statement("table-" + table).execute(open);
        }
        claim.made(identity(open));
    }

    @Override
    public void copyFrom(String kept, Claim claim) {
        TableGroup others = new TableGroup(dialect, access(), kept, variant);
        access().run("copy the tables " + kept + "_...", open -> {
            create(open, claim);
            for (String table : TABLES) {
                Map<String, String> names = Map.of("table", name(table), "kept", others.name(table));
                dialect.blocks().read("copy", names).execute(open);
            }
        });
    }

    @Override
    public BulkLoad openLoad() {
        return access().load(place(), open -> new EventRows(open, this)::insert);
    }

    /** Drops the indexes. Each step has the name of its object: {@code index event_time}, or the primary key of the events. */
    @Override
    public void dropIndexes() {
        access().run("drop the indexes of " + place(), open -> {
            for (SqlStatement.Step step : steps()) {
                String[] index = step.name().split("index ", 2);
                SqlStatement drop = index.length == 2
                        ? dialect.blocks().read("drop-index", Map.of("index", name(index[1])))
                        : of(eventTable(), "drop-key");
                boolean unused = dialect.isMade(() -> drop.execute(open), Fault.NO_INDEX);
            }
        });
    }

    /** The tables' identity: {@code SL_..._ADDR=73 SL_..._EVENT=72 SL_..._LIST=74}. */
    String identity(Connection open) throws SQLException {
        return String.join(" ", numbers(open).values());
    }

    /** The tables' names, each also with the number or mark that the table got when it was created. */
    SortedMap<String, String> numbers(Connection open) throws SQLException {
        return dialect.blocks()
                .read("object-numbers")
                .map(open, row -> row.getString(1) + "=" + row.getString(2), prefix.replace("_", "\\_"));
    }

    /** Counts the rows of each id; missing ids have no entry. The last portion is padded, so that servers parse only one statement. */
    Map<String, Long> stored(Collection<String> ids, Connection open) throws SQLException {
        Map<String, String> places = parts();
        places.put("ids", String.join(", ", Collections.nCopies(PORTION, "?")));
        Map<String, Long> stored = new HashMap<>();
        try (PreparedStatement present =
                open.prepareStatement(dialect.blocks().read("present", places).sql())) {
            for (List<String> portion : Portions.ofIds(ids, PORTION)) {
                for (int i = 0; i < PORTION; i++) {
                    present.setBytes(i + 1, id(portion.get(Math.min(i, portion.size() - 1))));
                }
                SqlStatement.rows(present, row -> stored.put(readId(row.getBytes(1)), row.getLong(2)));
            }
        }
        return stored;
    }

    /** Translates the searches of one run, with its hint, for its tables. Thread-safe. */
    public static final class Searches extends SqlSearches {
        private final TableGroup tables;

        public Searches(TableGroup tables) {
            super(tables.dialect.blocks(), tables.parts());
            this.tables = tables;
        }

        TableGroup tables() {
            return tables;
        }

        @Override
        protected String hint(Search search) {
            return Hint.concerns(search)
                    ? tables.dialect.hint(search, tables.variant.hint(), tables.variant.indexes(), tables)
                    : "";
        }

        @Override
        protected Object value(String name, Object value) {
            if (value instanceof Instant time) {
                return time(time);
            } else if (value instanceof AddressRange single) {
                return first(single);
            }
            return switch (name) {
                case "id" -> id((String) value);
                case "category", "detector" -> text((String) value);
                default -> value;
            };
        }
    }

    // The forms of values in columns.

    /**
     * A category or a name. To some databases an empty text is NULL, so it becomes a NUL character, and a text that starts with NUL gets
     * one more NUL. The binary order of texts is kept.
     */
    static String text(String text) {
        return text.isEmpty() || text.startsWith(NUL) ? NUL + Utf8Sanitizer.of(text) : Utf8Sanitizer.of(text);
    }

    static String readValue(Field field, String stored) {
        return switch (field) {
            case SOURCE ->
                AddressRange.ofBytes(HexFormat.of().parseHex(stored, 2, stored.length()))
                        .toString();
            case CATEGORY, DETECTOR, PORT, HOUR -> stored.startsWith(NUL) ? stored.substring(1) : stored;
        };
    }

    static byte[] id(String id) {
        return Utf8Sanitizer.of(id).getBytes(StandardCharsets.UTF_8);
    }

    static String readId(byte[] stored) {
        return new String(stored, StandardCharsets.UTF_8);
    }

    static LocalDateTime time(Instant instant) {
        return LocalDateTime.ofInstant(instant, ZoneOffset.UTC).truncatedTo(ChronoUnit.MICROS);
    }

    static byte[] first(AddressRange range) {
        return address(range, range.firstBytes());
    }

    static byte[] last(AddressRange range) {
        return address(range, range.lastBytes());
    }

    /** The address after the number of its family, so that each family is contiguous. */
    private static byte[] address(AddressRange range, byte[] address) {
        byte family = (byte) (range.family() == AddressRange.Family.IP4 ? 4 : 6);
        return ByteBuffer.allocate(1 + address.length).put(family).put(address).array();
    }

    /** Adds events to the tables of a group, for loading as well as for feeding. Used by one thread; the caller commits. */
    static final class EventRows implements AutoCloseable {
        private static final BinaryOperator<AddressRange> LOWEST = BinaryOperator.minBy(Comparator.naturalOrder());
        private static final BinaryOperator<AddressRange> HIGHEST = BinaryOperator.maxBy(Comparator.naturalOrder());

        /** The rows to insert into each table, in the order of {@link TableGroup#TABLES}. */
        private final List<Rows> tables = new ArrayList<>();

        private final IdeaWriter writer = new IdeaWriter();

        EventRows(Connection connection, TableGroup group) throws SQLException {
            for (String table : TABLES) {
                tables.add(group.dialect().rows(connection, group, table));
            }
        }

        /** Returns the size of the events as IDEA JSON, in bytes. */
        long insert(Collection<SecurityEvent> batch) throws SQLException {
            long bytes = 0;
            for (SecurityEvent event : batch) {
                bytes += add(event);
            }
            for (Rows table : tables) {
                table.send();
            }
            return bytes;
        }

        @Override
        public void close() throws SQLException {
            for (Rows table : tables) {
                table.close();
            }
        }

        private int add(SecurityEvent event) throws SQLException {
            byte[] id = id(event.id());
            byte[] json = writer.toBytes(event);
            String description = EventField.EventText.searchable(event.description());
            boolean isLong = EventField.EventText.isLong(description);
            Set<Object> categories = each(event, EventField.CATEGORY);
            Set<Object> detectors = each(event, EventField.NODE_NAME);
            Set<Object> sources = each(event, EventField.SOURCE_IP4, EventField.SOURCE_IP6);
            Set<Object> targets = each(event, EventField.TARGET_IP4, EventField.TARGET_IP6);
            Set<Object> sourcePorts = each(event, EventField.SOURCE_PORT);
            Set<Object> targetPorts = each(event, EventField.TARGET_PORT);
            List<Object> protocols = List.copyOf(each(event, EventField.PROTOCOL));
            tables.get(0)
                    .add(
                            id,
                            Utf8Sanitizer.of(event.id()),
                            time(event.detectTime()),
                            isLong ? null : description,
                            oneOrMark(categories, SEVERAL),
                            oneOrMark(detectors, SEVERAL),
                            (long) sources.size(),
                            end(sources, AddressRange::first, LOWEST),
                            end(sources, AddressRange::last, HIGHEST),
                            (long) targets.size(),
                            end(targets, AddressRange::first, LOWEST),
                            end(targets, AddressRange::last, HIGHEST),
                            oneOrMark(sourcePorts, SEVERAL_PORTS),
                            oneOrMark(targetPorts, SEVERAL_PORTS),
                            protocols.isEmpty() ? null : protocols.get(0),
                            protocols.size() < 2 ? null : protocols.get(protocols.size() - 1),
                            connections(event),
                            isLong ? description : null,
                            json);
            addEach(id, "S", sources);
            addEach(id, "T", targets);
            addEach(id, "C", categories);
            addEach(id, "D", detectors);
            addEach(id, "S", sourcePorts);
            addEach(id, "T", targetPorts);
            return json.length;
        }

        /** Adds a row for each of several values, but none for a single value. */
        private void addEach(byte[] id, String field, Set<Object> several) throws SQLException {
            for (Object one : several.size() > 1 ? several : Set.of()) {
                if (one instanceof AddressRange range) {
                    tables.get(1).add(id, field, first(range), last(range));
                } else {
                    tables.get(2).add(id, field, one.toString());
                }
            }
        }

        /** An event's distinct values of these fields, as columns store them (addresses as ranges). */
        private static Set<Object> each(SecurityEvent event, EventField... fields) {
            Set<Object> distinct = new LinkedHashSet<>();
            for (EventField field : fields) {
                for (Object one : (List<?>) field.of(event)) {
                    distinct.add(
                            one instanceof String text
                                    ? text(text)
                                    : one instanceof Integer port ? Long.valueOf(port) : one);
                }
            }
            return distinct;
        }

        private static long connections(SecurityEvent event) {
            var count = event.other().get("ConnCount");
            return count != null && count.canConvertToLong() ? count.longValue() : 1;
        }

        /** The lowest first address of the ranges, or their highest last address. */
        private static byte @Nullable [] end(
                Set<Object> addresses, UnaryOperator<AddressRange> end, BinaryOperator<AddressRange> chosen) {
            return addresses.stream()
                    .map(one -> end.apply((AddressRange) one))
                    .reduce(chosen)
                    .map(TableGroup::first)
                    .orElse(null);
        }

        /** The only value, or the mark for several values, which have their own rows. */
        private static @Nullable Object oneOrMark(Set<Object> values, Object mark) {
            return values.isEmpty()
                    ? null
                    : values.size() == 1 ? values.iterator().next() : mark;
        }
    }

    public interface Rows extends AutoCloseable {
        /**
         * Adds a row.
         *
         * @param row a value for each column, in order: a text, bytes, a {@code Long}, a {@code LocalDateTime} in UTC, or null
         */
        void add(@Nullable Object... row) throws SQLException;

        void send() throws SQLException;

        @Override
        void close() throws SQLException;
    }

    /** Adds rows with a statement that has a value for each column. */
    record Batch(PreparedStatement statement) implements Rows {
        @Override
        public void add(@Nullable Object... row) throws SQLException {
            SqlStatement.bound(statement, Arrays.asList(row)).addBatch();
        }

        @Override
        public void send() throws SQLException {
            statement.executeBatch();
        }

        @Override
        public void close() throws SQLException {
            statement.close();
        }
    }
}
