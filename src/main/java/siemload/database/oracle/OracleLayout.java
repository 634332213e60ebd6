package siemload.database.oracle;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import siemload.database.IndexSet;
import siemload.database.LayoutFolder;
import siemload.database.Partitions;
import siemload.database.Variant;
import siemload.database.layout.LayoutAbout;
import siemload.database.layout.LayoutFormat;
import siemload.database.layout.LayoutTable;
import siemload.database.sql.SqlFiles;
import siemload.database.sql.layout.SqlLayout;

/** A layout of Oracle. Immutable and thread-safe. */
final class OracleLayout extends SqlLayout<OracleField> {
    private static final LayoutFormat.Read<OracleField> BY_DAY =
            OracleFormat.INSTANCE.builtIn(OracleFormat.LABELS.get(0));

    private final Set<String> names;

    private OracleLayout(LayoutFormat.Read<OracleField> read) {
        super(read);
        Set<String> all = new HashSet<>(tableNames());
        blocks().all().forEach((name, block) -> {
            if (OracleFormat.makesIndexes(name)) {
                all.addAll(OracleFormat.identifiers(block.text()));
            }
        });
        this.names = Set.copyOf(all);
    }

    /** The one of a variant that the target offers. */
    static OracleLayout of(Variant variant) {
        return variant.ownLayout().map(OracleLayout::of).orElseGet(() -> of(variant.partitions()));
    }

    /** Siemload's, cut into these partitions: it has one folder, in which no block but one is for partitions alone. */
    static OracleLayout of(Partitions partitions) {
        LayoutAbout<OracleField> said = BY_DAY.about();
        String yaml =
                BY_DAY.yaml().replace("partitions: " + said.partitions().label(), "partitions: " + partitions.label());
        LayoutAbout<OracleField> about = new LayoutAbout<>(
                said.loading(),
                said.indexSets(),
                said.hints(),
                said.pagings(),
                said.base(),
                said.tables(),
                partitions,
                said.searched());
        return new OracleLayout(new LayoutFormat.Read<>(about, yaml, BY_DAY.blocks()));
    }

    /**
     * One of a user's own.
     *
     * @throws siemload.config.ConfigException with everything that is wrong with its files
     */
    static OracleLayout of(LayoutFolder folder) {
        return new OracleLayout(OracleFormat.INSTANCE.read(folder));
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
        return OracleFormat.indexBlocks(indexes).stream()
                .flatMap(block -> steps(block, parts).stream())
                .toList();
    }

    /** Whether a set, or the keys, have the index of the events that is called so behind the name of their table. */
    boolean hasIndex(String ofEvents, IndexSet indexes) {
        String name = events().name() + "_" + ofEvents;
        return OracleFormat.indexBlocks(indexes).stream()
                .flatMap(block -> blocks().find(block).stream())
                .anyMatch(block -> OracleFormat.identifiers(block.text()).contains(name));
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
