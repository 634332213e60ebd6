package siemload.database.postgresql;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import siemload.config.Problems;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.LayoutFolder;
import siemload.database.Partitions;
import siemload.database.Variant;
import siemload.database.layout.Blocks;
import siemload.database.layout.Blocks.Block;
import siemload.database.layout.Blocks.Syntax;
import siemload.database.layout.SearchConditions;
import siemload.database.layout.LayoutAbout;
import siemload.database.layout.LayoutFormat;
import siemload.database.layout.LayoutTable;
import siemload.database.layout.LayoutTable.Rows;
import siemload.database.layout.StoredField;
import siemload.database.layout.ValueLines;
import siemload.database.sql.SqlBlocks;
import siemload.database.sql.SqlStatement;
import siemload.query.Paging;

/** A layout of PostgreSQL. Immutable and thread-safe. */
public final class Layout extends SqlBlocks {
    private static final Map<String, Layout> BUILT_IN = new ConcurrentHashMap<>();

    /** What a row of an event is, where siemload has not made the tables; stands in all other blocks. */
    private static final List<String> EXPRESSIONS = List.of("from", "id", "time", "json");

    private final LayoutFormat.Read read;

    private Layout(LayoutFormat.Read read) {
        super(read.blocks(), read.about().isForSearchesAlone() ? EXPRESSIONS : List.of());
        this.read = read;
    }

    /** The one of a variant that the target offers. */
    static Layout of(Variant variant) {
        return variant.ownLayout().map(Layout::of).orElseGet(() -> of(variant.layout(), variant.partitions()));
    }

    /** Siemload's with this name, which is one of {@link Format#LABELS}, cut into these partitions. */
    public static Layout of(String label, Partitions partitions) {
        return ofFolder(Format.folder(label, partitions));
    }

    private static Layout ofFolder(String folder) {
        return BUILT_IN.computeIfAbsent(folder, name -> new Layout(Format.INSTANCE.builtIn(name)));
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
        return hasAddressTable(tables());
    }

