package siemload.database.postgresql.layout;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.LayoutFolder;
import siemload.database.Partitions;
import siemload.database.Variant;
import siemload.database.layout.LayoutAbout;
import siemload.database.layout.LayoutFormat;
import siemload.database.layout.LayoutTable;
import siemload.database.layout.LayoutTable.Rows;
import siemload.database.sql.SqlStatement;
import siemload.database.sql.SqlStatement.Place;
import siemload.database.sql.layout.SqlLayout;
import siemload.database.sql.layout.SqlLayoutFormat;
import siemload.query.Paging;

/** A layout of PostgreSQL. Immutable and thread-safe. */
public final class Layout extends SqlLayout<StoredField> {
    private static final Map<String, Layout> BUILT_IN = new ConcurrentHashMap<>();

    private Layout(LayoutFormat.Read<StoredField> read) {
        super(read);
    }

    /** The one of a variant that the target offers. */
    public static Layout of(Variant variant) {
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
    public static Layout of(LayoutFolder folder) {
        return new Layout(Format.INSTANCE.read(folder));
    }

    /** Whether events are found by a table of addresses. */
    public boolean hasAddressTable() {
        return hasAddressTable(tables());
    }

    private static boolean hasAddressTable(List<LayoutTable<StoredField>> tables) {
        return tables.stream().anyMatch(table -> table.rows() == Rows.ADDRESSES);
    }

    /** The tables by which events are found: that of the events, and that of their addresses. */
    public List<String> searchedTables() {
        return searched().stream().map(table -> table.name()).toList();
    }

    private List<LayoutTable<StoredField>> searched() {
        return tables().stream()
                .filter(table -> table.equals(tables().get(0)) || table.rows() == Rows.ADDRESSES)
                .toList();
    }

    /** The columns of the searched tables that this field fills. */
    public List<String> searchedColumns(StoredField field) {
        return searched().stream()
                .flatMap(table -> table.filledBy(field).stream())
                .toList();
    }

    /** Creates one of the {@link #tables}; one that is cut into days with a partition for all days that have none. */
    public void create(LayoutTable<StoredField> table, Connection connection) throws SQLException {
        read(table.block("table"), Map.of("partitioning", read("partitioning").sql()))
                .execute(connection);
        if (isByDay()) {
            createPartition(DayPartition.OTHER, table.name(), connection);
        }
    }

    /** Creates a day's part of a table, unless it is there. */
    public void createPartition(DayPartition day, String table, Connection connection) throws SQLException {
        read(day.isOfOneDay() ? "partition" : "partition-other", day.parts(table))
                .execute(connection);
    }

    /** Counts and hashes the rows of one of the {@link #tables}. */
    public SqlStatement contents(LayoutTable<StoredField> table) {
        return read(table.block("contents"));
    }

    /** Stores the rows of an event in one of the {@link #tables}; its values are named by what they are of the event. */
    public SqlStatement insert(LayoutTable<StoredField> table) {
        return read(table.block("insert"), Map.of("columns", table.columnNames(), "values", table.columnValues()));
    }

    /** Deletes the rows of a day from one of the {@link #tables}. */
    public SqlStatement deleteDay(LayoutTable<StoredField> table) {
        return read(table.block("delete-day"));
    }

    /** How layouts of this database are read. */
    public static final class Format extends SqlLayoutFormat<StoredField> {
        /** The names of siemload's own layouts, the default first. */
        public static final List<String> LABELS = List.of("mentat", "address");

        /** Reads them. */
        public static final Format INSTANCE = new Format();

        private static final List<String> FOLDERS = Stream.of(Partitions.NONE, Partitions.DAY)
                .flatMap(partitions -> LABELS.stream().map(label -> folder(label, partitions)))
                .toList();
        private static final String INSERT = "insert";
        private static final String DELETE_DAY = "delete-day";

        private Format() {
            super(
                    "/siemload/database/postgresql/",
                    new LayoutAbout.Vocabulary<>(
                            "postgresql",
                            List.of(StoredField.values()),
                            List.of(Rows.EVENTS, Rows.ADDRESSES),
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
        protected Set<String> model(LayoutAbout<StoredField> about) {
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
        protected Map<String, Predicate<LayoutAbout<StoredField>>> ofTables() {
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
        protected Set<String> ofLoading() {
            return Set.of("copy", "primary-keys", "partitioning", "events", "presence");
        }

        @Override
        protected Set<String> optional(LayoutAbout<StoredField> about) {
            Set<String> optional = new LinkedHashSet<>(super.optional(about));
            about.indexSets().stream()
                    .filter(set -> set != IndexSet.NONE && !about.isForSearchesAlone())
                    .forEach(set -> optional.add(INDEXES + set.label() + "-address"));
            return optional;
        }

        @Override
        protected Set<String> allowed(LayoutAbout<StoredField> about, String block) {
            for (LayoutTable<StoredField> table : about.tables()) {
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
            places(block, folders.map(this::ofFolder)).map(Place::written).forEach(allowed::add);
            allowed.addAll(expressions(about, block));
            return allowed;
        }

        private static Set<String> ofTable(String what, LayoutTable<StoredField> table) {
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
