package siemload.database.postgresql.layout;

import static siemload.database.postgresql.connection.PostgresqlConnections.FILES;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import siemload.config.Problems;
import siemload.database.Hint;
import siemload.database.LayoutFolder;
import siemload.database.Partitions;
import siemload.database.Variant;
import siemload.database.sql.SqlFiles;
import siemload.database.sql.SqlStatement;
import siemload.database.sql.layout.LayoutAbout;
import siemload.database.sql.layout.LayoutReader;
import siemload.database.sql.layout.LayoutTable;
import siemload.database.sql.layout.LayoutTexts;
import siemload.database.sql.layout.StatementLayout;
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
}