    private static boolean hasAddressTable(List<LayoutTable> tables) {
        return tables.stream().anyMatch(table -> table.rows() == Rows.ADDRESSES);
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
    List<String> searchedColumns(StoredField field) {
        return searched().stream()
                .flatMap(table -> table.filledBy(field).stream())
                .toList();
    }

    /** Creates one of the {@link #tables}; one that is cut into days with a partition for all days that have none. */
    void create(LayoutTable table, Connection connection) throws SQLException {
        read(table.block("table"), Map.of("partitioning", read("partitioning").sql()))
                .execute(connection);
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

        /** Reads them. */
        static final Format INSTANCE = new Format();

        private static final List<String> FOLDERS = Stream.of(Partitions.NONE, Partitions.DAY)
                .flatMap(partitions -> LABELS.stream().map(label -> folder(label, partitions)))
                .toList();
        private static final String INSERT = "insert";
        private static final String DELETE_DAY = "delete-day";
        private static final Set<String> NEEDED_ALONE =
                Set.of("id", "time", "json", "times", "condition-window", "page", "whole");

        private Format() {
            super(
                    "/siemload/database/postgresql/",
                    Syntax.SQL,
                    new LayoutAbout.Vocabulary(
                            "postgresql",
                            List.of(Rows.values()),
                            List.of(Hint.NONE, Hint.FULL_SCAN, Hint.FULL_SCAN_PARALLEL, Hint.INDEX, Hint.TIME_INDEX),
                            List.of(Hint.values()),
                            List.of(Paging.OFFSET, Paging.KEYSET, Paging.CURSOR),
                            List.of("mentat", "address", "mentat-day", "address-day"),
                            Set.of("trend_line"),
                            "",
                            name -> Optional.empty()));
        }

        static String folder(String label, Partitions partitions) {
            return switch (partitions) {
                case NONE -> label;
                case DAY -> label + "-day";
            };
        }

        /** Siemload's of the same kind: with a table of addresses or without, cut into days or not. */
        @Override
        protected Set<String> model(LayoutAbout about) {
            Set<String> names = new LinkedHashSet<>(
                    of(LABELS.get(Layout.hasAddressTable(about.tables()) ? 1 : 0), about.partitions())
                            .blocks()
                            .names());
            if (about.isForSearchesAlone()) {
                names.addAll(ofFolder(LayoutAbout.ROWS).names());
            }
            return names;
        }

        @Override
        protected Map<String, Predicate<LayoutAbout>> ofTables() {
            return Map.of(
                    "table",
                    about -> true,
                    "contents",
                    about -> true,
                    INSERT,
                    about -> true,
                    DELETE_DAY,
                    about -> !about.isByDay());
        }

        @Override
        protected List<Named> names(Block block) {
            return SqlStatement.places(block.text()).stream()
                    .map(place -> new Named(place.written(), block.origin(place.offset())))
                    .toList();
        }

        @Override
        protected String hintOfNames() {
            return "; a colon that begins no name has another one before it";
        }

        @Override
        protected Set<String> neededAlone(LayoutAbout about) {
            Set<String> needed = new HashSet<>(NEEDED_ALONE);
            if (about.base().contains(LayoutAbout.ROWS)) {
                needed.add("from");
            }
            return needed;
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

        @Override
        protected void checkTogether(LayoutAbout about, Blocks all, LayoutFolder folder, Problems problems) {}

        @Override
        protected Set<String> ofLoading() {
            return Set.of("copy", "primary-keys", "partitioning", "events", "presence");
        }

        @Override
        protected Set<String> optional(LayoutAbout about) {
            if (about.isForSearchesAlone()) {
                return Set.of("from");
            }
            Set<String> optional = new LinkedHashSet<>();
            about.indexSets().stream()
                    .filter(set -> set != IndexSet.NONE)
                    .forEach(set -> optional.add(INDEXES + set.label() + "-address"));
            return optional;
        }

        @Override
        protected Set<String> allowed(LayoutAbout about, String block) {
            for (LayoutTable table : about.tables()) {
                for (String what : ofTables().keySet()) {
                    if (table.block(what).equals(block)) {
                        return ofTable(what, table);
                    }
                }
            }
            if (block.startsWith(INDEXES) || block.equals("primary-keys") || block.equals("keys-address")) {
                return Set.of();
            }
            Stream<String> folders = about.isForSearchesAlone()
                    ? Stream.concat(FOLDERS.stream(), Stream.of(LayoutAbout.ROWS))
                    : FOLDERS.stream();
            Set<String> allowed = new LinkedHashSet<>();
            List<String> like = SearchConditions.like(block).toList();
            folders.map(this::ofFolder)
                    .flatMap(blocks -> like.stream().flatMap(one -> blocks.find(one).stream()))
                    .flatMap(one -> SqlStatement.places(one.text()).stream())
                    .forEach(place -> allowed.add(place.written()));
            if (about.isForSearchesAlone() && !EXPRESSIONS.contains(block)) {
                EXPRESSIONS.forEach(name -> allowed.add(":" + name));
            }
            return allowed;
        }

        private static Set<String> ofTable(String what, LayoutTable table) {
            Set<String> names = new LinkedHashSet<>();
            switch (what) {
                case "table" -> names.add(":partitioning");
                case DELETE_DAY -> names.addAll(List.of(":'from'", ":'until'"));
                case INSERT -> {
                    names.addAll(List.of(":columns", ":values"));
                    for (StoredField field : StoredField.values()) {
                        if (field.fits(Rows.EVENTS) && field.fits(table.rows())) {
                            names.add(":'" + field.label() + "'");
                        }
                    }
                    if (table.rows() == Rows.ADDRESSES) {
                        names.addAll(List.of(":'addresses'", ":'sides'"));
                    }
                }
                default -> {
                    // The others have no names.
                }
            }
            return names;
        }
    }
}
