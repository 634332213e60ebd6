package siemload.database.postgresql.layout;

import static siemload.database.postgresql.connection.PostgresqlConnections.FILES;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import siemload.config.Problems;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.LayoutFolder;
import siemload.database.Partitions;
import siemload.database.Variant;
import siemload.database.sql.SqlFiles;
import siemload.database.sql.SqlStatement;
import siemload.database.sql.SqlStatement.Place;
import siemload.database.sql.layout.LayoutAbout;
import siemload.database.sql.layout.LayoutReader;
import siemload.database.sql.layout.LayoutTable;
import siemload.database.sql.layout.LayoutTexts;
import siemload.database.sql.layout.SearchFiles;
import siemload.database.sql.layout.StatementLayout;
import siemload.database.sql.layout.StatementRules;
import siemload.query.Paging;

/** A layout of PostgreSQL. Immutable and thread-safe. */
public final class Layout extends StatementLayout<StoredField> {
    /** Frames of searches, in which hints hide the id and the time. */
    private static final Set<String> FRAMES =
            Set.of("page", "whole", "whole-unsorted", "single", "count", "last-page", "timeline", "top-list");

    private static final LayoutReader<StoredField> READER = new LayoutReader<>(
            "postgresql",
            List.of(StoredField.values()),
            List.of(LayoutTable.Rows.EVENTS, LayoutTable.Rows.ADDRESSES),
            List.of(Hint.NONE, Hint.FULL_SCAN, Hint.FULL_SCAN_PARALLEL, Hint.INDEX, Hint.TIME_INDEX),
            List.of(Paging.OFFSET, Paging.KEYSET, Paging.CURSOR),
            LayoutFolders.ALL,
            Set.of("trend_line"));

    private static final Map<String, Layout> BUILT_IN = builtIn();

    /** Mentat's: all that is searched stands in one row. */
    public static final Layout MENTAT = of("mentat", Partitions.NONE);
    /** NERD's: the same, and a table of addresses, by which events are found. */
    public static final Layout ADDRESS = of("address", Partitions.NONE);
    /** Mentat's, and the rows of a day lie in partitions of their own, those of the JSON as well. */
    public static final Layout MENTAT_BY_DAY = of("mentat", Partitions.DAY);
    /** NERD's, and rows, JSON and addresses of a day lie in partitions of their own. */
    public static final Layout ADDRESS_BY_DAY = of("address", Partitions.DAY);

    private Layout(LayoutAbout<StoredField> about, String yaml, LayoutTexts texts) {
        super(about, yaml, texts);
    }

    private static Map<String, Layout> builtIn() {
        Map<String, Layout> layouts = new LinkedHashMap<>();
        LayoutFolders.ALL.forEach(folder -> layouts.put(folder, builtIn(folder)));
        return layouts;
    }

    private static Layout builtIn(String folder) {
        String file = folder + "/" + LayoutFolder.ABOUT;
        String yaml = FILES.text(file);
        LayoutAbout<StoredField> about = READER.read(file, yaml, new Problems());
        return new Layout(about, yaml, new LayoutTexts(LayoutTexts.builtIn(FILES, folder, about.base())));
    }

    /** The one of a variant that the target offers. */
    public static Layout of(Variant variant) {
        return variant.ownLayout().map(Layout::of).orElseGet(() -> of(variant.layout(), variant.partitions()));
    }

    /** Siemload's with this name, which is one of {@link LayoutFolders#LABELS}, cut into these partitions. */
    public static Layout of(String label, Partitions partitions) {
        String folder = LayoutFolders.of(label, partitions);
        return Objects.requireNonNull(BUILT_IN.get(folder), folder);
    }

    /**
     * One of a user's own.
     *
     * @throws siemload.config.ConfigException with everything that is wrong with its files
     */
    public static Layout of(LayoutFolder folder) {
        Problems problems = new Problems();
        String yaml = folder.files().getOrDefault(LayoutFolder.ABOUT, "");
        LayoutAbout<StoredField> about = READER.read(folder.shown(LayoutFolder.ABOUT), yaml, problems);
        return new Layout(about, yaml, LayoutTexts.own(folder, about, FILES, filesOf(about), FRAMES, problems));
    }

