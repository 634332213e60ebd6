package siemload.database.postgresql.layout;

import static siemload.database.postgresql.connection.PostgresqlConnections.FILES;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import siemload.config.Problems;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.LayoutFolder;
import siemload.database.Partitions;
import siemload.database.Variant;
import siemload.database.layout.MissingFileException;
import siemload.database.sql.SqlFiles;
import siemload.database.sql.SqlStatement;
import siemload.query.Paging;

/**
 * A layout: what its {@code layout.yaml} says, and its files of statements. Siemload's own ones and those of users are folders of
 * the same kind. What a layout does not have in its own folder is that of the first folder of its base that has it. Immutable and
 * thread-safe.
 */
public final class Layout {
    /** Of the names of its files. */
    public static final String ENDING = ".sql";

    /** In siemload's own files it has a line of its own. */
    private static final Pattern BASE = Pattern.compile("(?m)^base: .*\\R");

    private static final Map<String, Layout> BUILT_IN = builtIn();

    /** Mentat's: all that is searched stands in one row. */
    public static final Layout MENTAT = of("mentat", Partitions.NONE);
    /** NERD's: the same, and a table of addresses, by which events are found. */
    public static final Layout ADDRESS = of("address", Partitions.NONE);
    /** Mentat's, and the rows of a day lie in partitions of their own, those of the JSON as well. */
    public static final Layout MENTAT_BY_DAY = of("mentat", Partitions.DAY);
    /** NERD's in the same way, and so are the addresses. */
    public static final Layout ADDRESS_BY_DAY = of("address", Partitions.DAY);

    private final LayoutAbout about;
    /** The text that says what it is. */
    private final String yaml;
    /** The files with those of the base, by their names without the ending. */
    private final SortedMap<String, String> texts;
    /** Those without parts, or with their parts still in them. */
    private final Map<String, SqlStatement> statements = new HashMap<>();

    private Layout(LayoutAbout about, String yaml, Map<String, String> texts) {
        this.about = about;
        this.yaml = yaml;
        this.texts = Collections.unmodifiableSortedMap(new TreeMap<>(texts));
        this.texts.forEach((name, text) -> statements.put(name, SqlFiles.statement(text)));
    }

    private static Map<String, Layout> builtIn() {
        Map<String, Layout> layouts = new LinkedHashMap<>();
        LayoutFolders.ALL.forEach(folder -> layouts.put(folder, builtIn(folder)));
        return layouts;
    }

    private static Layout builtIn(String folder) {
        String file = folder + "/" + LayoutFolder.ABOUT;
        String yaml = FILES.text(file);
        LayoutAbout about = LayoutReader.read(file, yaml, LayoutFolders.ALL, new Problems());
        Map<String, String> texts = new HashMap<>(ofFolder(folder));
        about.base().forEach(base -> ofFolder(base).forEach(texts::putIfAbsent));
        return new Layout(about, yaml, texts);
    }

    private static Map<String, String> ofFolder(String folder) {
        Map<String, String> texts = new HashMap<>();
        String any = folder.equals(LayoutFolders.ROWS) ? "page.sql" : LayoutFolder.ABOUT;
        for (String file : FILES.beside(folder + "/" + any)) {
            if (file.endsWith(ENDING)) {
                texts.put(name(file), FILES.text(folder + "/" + file));
            }
        }
        return texts;
    }

    private static String name(String file) {
        return file.substring(0, file.length() - ENDING.length());
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
        LayoutAbout about = LayoutReader.read(folder.shown(LayoutFolder.ABOUT), yaml, LayoutFolders.BASES, problems);
        Map<String, String> texts = new HashMap<>();
        folder.files().forEach((file, text) -> {
            if (file.endsWith(ENDING)) {
                texts.put(name(file), text);
            }
        });
        about.base().forEach(base -> ofFolder(base).forEach(texts::putIfAbsent));
        LayoutFiles files = filesOf(about);
        files.check(folder, texts, problems);
        problems.throwIfAny();
        Map<String, String> used = files.used(texts);
        return new Layout(about, yaml, about.isForSearchesAlone() ? SearchFiles.filled(used) : used);
    }

