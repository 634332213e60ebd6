package siemload.database.oracle;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import siemload.config.Origin;
import siemload.config.Problems;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.LayoutFolder;
import siemload.database.Partitions;
import siemload.database.Variant;
import siemload.database.sql.SqlFiles;
import siemload.database.sql.layout.LayoutAbout;
import siemload.database.sql.layout.LayoutReader;
import siemload.database.sql.layout.LayoutTable;
import siemload.database.sql.layout.LayoutTable.Rows;
import siemload.database.sql.layout.LayoutTexts;
import siemload.database.sql.layout.StatementLayout;
import siemload.query.Paging;

/** A layout of Oracle. Immutable and thread-safe. */
final class OracleLayout extends StatementLayout<OracleField> {
    /** The names of siemload's own layouts, the default first. */
    static final List<String> LABELS = List.of("arc_event");

    /** What searches can be told, the default first. */
    static final List<Hint> HINTS =
            List.of(Hint.NONE, Hint.FULL_SCAN, Hint.FULL_SCAN_PARALLEL, Hint.INDEX, Hint.TIME_INDEX, Hint.FIRST_ROWS);

    /** The ways of paging, the default first. */
    static final List<Paging> PAGINGS = List.of(Paging.OFFSET, Paging.KEYSET);

    /** What stands for a part in the files, so that no table can have its name. */
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

    private static final LayoutReader<OracleField> READER = new LayoutReader<>(
            "oracle", List.of(OracleField.values()), List.of(Rows.values()), HINTS, PAGINGS, LABELS, TAKEN);

    private static final SqlFiles FILES = TableGroup.FILES;
    private static final Map<Partitions, OracleLayout> BUILT_IN = builtIn();

    private final Set<String> names;

    private OracleLayout(LayoutAbout<OracleField> about, String yaml, LayoutTexts texts) {
        super(about, yaml, texts);
        Set<String> all = new HashSet<>(tableNames());
        texts.all().forEach((name, text) -> {
            if (OracleFiles.makesIndexes(name)) {
                all.addAll(OracleFiles.identifiers(text));
            }
        });
        this.names = Set.copyOf(all);
    }

    /** ArcSight's has one folder, in which no file but one is for partitions alone. */
    private static Map<Partitions, OracleLayout> builtIn() {
        Map<Partitions, OracleLayout> layouts = new EnumMap<>(Partitions.class);
        String folder = LABELS.get(0);
        String file = folder + "/" + LayoutFolder.ABOUT;
        for (Partitions partitions : Partitions.values()) {
            String yaml = FILES.text(file)
                    .replace("partitions: " + Partitions.DAY.label(), "partitions: " + partitions.label());
            LayoutAbout<OracleField> about = READER.read(file, yaml, new Problems());
            LayoutTexts texts = new LayoutTexts(LayoutTexts.builtIn(FILES, folder, about.base()));
            layouts.put(partitions, new OracleLayout(about, yaml, texts));
        }
        return layouts;
    }

    /** The one of a variant that the target offers. */
    static OracleLayout of(Variant variant) {
        return variant.ownLayout().map(OracleLayout::of).orElseGet(() -> of(variant.partitions()));
    }

    /** Siemload's, cut into these partitions. */
    static OracleLayout of(Partitions partitions) {
        return Objects.requireNonNull(BUILT_IN.get(partitions));
    }

    /**
     * One of a user's own.
     *
     * @throws siemload.config.ConfigException with everything that is wrong with its files
     */
    static OracleLayout of(LayoutFolder folder) {
        Problems problems = new Problems();
        String yaml = folder.files().getOrDefault(LayoutFolder.ABOUT, "");
        LayoutAbout<OracleField> about = READER.read(folder.shown(LayoutFolder.ABOUT), yaml, problems);
        if (about.isForSearchesAlone()) {
            problems.add(
                    new Origin.WholeFile(folder.shown(LayoutFolder.ABOUT)),
                    "loading: none is not known for oracle, whose tables are searched only where siemload has loaded them"
                            + " (leave it out)");
            problems.throwIfAny();
        }
        if (about.tables().get(0).filledBy(OracleField.DETECT_TIME).isEmpty()) {
            problems.add(
                    new Origin.WholeFile(folder.shown(LayoutFolder.ABOUT)),
                    "no column of the first table is filled by detect_time (needed: one, by which days are told apart)");
        }
        LayoutTexts texts =
                LayoutTexts.own(folder, about, FILES, new OracleFiles(about, builtInTexts()), Set.of(), problems);
        return new OracleLayout(about, yaml, texts);
    }

    private static SortedMap<String, String> builtInTexts() {
        return of(Partitions.DAY).texts().all();
    }

    @Override
    protected OracleFiles rules(LayoutAbout<OracleField> said) {
        return new OracleFiles(said, builtInTexts());
    }

    /** The table with a row for each event. */
    LayoutTable<OracleField> events() {
        return tables().get(0);
    }

    /** The names of its tables and of its indexes. */
    Set<String> names() {
        return names;
    }

    /** The steps that build the keys, and the indexes of a set. */
    List<SqlFiles.Step> indexSteps(IndexSet indexes, Map<String, String> parts) {
        return OracleFiles.indexFiles(indexes).stream()
                .filter(texts()::has)
                .flatMap(file -> SqlFiles.steps(file, texts().text(file), parts).stream())
                .toList();
    }

    /** Whether a set, or the keys, have the index of the events that is called so behind the name of their table. */
    boolean hasIndex(String ofEvents, IndexSet indexes) {
        String name = events().name() + "_" + ofEvents;
        return OracleFiles.indexFiles(indexes).stream()
                .filter(texts()::has)
                .anyMatch(file -> OracleFiles.identifiers(texts().text(file)).contains(name));
    }

    /** What the statements about all rows of a table have in their places, beside its name. */
    Map<String, String> columns(LayoutTable<OracleField> table) {
        Map<String, String> parts = new HashMap<>();
        parts.put("columns", table.columnNames());
        parts.put("values", table.columnValues());
        parts.put("id", table.filledBy(OracleField.ID).get(0));
        parts.put("event_id", events().filledBy(OracleField.ID).get(0));
        parts.put("time", events().filledBy(OracleField.DETECT_TIME).get(0));
        return parts;
    }
}