    private static LayoutFiles filesOf(LayoutAbout<StoredField> about) {
        Map<String, List<String>> all = new HashMap<>();
        BUILT_IN.values()
                .forEach(layout -> layout.files()
                        .forEach((name, text) -> all.computeIfAbsent(name, unused -> new ArrayList<>())
                                .add(text)));
        if (about.isForSearchesAlone()) {
            LayoutTexts.ofFolder(FILES, LayoutReader.ROWS)
                    .forEach((name, text) -> all.computeIfAbsent(name, unused -> new ArrayList<>())
                            .add(text));
        }
        Layout like = BUILT_IN.values().stream()
                .filter(layout -> layout.isByDay() == about.isByDay()
                        && layout.hasAddressTable() == hasAddressTable(about.tables()))
                .findFirst()
                .orElseThrow();
        return new LayoutFiles(about, like, all);
    }

    @Override
    protected LayoutFiles rules(LayoutAbout<StoredField> said) {
        return filesOf(said);
    }

    /** Its files by their names, without the ending. */
    SortedMap<String, String> files() {
        return texts().all();
    }

    /** Whether it has a file of this name without the ending. */
    public boolean has(String name) {
        return texts().has(name);
    }

    /** Whether events are found by a table of addresses. */
    public boolean hasAddressTable() {
        return hasAddressTable(tables());
    }

    private static boolean hasAddressTable(List<LayoutTable<StoredField>> tables) {
        return tables.stream().anyMatch(table -> table.rows() == LayoutTable.Rows.ADDRESSES);
    }

    /** The tables by which events are found: that of the events, and that of their addresses. */
    public List<String> searchedTables() {
        return searched().stream().map(table -> table.name()).toList();
    }

    private List<LayoutTable<StoredField>> searched() {
        return tables().stream()
                .filter(table -> table.equals(tables().get(0)) || table.rows() == LayoutTable.Rows.ADDRESSES)
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
        read(table.file("table"), Map.of("partitioning", read("partitioning").sql()))
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
        return read(table.file("contents"));
    }

    /** Stores the rows of an event in one of the {@link #tables}; its values are named by what they are of the event. */
    public SqlStatement insert(LayoutTable<StoredField> table) {
        return read(table.file("insert"), Map.of("columns", table.columnNames(), "values", table.columnValues()));
    }

    /** Deletes the rows of a day from one of the {@link #tables}. */
    public SqlStatement deleteDay(LayoutTable<StoredField> table) {
        return read(table.file("delete-day"));
    }

    /** A file that has no parts, or whose parts do not matter. */
    public SqlStatement read(String name) {
        return texts().read(name);
    }

    public SqlStatement read(String name, Map<String, String> parts) {
        return texts().read(name, parts);
    }

    /** The statements of a file that builds something; none where the layout does not have it. */
    public List<SqlFiles.Step> steps(String name) {
        return texts().steps(name);
    }

