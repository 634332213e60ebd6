package siemload.database.oracle;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import siemload.config.Problems;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.LayoutFolder;
import siemload.database.layout.FolderFiles;
import siemload.database.sql.SqlFiles;
import siemload.database.sql.SqlStatement;
import siemload.database.sql.SqlStatement.Place;
import siemload.database.sql.layout.LayoutAbout;
import siemload.database.sql.layout.LayoutTable;
import siemload.database.sql.layout.LayoutTexts;
import siemload.database.sql.layout.StatementRules;
import siemload.query.Field;

/**
 * Which files a layout needs, and what may stand in them: the same as in the files of siemload's own layout, so that there is no
 * second list of either. All values go by their names. Immutable.
 *
 * @param about what the layout is
 * @param builtIn the files of siemload's layout by their names
 */
record OracleFiles(LayoutAbout<OracleField> about, Map<String, String> builtIn)
        implements StatementRules {
    private static final String TABLE = "table";
    private static final String INSERT = "insert";
    private static final String COPY = "copy";
    private static final String KEYS = "keys";
    private static final String INDEXES = "indexes-";
    private static final String LISTS = "lists-";
    private static final String PARTITIONING = "partitioning";
    /** What is done with each table, and the parts that may stand in such a file. Without a file the last two are done for any table alike. */
    private static final Map<String, List<String>> OF_TABLES = Map.of(
            TABLE, List.of(":partitioning", ":data_tablespace", ":index_tablespace", ":key_tablespace"),
            INSERT, List.of(":columns", ":values"),
            COPY, List.of(":columns", ":\"kept\""));

    private static final List<String> OF_INDEXES =
            List.of(":local", ":data_tablespace", ":index_tablespace", ":key_tablespace");
    /** How a step tells what it makes, so that it can be dropped again. */
    private static final Pattern STEP = Pattern.compile("(?:index|primary key) (\\w+)");

    /** The ends of the names of the indexes that each hint names, whatever the set is. */
    private static final Map<Hint, List<String>> HINTED = Map.of(
            Hint.TIME_INDEX, List.of("time"),
            Hint.INDEX, List.of("time", "source", "target", "category", "device"));

    /** Whether the statements of a file make indexes or keys. */
    static boolean makesIndexes(String name) {
        return name.equals(KEYS) || name.startsWith(INDEXES);
    }

    /** The names of the files with the keys and the indexes of a set. */
    static List<String> indexFiles(IndexSet indexes) {
        return indexes == IndexSet.NONE ? List.of(KEYS) : List.of(KEYS, INDEXES + indexes.label());
    }

    /** The tables and indexes that a text names. */
    static Set<String> identifiers(String text) {
        return SqlStatement.places(text).stream()
                .filter(OracleFiles::isIdentifier)
                .map(Place::name)
                .collect(Collectors.toSet());
    }

    private static boolean isIdentifier(Place place) {
        return place.written().startsWith(":\"");
    }

    /** The files of siemload's layout that any layout needs. */
    private Set<String> ofAnyLayout() {
        return builtIn.keySet().stream()
                .filter(name -> !makesIndexes(name)
                        && !name.startsWith(LISTS)
                        && !name.equals(PARTITIONING)
                        && OF_TABLES.keySet().stream().noneMatch(what -> name.startsWith(what + "-")))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Override
    public Set<String> needed() {
        Set<String> needed = ofAnyLayout();
        about.tables().forEach(table -> needed.add(table.file(TABLE)));
        about.offer().indexSets().forEach(set -> needed.addAll(indexFiles(set)));
        if (about.isByDay()) {
            needed.add(PARTITIONING);
        }
        return needed;
    }

    @Override
    public Set<String> known() {
        Set<String> known = new TreeSet<>(needed());
        about.tables().forEach(table -> OF_TABLES.keySet().forEach(what -> known.add(table.file(what))));
        Arrays.stream(Field.values()).map(field -> LISTS + field.label()).forEach(known::add);
        return known;
    }

    @Override
    public String purpose(String name) {
        return ofTable(name, TABLE)
                .map(table -> " for its table " + table.name())
                .orElse(name.startsWith(INDEXES) ? " for its index set " + name.substring(INDEXES.length()) : "");
    }

    private Optional<LayoutTable<OracleField>> ofTable(String name, String what) {
        return about.tables().stream()
                .filter(table -> table.file(what).equals(name))
                .findFirst();
    }

    @Override
    public Set<String> allowed(String name) {
        Set<String> allowed = new LinkedHashSet<>();
        about.tables().forEach(table -> allowed.add(":\"" + table.name() + "\""));
        for (Map.Entry<String, List<String>> of : OF_TABLES.entrySet()) {
            Optional<LayoutTable<OracleField>> table = ofTable(name, of.getKey());
            if (table.isPresent()) {
                allowed.addAll(of.getValue());
                if (of.getKey().equals(INSERT)) {
                    values(table.get()).forEach(allowed::add);
                }
                return allowed;
            }
        }
        if (makesIndexes(name)) {
            allowed.addAll(OF_INDEXES);
            return allowed;
        }
        SqlStatement.places(builtIn.getOrDefault(name, "")).stream()
                .filter(place -> !isIdentifier(place))
                .map(Place::written)
                .forEach(allowed::add);
        return allowed;
    }

    private static Stream<String> values(LayoutTable<OracleField> table) {
        return Arrays.stream(OracleField.values())
                .filter(field -> field.fits(table.rows()))
                .map(field -> ":'" + field.label() + "'");
    }

    /** Names of indexes are the layout's own. */
    @Override
    public boolean allows(String name, Place place) {
        return StatementRules.super.allows(name, place)
                || (makesIndexes(name)
                        && isIdentifier(place)
                        && tableOfIndex(place.name()).isPresent());
    }

    /** The table whose name is the longest with which the name of an index begins. */
    private Optional<String> tableOfIndex(String index) {
        return longest(about.tables().stream().map(table -> table.name()).toList(), index);
    }

    /** The longest of these names that another one begins with, before an underscore. */
    static Optional<String> longest(List<String> tables, String name) {
        return tables.stream()
                .filter(table -> name.startsWith(table + "_"))
                .max((one, other) -> Integer.compare(one.length(), other.length()));
    }

    @Override
    public Optional<List<String>> fixedOrder(String name) {
        return Optional.empty();
    }

    @Override
    public void check(LayoutFolder folder, Map<String, String> texts, Problems problems) {
        StatementRules.super.check(folder, texts, problems);
        FolderFiles files = new FolderFiles(folder, LayoutTexts.ENDING, problems);
        texts.forEach((name, text) -> {
            if (makesIndexes(name) && folder.files().containsKey(name + LayoutTexts.ENDING)) {
                SqlFiles.steps(name + LayoutTexts.ENDING, text).forEach(step -> checkStep(files, name, step));
            }
        });
        about.offer().indexSets().forEach(set -> checkHinted(files, set, texts));
        used(texts).forEach((name, text) -> {
            if (!folder.files().containsKey(name + LayoutTexts.ENDING)) {
                checkOfBase(files, name, text);
            }
        });
    }

    /** What rests on siemload's has its tables, or files of its own. */
    private void checkOfBase(FolderFiles files, String name, String text) {
        SqlStatement.places(text).stream()
                .filter(place -> isIdentifier(place) && !allows(name, place))
                .findFirst()
                .ifPresent(place -> files.problem(
                        name,
                        "there is no such file, and that of the base names " + place.written()
                                + ", which is no table of this layout (make a file of your own)"));
    }

    private static void checkStep(FolderFiles files, String name, SqlFiles.Step step) {
        Matcher made = STEP.matcher(step.name());
        if (!made.matches() || !identifiers(step.sql()).contains(made.group(1))) {
            files.problem(
                    name,
                    "the statement '" + step.name()
                            + "' does not say what it makes (needed: a comment line before"
                            + " each, -- index NAME or -- primary key NAME, and :\"NAME\" in it)");
        }
    }

    /** Hints name indexes. */
    private void checkHinted(FolderFiles files, IndexSet set, Map<String, String> texts) {
        Set<String> there = new TreeSet<>();
        indexFiles(set).forEach(file -> there.addAll(identifiers(texts.getOrDefault(file, ""))));
        List<String> missing = new ArrayList<>();
        HINTED.forEach((hint, ends) -> {
            if (about.offer().hints().contains(hint) && hint.conflictWith(set).isEmpty()) {
                ends.stream()
                        .map(end -> about.tables().get(0).name() + "_" + end)
                        .filter(index -> !there.contains(index))
                        .map(index -> index + " (" + hint.label() + ")")
                        .forEach(missing::add);
            }
        });
        if (!missing.isEmpty()) {
            files.problem(
                    INDEXES + set.label(),
                    "has no index " + missing.stream().sorted().collect(Collectors.joining(", "))
                            + ", which a hint names (add it, or leave the hint out)");
        }
    }
}
