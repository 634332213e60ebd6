package siemload.database.postgresql;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import siemload.database.Hint;
import siemload.database.Partitions;
import siemload.database.Variant;
import siemload.database.layout.Blocks.Block;
import siemload.database.layout.Blocks.Syntax;
import siemload.database.layout.EventField;
import siemload.database.layout.LayoutAbout;
import siemload.database.layout.LayoutAbout.LayoutTable;
import siemload.database.layout.LayoutAbout.LayoutTable.Rows;
import siemload.database.layout.LayoutFormat;
import siemload.database.layout.ValueLines;
import siemload.database.sql.SqlBlocks;
import siemload.database.sql.SqlStatement;

/** A layout of PostgreSQL. Immutable and thread-safe. */
public final class Layout extends SqlBlocks {
    private final LayoutFormat.Read read;

    private Layout(LayoutFormat.Read read) {
        super(read.blocks());
        this.read = read;
    }

    /**
     * The one of a variant that the target offers.
     *
     * @throws siemload.config.ConfigException with everything that is wrong with the files of one of a user's own
     */
    static Layout of(Variant variant) {
        return variant.ownLayout()
                .map(folder -> new Layout(Format.INSTANCE.read(folder)))
                .orElseGet(() -> of(variant.layout(), variant.partitions()));
    }

    /** Siemload's with this name, which is one of {@link Format#LABELS}, cut into these partitions. */
    public static Layout of(String label, Partitions partitions) {
        return new Layout(Format.INSTANCE.builtIn(LayoutFormat.folder(label, partitions)));
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
        return tables().stream().map(LayoutTable::name).toList();
    }

    private Stream<LayoutTable> searched() {
        return tables().stream().filter(table -> table.equals(tables().get(0)) || table.rows() == Rows.ADDRESSES);
    }

    /** The tables by which events are found: that of the events, and that of their addresses. */
    List<String> searchedTables() {
        return searched().map(LayoutTable::name).toList();
    }

    /** The columns of these that this field fills. */
    List<String> searchedColumns(EventField field) {
        return searched().flatMap(table -> table.filledBy(field).stream()).toList();
    }

    /** Creates one of the {@link #tables}; one that is cut into days with a partition for all days that have none. */
    void create(LayoutTable table, Connection connection) throws SQLException {
        read("table-" + table.label()).execute(connection);
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
        return read("contents-" + table.label());
    }

    /** Stores the rows of an event in one of the {@link #tables}; its values are named by what they are of the event. */
    SqlStatement insert(LayoutTable table) {
        return read("insert-" + table.label(), Map.of("columns", table.columnNames(), "values", table.columnValues()));
    }

    /** Deletes the rows of a day from one of the {@link #tables}. */
    SqlStatement deleteDay(LayoutTable table) {
        return read("delete-day-" + table.label());
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
                            List.of("mentat", "address", "mentat-day", "address-day"),
                            Set.of("from", "id", "time", "json", "times", "condition-window", "page", "whole"),
                            Vocabulary.TABLES,
                            name -> Optional.empty()));
        }

        /** Queries for values that nobody knows. */
        @Override
        protected Optional<String> wrong(Block block) {
            return block.name().equals(ValueLines.BLOCK)
                    ? ValueLines.wrong(SqlStatement.steps("", block.text(), Map.of()).stream()
                            .map(SqlStatement.Step::name)
                            .toList())
                    : Optional.empty();
        }

        /** Any field can be stored in any table, and each expression stands in all other blocks. */
        @Override
        protected Set<String> furtherNames(LayoutAbout about, String block) {
            if (about.isForSearchesAlone()) {
                return EXPRESSIONS.stream()
                        .filter(name -> !EXPRESSIONS.contains(block))
                        .map(name -> ":" + name)
                        .collect(Collectors.toSet());
            }
            return Stream.of(EventField.values())
                    .filter(field -> block.startsWith("insert-") && field.fits(Rows.EVENTS))
                    .map(field -> ":'" + field.label() + "'")
                    .collect(Collectors.toSet());
        }
    }
}
