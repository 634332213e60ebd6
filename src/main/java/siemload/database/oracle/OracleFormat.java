package siemload.database.oracle;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import siemload.config.Origin;
import siemload.config.Problems;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.LayoutFolder;
import siemload.database.layout.Blocks;
import siemload.database.layout.Blocks.Block;
import siemload.database.layout.LayoutAbout;
import siemload.database.layout.LayoutTable;
import siemload.database.layout.LayoutTable.Rows;
import siemload.database.sql.SqlFiles;
import siemload.database.sql.SqlStatement;
import siemload.database.sql.SqlStatement.Place;
import siemload.database.sql.layout.SqlLayoutFormat;
import siemload.query.Field;
import siemload.query.Paging;

/** How layouts of this database are read. Immutable and thread-safe. */
final class OracleFormat extends SqlLayoutFormat<OracleField> {
    /** The names of siemload's own layouts, the default first. */
    static final List<String> LABELS = List.of("arc_event");
    /** What searches can be told, the default first. */
    static final List<Hint> HINTS =
            List.of(Hint.NONE, Hint.FULL_SCAN, Hint.FULL_SCAN_PARALLEL, Hint.INDEX, Hint.TIME_INDEX, Hint.FIRST_ROWS);
    /** The ways of paging, the default first. */
    static final List<Paging> PAGINGS = List.of(Paging.OFFSET, Paging.KEYSET);

    /** What stands for a part in the blocks, so that no table can have its name. */
    private static final Set<String> TAKEN = Set.of(
            "partitioning",
            "local",
            "hint",
            "conditions",
            "direction",
            "reversed",
            "field",
            "lists",
            "columns",
            "values",
            "kept",
            "ids",
            "data_tablespace",
            "index_tablespace",
            "key_tablespace");

    private static final String INSERT = "insert";
    private static final String KEYS = "keys";
    private static final String LISTS = "lists-";
    private static final String PARTITIONING = "partitioning";
    private static final List<String> TABLESPACES = List.of(":data_tablespace", ":index_tablespace", ":key_tablespace");
    /** How a step tells what it makes, so that it can be dropped again. */
    private static final Pattern STEP = Pattern.compile("(?:index|primary key) (\\w+)");
    /** The ends of the names of the indexes that each hint names, whatever the set is. */
    private static final Map<Hint, List<String>> HINTED = Map.of(
            Hint.TIME_INDEX, List.of("time"),
            Hint.INDEX, List.of("time", "source", "target", "category", "device"));

    /** Reads them. */
    static final OracleFormat INSTANCE = new OracleFormat();

    private OracleFormat() {
        super(
                "/siemload/database/oracle/",
                new LayoutAbout.Vocabulary<>(
                        "oracle",
                        List.of(OracleField.values()),
                        List.of(Rows.values()),
                        HINTS,
                        List.of(),
                        PAGINGS,
                        LABELS,
                        TAKEN,
                        "",
                        name -> Optional.empty()));
    }

    /** Whether the statements of a block make indexes or keys. */
    static boolean makesIndexes(String name) {
        return name.equals(KEYS) || name.startsWith(INDEXES);
    }

    /** The names of the blocks with the keys and the indexes of a set. */
    static List<String> indexBlocks(IndexSet indexes) {
        return indexes == IndexSet.NONE ? List.of(KEYS) : List.of(KEYS, INDEXES + indexes.label());
    }

    /** The tables and indexes that a text names. */
    static Set<String> identifiers(String text) {
        return SqlStatement.places(text).stream()
                .filter(place -> isIdentifier(place.written()))
                .map(Place::name)
                .collect(Collectors.toSet());
    }

    private static boolean isIdentifier(String written) {
        return written.startsWith(":\"");
    }

    /** The longest of these names that another one begins with, before an underscore. */
    static Optional<String> longest(List<String> tables, String name) {
        return tables.stream()
                .filter(table -> name.startsWith(table + "_"))
                .max((one, other) -> Integer.compare(one.length(), other.length()));
    }

    @Override
    protected Set<String> model(LayoutAbout<OracleField> about) {
        return ofFolder(LABELS.get(0)).names();
    }

    @Override
    protected Map<String, Predicate<LayoutAbout<OracleField>>> ofTables() {
        return Map.of("table", about -> true, INSERT, about -> false, "copy", about -> false);
    }

    @Override
    protected Set<String> ofLoading() {
        return Set.of();
    }

    @Override
    protected Set<String> optional(LayoutAbout<OracleField> about) {
        Set<String> optional = new LinkedHashSet<>();
        Arrays.stream(Field.values()).map(field -> LISTS + field.label()).forEach(optional::add);
        if (!about.isByDay()) {
            optional.add(PARTITIONING);
        }
        return optional;
    }

