package siemload.database.postgresql;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import siemload.database.Partitions;
import siemload.database.Variant;
import siemload.database.layout.Blocks.Block;
import siemload.database.layout.Blocks.Syntax;
import siemload.database.layout.EventField;
import siemload.database.layout.LayoutFormat;
import siemload.database.layout.LayoutFormat.LayoutAbout.LayoutTable;
import siemload.database.sql.SqlStatement;
import siemload.query.Window;

/** A layout of PostgreSQL. Immutable and thread-safe. */
public final class Layout extends SqlStatement.SqlBlocks {
    /** Stands for the day of the default partition, which holds the events of all days without a partition of their own. */
    static final String OTHER_DAYS = "other";

    /** The times whose years have four digits. */
    private static final Window DAYS =
            new Window(Instant.parse("0001-01-01T00:00:00Z"), Instant.parse("+10000-01-01T00:00:00Z"));

    private final LayoutFormat.LayoutAbout about;

    private Layout(LayoutFormat.Read read) {
        super(read.blocks());
        this.about = read.about();
    }

    /**
     * The layout of a variant.
     *
     * @throws siemload.config.ConfigException with all problems in the files of a user's layout
     */
    static Layout of(Variant variant) {
        return variant.ownLayout()
                .map(folder -> new Layout(Format.INSTANCE.read(folder)))
                .orElseGet(() -> of(variant.layout(), variant.partitions()));
    }

    /** Siemload's layout with this name and these partitions. */
    public static Layout of(String label, Partitions partitions) {
        return new Layout(Format.INSTANCE.builtIn(LayoutFormat.folder(label, partitions)));
    }

    LayoutFormat.LayoutAbout about() {
        return about;
    }

    /** The layout's tables. The first table has a row for each event, and each comes after the tables that it refers to. */
    List<LayoutTable> tables() {
        return about.tables();
    }

    List<String> tableNames() {
        return tables().stream().map(LayoutTable::name).toList();
    }

    /** The tables that are read to find events: the table of events, and any table of their addresses. */
    List<LayoutTable> searchedTables() {
        return tables().stream()
                .filter(table -> table.equals(tables().get(0)) || table.rows() == LayoutTable.Rows.ADDRESSES)
                .toList();
    }

    /** Creates one of the {@link #tables}. A partitioned table gets its default partition, too. */
    void create(LayoutTable table, Connection connection) throws SQLException {
        of("table-", table).execute(connection);
        if (about.isByDay()) {
            createPartition(OTHER_DAYS, table.name(), connection);
        }
    }

    /** Creates the partition of a day, unless it exists. */
    void createPartition(String day, String table, Connection connection) throws SQLException {
        String block = day.equals(OTHER_DAYS) ? "partition-other" : "partition";
        read(block, Map.of("table", table, "partition", part(table, day), "day", day))
                .execute(connection);
    }

    /**
     * Returns the statement of a kind, such as {@code contents-}, for one of the {@link #tables}. The statement {@code insert-} inserts the
     * rows of an event, and its values have the names of the event's fields.
     */
    SqlStatement of(String kind, LayoutTable table) {
        String values = table.columns().values().stream()
                .map(field -> ":'" + field.label() + "'")
                .collect(Collectors.joining(", "));
        return read(kind + table.label(), Map.of("columns", table.columnNames(), "values", values));
    }

    /**
     * Returns the suffix of partitions for an event's day in UTC, such as {@code 20160606}, even if no such partition exists. In years
     * without four digits, days get the suffix of the default partition.
     */
    static String day(Instant detectTime) {
        return DAYS.contains(detectTime) ? day(LocalDate.ofInstant(detectTime, ZoneOffset.UTC)) : OTHER_DAYS;
    }

    private static String day(LocalDate day) {
        return day.format(DateTimeFormatter.BASIC_ISO_DATE);
    }

    /** The days of a window, in order. */
    static List<String> days(Window times) {
        LocalDate first = LocalDate.ofInstant(times.from(), ZoneOffset.UTC);
        LocalDate last = LocalDate.ofInstant(times.until().minusNanos(1), ZoneOffset.UTC);
        return first.datesUntil(last.plusDays(1)).map(Layout::day).toList();
    }

    /** The name of a table's partition for a day, or of the table itself if the day is empty. */
    static String part(String table, String day) {
        return day.isEmpty() ? table : table + "_" + day;
    }

    static final class Format extends LayoutFormat {
        /** The blocks that define an event's row in existing tables; all other blocks can use them. */
        private static final List<String> EXPRESSIONS = List.of("from", "id", "time", "json");

        static final Format INSTANCE = new Format();

        private Format() {
            super(
                    Syntax.SQL,
                    new PostgresqlPlugin().product(),
                    List.of("mentat", "address", "mentat-day", "address-day"),
                    Set.of("from", "id", "time", "json", "times", "condition-window", "page", "whole"),
                    variant -> new PostgresqlSearchStatements(of(variant), variant.hint(), 1)::asked);
        }

        /** Reports queries for unknown kinds of values, and kinds with two queries. */
        @Override
        protected Optional<String> wrong(Block block) {
            return block.name().equals(ValueLines.BLOCK)
                    ? ValueLines.wrong(SqlStatement.steps("", block.text(), Map.of()).stream()
                            .map(SqlStatement.Step::name)
                            .toList())
                    : Optional.empty();
        }

        /** Allows all fields in blocks that insert. In a layout only for searches, allows the expressions in all other blocks. */
        @Override
        protected Set<String> furtherNames(LayoutFormat.LayoutAbout about, String block) {
            Stream<String> names = about.isForSearchesAlone()
                    ? EXPRESSIONS.stream()
                            .filter(name -> !EXPRESSIONS.contains(block))
                            .map(name -> ":" + name)
                    : Stream.of(EventField.values())
                            .filter(field -> block.startsWith("insert-") && field.fits(LayoutTable.Rows.EVENTS))
                            .map(field -> ":'" + field.label() + "'");
            return names.collect(Collectors.toSet());
        }
    }
}