    /**
     * Which files a layout needs, and what may stand in them: the same as in the files of siemload's own layouts, so that there is no
     * second list of either. Immutable.
     *
     * @param about what the layout is
     * @param like siemload's layout of the same kind: with a table of addresses or without, cut into days or not
     * @param all the files of all of siemload's layouts by their names, each in all its forms
     */
    private record LayoutFiles(LayoutAbout<StoredField> about, Layout like, Map<String, List<String>> all)
            implements StatementRules {
        private static final String TABLE = "table";
        private static final String INSERT = "insert";
        private static final String DELETE_DAY = "delete-day";
        /** What is done with each table, and the names that may stand in such a file, beside those of values of an INSERT. */
        private static final Map<String, Set<String>> OF_TABLES = Map.of(
                TABLE,
                Set.of("partitioning"),
                "contents",
                Set.of(),
                INSERT,
                Set.of("columns", "values"),
                DELETE_DAY,
                Set.of("from", "until"));
        /** Files that no search reads. */
        private static final Set<String> OF_LOADING =
                Set.of("copy", "primary-keys", "partitioning", "events", "presence");

        /** Their values are asked for by their names, those of all other files by their order. */
        private static final String CONDITION = "condition-";

        private static final String WINDOW = "condition-window";
        private static final String INDEXES = "indexes-";
        private static final Set<String> KEYS = Set.of("primary-keys", "keys-address");

        @Override
        public Set<String> needed() {
            if (about.isForSearchesAlone()) {
                return SearchFiles.needed(about);
            }
            Set<String> needed = new TreeSet<>();
            like.files().keySet().stream()
                    .filter(name -> !isOfTable(name) && !name.startsWith(INDEXES))
                    .forEach(needed::add);
            for (LayoutTable<StoredField> table : about.tables()) {
                OF_TABLES.keySet().stream()
                        .filter(what -> !what.equals(DELETE_DAY) || !about.isByDay())
                        .map(table::file)
                        .forEach(needed::add);
            }
            about.offer().indexSets().stream()
                    .filter(set -> set != IndexSet.NONE)
                    .map(set -> INDEXES + set.label())
                    .forEach(needed::add);
            return needed;
        }

        @Override
        public Set<String> known() {
            if (about.isForSearchesAlone()) {
                return SearchFiles.known(like.files().keySet().stream()
                        .filter(name -> !isOfTable(name) && !name.startsWith(INDEXES) && !OF_LOADING.contains(name))
                        .collect(Collectors.toSet()));
            }
            Set<String> known = needed();
            about.offer().indexSets().stream()
                    .filter(set -> set != IndexSet.NONE)
                    .map(set -> INDEXES + set.label() + "-address")
                    .forEach(known::add);
            return known;
        }

        private boolean isOfTable(String name) {
            return like.tables().stream()
                    .anyMatch(table ->
                            OF_TABLES.keySet().stream().map(table::file).anyMatch(name::equals));
        }

        @Override
        public String purpose(String name) {
            for (LayoutTable<StoredField> table : about.tables()) {
                if (OF_TABLES.keySet().stream().map(table::file).anyMatch(name::equals)) {
                    return " for its table " + table.name();
                }
            }
            return name.startsWith(INDEXES) ? " for its index set " + name.substring(INDEXES.length()) : "";
        }

        @Override
        public Set<String> allowed(String name) {
            for (LayoutTable<StoredField> table : about.tables()) {
                Optional<String> what = OF_TABLES.keySet().stream()
                        .filter(one -> table.file(one).equals(name))
                        .findFirst();
                if (what.isPresent()) {
                    return ofTable(what.get(), table);
                }
            }
            if (name.startsWith(INDEXES) || KEYS.contains(name)) {
                return Set.of();
            }
            Stream<String> expressions = about.isForSearchesAlone() ? SearchFiles.allowed(name).stream() : Stream.of();
            return Stream.concat(
                            all.getOrDefault(name, List.of()).stream()
                                    .flatMap(text -> SqlStatement.places(text).stream())
                                    .map(Place::written),
                            expressions)
                    .collect(Collectors.toCollection(LinkedHashSet::new));
        }

        private static Set<String> ofTable(String what, LayoutTable<StoredField> table) {
            Function<String, String> written = what.equals(DELETE_DAY) ? one -> ":'" + one + "'" : one -> ":" + one;
            Stream<String> values = what.equals(INSERT) ? insertValues(table).stream() : Stream.of();
            return Stream.concat(
                            OF_TABLES.getOrDefault(what, Set.of()).stream()
                                    .sorted()
                                    .map(written),
                            values.map(one -> ":'" + one + "'"))
                    .collect(Collectors.toCollection(LinkedHashSet::new));
        }

        private static Collection<String> insertValues(LayoutTable<StoredField> table) {
            List<String> values = new ArrayList<>();
            for (StoredField field : StoredField.values()) {
                if (field.fits(LayoutTable.Rows.EVENTS) && field.fits(table.rows())) {
                    values.add(field.label());
                }
            }
            if (table.rows() == LayoutTable.Rows.ADDRESSES) {
                values.addAll(List.of("addresses", "sides"));
            }
            return values;
        }

        @Override
        public Optional<List<String>> fixedOrder(String name) {
            if (name.equals(SearchFiles.VALUES)
                    || name.startsWith(INSERT + "-")
                    || (name.startsWith(CONDITION) && !name.equals(WINDOW))) {
                return Optional.empty();
            }
            if (name.startsWith(DELETE_DAY + "-")) {
                return Optional.of(List.of(":'from'", ":'until'"));
            }
            return all.getOrDefault(name, List.of()).stream()
                    .findFirst()
                    .map(text -> StatementRules.ordered(SqlStatement.places(text)));
        }
    }
}