    @Override
    protected Set<String> allowed(LayoutAbout<OracleField> about, String block) {
        Set<String> allowed = new LinkedHashSet<>();
        Stream<Blocks> siemloads = Stream.of(ofFolder(LABELS.get(0)));
        about.tables().forEach(table -> allowed.add(":\"" + table.name() + "\""));
        for (LayoutTable<OracleField> table : about.tables()) {
            for (String what : ofTables().keySet()) {
                if (table.block(what).equals(block)) {
                    allowed.addAll(ofTable(what, table));
                    return allowed;
                }
            }
        }
        if (makesIndexes(block)) {
            allowed.add(":local");
            allowed.addAll(TABLESPACES);
            return allowed;
        }
        places(block, siemloads)
                .map(Place::written)
                .filter(written -> !isIdentifier(written))
                .forEach(allowed::add);
        return allowed;
    }

    /** Without a block of its own the last two are done for any table alike. */
    private static List<String> ofTable(String what, LayoutTable<OracleField> table) {
        List<String> names = new ArrayList<>();
        switch (what) {
            case "table" -> {
                names.add(":partitioning");
                names.addAll(TABLESPACES);
            }
            case INSERT -> {
                names.addAll(List.of(":columns", ":values"));
                Arrays.stream(OracleField.values())
                        .filter(field -> field.fits(table.rows()))
                        .forEach(field -> names.add(":'" + field.label() + "'"));
            }
            default -> names.addAll(List.of(":columns", ":\"kept\""));
        }
        return names;
    }

    /** Names of indexes are the layout's own, and begin with that of their table. */
    @Override
    protected boolean isFree(LayoutAbout<OracleField> about, String block, String written) {
        return makesIndexes(block)
                && isIdentifier(written)
                && longest(tableNames(about), written.substring(2, written.length() - 1))
                        .isPresent();
    }

    private static List<String> tableNames(LayoutAbout<OracleField> about) {
        return about.tables().stream().map(table -> table.name()).toList();
    }

    @Override
    protected Optional<String> wrong(LayoutAbout<OracleField> about, Block block) {
        if (!makesIndexes(block.name())) {
            return super.wrong(about, block);
        }
        for (SqlFiles.Step step : SqlFiles.steps("", block.text())) {
            Matcher made = STEP.matcher(step.name());
            if (!made.matches() || !identifiers(step.sql()).contains(made.group(1))) {
                return Optional.of("has a statement '" + step.name()
                        + "' that does not say what it makes (needed: a comment line before"
                        + " each, -- index NAME or -- primary key NAME, and :\"NAME\" in it)");
            }
        }
        return Optional.empty();
    }

    @Override
    protected void checkTogether(LayoutAbout<OracleField> about, Blocks all, LayoutFolder folder, Problems problems) {
        Origin yaml = new Origin.WholeFile(folder.shown(LayoutFolder.ABOUT));
        if (about.tables().get(0).filledBy(OracleField.DETECT_TIME).isEmpty()) {
            problems.add(
                    yaml,
                    "no column of the first table is filled by detect_time (needed: one, by which days are told apart)");
        }
        about.indexSets().forEach(set -> checkHinted(about, set, all, yaml, problems));
        Set<String> tables = new TreeSet<>(tableNames(about));
        all.all().forEach((name, block) -> {
            if (!makesIndexes(name) && !name.startsWith("table-") && !name.startsWith("copy-")) {
                identifiers(block.text()).stream()
                        .filter(table -> !tables.contains(table))
                        .findFirst()
                        .ifPresent(table -> problems.add(
                                yaml,
                                "there is no block " + name + ", and that of the base names :\"" + table
                                        + "\", which is no table of this layout (write a block of your own)"));
            }
        });
    }

    /** Hints name indexes. */
    private static void checkHinted(
            LayoutAbout<OracleField> about, IndexSet set, Blocks all, Origin yaml, Problems problems) {
        Set<String> there = new TreeSet<>();
        indexBlocks(set).forEach(name -> all.find(name).ifPresent(block -> there.addAll(identifiers(block.text()))));
        List<String> missing = new ArrayList<>();
        HINTED.forEach((hint, ends) -> {
            if (about.hints().contains(hint) && hint.conflictWith(set).isEmpty()) {
                ends.stream()
                        .map(end -> about.tables().get(0).name() + "_" + end)
                        .filter(index -> !there.contains(index))
                        .forEach(index -> missing.add(index + " (" + hint.label() + ")"));
            }
        });
        if (!missing.isEmpty()) {
            problems.add(
                    yaml,
                    "the block " + INDEXES + set.label() + " has no index "
                            + missing.stream().sorted().collect(Collectors.joining(", "))
                            + ", which a hint names (add it, or leave the hint out)");
        }
    }
}
