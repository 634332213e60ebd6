package siemload.database.postgresql;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import siemload.database.Hint;
import siemload.database.LayoutFolder;
import siemload.database.Partitions;
import siemload.database.Variant;
import siemload.database.layout.Blocks.Block;
import siemload.database.layout.Blocks.Syntax;
import siemload.database.layout.EventField;
import siemload.database.layout.LayoutAbout;
import siemload.database.layout.LayoutAbout.Vocabulary;
import siemload.database.layout.LayoutFormat;
import siemload.database.layout.LayoutTable;
import siemload.database.layout.LayoutTable.Rows;
import siemload.database.layout.ValueLines;
import siemload.database.sql.SqlBlocks;
import siemload.database.sql.SqlStatement;

/** A layout of PostgreSQL. Immutable and thread-safe. */
public final class Layout extends SqlBlocks {
    private static final Map<String, Layout> BUILT_IN = new ConcurrentHashMap<>();

    private final LayoutFormat.Read read;

    private Layout(LayoutFormat.Read read) {
        super(read.blocks());
        this.read = read;
    }

    /** The one of a variant that the target offers. */
    static Layout of(Variant variant) {
        return variant.ownLayout().map(Layout::of).orElseGet(() -> of(variant.layout(), variant.partitions()));
    }

    /** Siemload's with this name, which is one of {@link Format#LABELS}, cut into these partitions. */
    public static Layout of(String label, Partitions partitions) {
        return BUILT_IN.computeIfAbsent(
                LayoutFormat.folder(label, partitions), name -> new Layout(Format.INSTANCE.builtIn(name)));
    }

    /**
     * One of a user's own.
     *
     * @throws siemload.config.ConfigException with everything that is wrong with its files
     */
    static Layout of(LayoutFolder folder) {
        return new Layout(Format.INSTANCE.read(folder));
    }

    /** What was read of it. */
    LayoutFormat.Read read() {
        return read;
    }

    /** Whether the rows of each day lie in a partition of their own. */
    boolean isByDay() {
        return read.about().isByDay();
    }

    /** The first one has a row for each event; those that refer to others come behind them. */
    List<LayoutTable> tables() {
        return read.about().tables();
    }

    /** The names of the {@link #tables}. */
    List<String> tableNames() {
        return tables().stream().map(table -> table.name()).toList();
    }

    /** Whether events are found by a table of addresses. */
    boolean hasAddressTable() {
        return read.about().hasAddressTable();
    }

    /** The tables by which events are found: that of the events, and that of their addresses. */
    List<String> searchedTables() {
        return searched().stream().map(table -> table.name()).toList();
    }

    private List<LayoutTable> searched() {
        return tables().stream()
                .filter(table -> table.equals(tables().get(0)) || table.rows() == Rows.ADDRESSES)
                .toList();
    }

    /** The columns of the searched tables that this field fills. */
    List<String> searchedColumns(EventField field) {
        return searched().stream()
                .flatMap(table -> table.filledBy(field).stream())
                .toList();
    }

    /** Creates one of the {@link #tables}; one that is cut into days with a partition for all days that have none. */
    void create(LayoutTable table, Connection connection) throws SQLException {
        read(table.block("table")).execute(connection);
        if (isByDay()) {
            createPartition(DayPartition.OTHER, table.name(), connection);
        }
    }

    /** Creates a day's part of a table, unless it is there. */
    void createPartition(DayPartition day, String table, Connection connection) throws SQLException {
        read(day.isOfOneDay() ? "partition" : "partition-other", day.parts(table))
                .execute(connection);
    }

    /** Counts and hashes the rows of one of the {@link #tables}. */
    SqlStatement contents(LayoutTable table) {
        return read(table.block("contents"));
    }

    /** Stores the rows of an event in one of the {@link #tables}; its values are named by what they are of the event. */
    SqlStatement insert(LayoutTable table) {
        return read(table.block("insert"), Map.of("columns", table.columnNames(), "values", table.columnValues()));
    }

    /** Deletes the rows of a day from one of the {@link #tables}. */
    SqlStatement deleteDay(LayoutTable table) {
        return read(table.block("delete-day"));
    }

    /** How layouts of this database are read. */
    static final class Format extends LayoutFormat {
        /** The names of siemload's own layouts, the default first. */
        static final List<String> LABELS = List.of("mentat", "address");

        /** What a row of an event is, where siemload has not made the tables; stands in all other blocks. */
        private static final List<String> EXPRESSIONS = List.of("from", "id", "time", "json");

        /** Reads them. */
        static final Format INSTANCE = new Format();

        private Format() {
            super(
                    Syntax.SQL,
                    new Vocabulary(
                            "postgresql",
                            List.of(Hint.NONE, Hint.FULL_SCAN, Hint.FULL_SCAN_PARALLEL, Hint.INDEX, Hint.TIME_INDEX),
                            List.of(Hint.values()),
                            List.of("mentat", "address", "mentat-day", "address-day"),
                            Set.of("trend_line"),
                            Vocabulary.TABLES,
                            name -> Optional.empty()),
                    new Rules(
                            Set.of("copy", "primary-keys", "partitioning", "events", "presence"),
                            Stream.of("time", "fields", "compound", "native")
                                    .map(set -> INDEXES + set + "-address")
                                    .collect(Collectors.toSet()),
                            Set.copyOf(EXPRESSIONS),
                            Set.of("id", "time", "json", "times", "condition-window", "page", "whole")));
        }

        /** Queries for values that nobody knows. */
        @Override
        protected Optional<String> wrong(LayoutAbout about, Block block) {
            if (!block.name().equals(ValueLines.BLOCK)) {
                return Optional.empty();
            }
            List<String> seen = new ArrayList<>();
            for (SqlStatement.Step query : SqlStatement.steps("", block.text())) {
                if (ValueLines.KINDS.find(query.name()).isEmpty()) {
                    return Optional.of("has '" + query.name()
                            + "', which is no kind of values (needed: its name in a comment line"
                            + " before each query, such as -- address; " + ValueLines.KINDS.help(query.name()) + ")");
                } else if (seen.contains(query.name())) {
                    return Optional.of("has two queries for " + query.name() + " (leave one out)");
                }
                seen.add(query.name());
            }
            return Optional.empty();
        }

        /** Any field can be stored in any table, and each expression stands in all other blocks. */
        @Override
        protected Set<String> furtherNames(LayoutAbout about, String block) {
            Set<String> names = new LinkedHashSet<>();
            if (about.isForSearchesAlone() && !EXPRESSIONS.contains(block)) {
                EXPRESSIONS.forEach(name -> names.add(":" + name));
            }
            for (LayoutTable table : about.tables()) {
                if (table.block("insert").equals(block)) {
                    Stream.of(EventField.values())
                            .filter(field -> field.fits(Rows.EVENTS) && field.fits(table.rows()))
                            .forEach(field -> names.add(":'" + field.label() + "'"));
                    names.addAll(
                            table.rows() == Rows.ADDRESSES ? List.of(":'addresses'", ":'sides'") : List.<String>of());
                }
            }
            return names;
        }
    }
}