    private static LayoutFiles filesOf(LayoutAbout about) {
        Map<String, List<String>> all = new HashMap<>();
        BUILT_IN.values()
                .forEach(layout -> layout.texts.forEach((name, text) ->
                        all.computeIfAbsent(name, unused -> new ArrayList<>()).add(text)));
        if (about.isForSearchesAlone()) {
            ofFolder(LayoutFolders.ROWS)
                    .forEach((name, text) -> all.computeIfAbsent(name, unused -> new ArrayList<>())
                            .add(text));
        }
        Layout like = BUILT_IN.values().stream()
                .filter(layout ->
                        layout.isByDay() == about.isByDay() && layout.hasAddressTable() == about.hasAddressTable())
                .findFirst()
                .orElseThrow();
        return new LayoutFiles(about, like, all);
    }

    /** All its files with those of its base, as a folder has them that needs no base. */
    public SortedMap<String, String> copied() {
        SortedMap<String, String> files = new TreeMap<>();
        files.put(LayoutFolder.ABOUT, BASE.matcher(yaml).replaceAll(""));
        filesOf(about).used(texts).forEach((name, text) -> files.put(name + ENDING, text));
        return files;
    }

    /** Its files by their names, without the ending. */
    SortedMap<String, String> files() {
        return texts;
    }

    /** The index sets that it has, the default first. */
    public List<IndexSet> indexSets() {
        return about.offer().indexSets();
    }

    /** The hints that it can follow, the default first. */
    public List<Hint> hints() {
        return about.offer().hints();
    }

    /** The ways of paging that it serves, the default first. */
    public List<Paging> pagings() {
        return about.offer().pagings();
    }

    /** What its tables are cut into. */
    public Partitions partitions() {
        return about.partitions();
    }

    /** Whether it says how to search events that are there already, and neither loads nor feeds any. */
    public boolean isForSearchesAlone() {
        return about.isForSearchesAlone();
    }

    /** Whether it has a file of this name without the ending. */
    public boolean has(String name) {
        return texts.containsKey(name);
    }

    /** Whether the rows of each day lie in a partition of their own. */
    public boolean isByDay() {
        return about.isByDay();
    }

    /** Whether events are found by a table of addresses. */
    public boolean hasAddressTable() {
        return about.hasAddressTable();
    }

    /** Those that refer to others come behind them. */
    public List<LayoutTable> tables() {
        return about.tables();
    }

    /** The names of the {@link #tables}. */
    public List<String> tableNames() {
        return about.tables().stream().map(LayoutTable::name).toList();
    }

    /** The tables by which events are found: that of the events, and that of their addresses. */
    public List<String> searchedTables() {
        return searched().stream().map(LayoutTable::name).toList();
    }

    private List<LayoutTable> searched() {
        return about.tables().stream()
                .filter(table -> table.equals(about.tables().get(0)) || table.rows() == LayoutTable.Rows.ADDRESSES)
                .toList();
    }

    /** The columns of the searched tables that this field fills. */
    public List<String> searchedColumns(StoredField field) {
        return searched().stream()
                .flatMap(table -> table.filledBy(field).stream())
                .toList();
    }

    /** Creates one of the {@link #tables}; one that is cut into days with a partition for all days that have none. */
    public void create(LayoutTable table, Connection connection) throws SQLException {
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
    public SqlStatement contents(LayoutTable table) {
        return read(table.file("contents"));
    }

    /** Stores the rows of an event in one of the {@link #tables}; its values are named by what they are of the event. */
    public SqlStatement insert(LayoutTable table) {
        return read(table.file("insert"), Map.of("columns", table.columnNames(), "values", table.columnValues()));
    }

    /** Deletes the rows of a day from one of the {@link #tables}. */
    public SqlStatement deleteDay(LayoutTable table) {
        return read(table.file("delete-day"));
    }

    /** A file that has no parts, or whose parts do not matter. */
    public SqlStatement read(String name) {
        SqlStatement statement = statements.get(name);
        if (statement == null) {
            throw new MissingFileException(name + ENDING);
        }
        return statement;
    }

    public SqlStatement read(String name, Map<String, String> parts) {
        return SqlFiles.statement(text(name), parts);
    }

    private String text(String name) {
        String text = texts.get(name);
        if (text == null) {
            throw new MissingFileException(name + ENDING);
        }
        return text;
    }

    /** The statements of a file that builds something; none where the layout does not have it. */
    public List<SqlFiles.Step> steps(String name) {
        return texts.containsKey(name) ? SqlFiles.steps(name + ENDING, text(name)) : List.of();
    }
}
