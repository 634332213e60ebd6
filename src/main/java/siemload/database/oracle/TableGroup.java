package siemload.database.oracle;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import siemload.database.IndexSet;
import siemload.database.Partitions;
import siemload.database.sql.SqlFiles;
import siemload.database.sql.SqlStatement;

/**
 * The tables of one data set, or of one run's copy of it, in the user's own schema: their names and the statements for
 * them. Immutable and thread-safe.
 *
 * @param prefix how their names begin
 * @param partitions what the events, and the indexes on them, are cut into
 */
record TableGroup(String prefix, Tablespaces tablespaces, Partitions partitions) {
    static final SqlFiles FILES = new SqlFiles(TableGroup.class);

    static final List<String> TABLES = List.of("event", "addr", "list");
    private static final List<String> NAMES = List.of(
            "event",
            "addr",
            "list",
            "event_pk",
            "addr_event",
            "list_event",
            "event_time",
            "event_receipt",
            "event_source",
            "event_target",
            "event_category",
            "event_device",
            "event_source_port",
            "event_target_port");

    /** The name of a table or index in the database. */
    String name(String object) {
        return prefix + "_" + object.toUpperCase(Locale.ROOT);
    }

    /** The names and clauses that the files of the layout leave open. */
    Map<String, String> parts() {
        Map<String, String> parts = new HashMap<>(tablespaces.clauses());
        NAMES.forEach(object -> parts.put(object, name(object)));
        parts.put("partitioning", partitioning());
        parts.put("local", isByDay() ? "LOCAL" : "");
        return parts;
    }

    boolean isByDay() {
        return partitions == Partitions.DAY;
    }

    private String partitioning() {
        return isByDay() ? FILES.read("arc_event/partitioning.sql").sql() : "";
    }

    /** A statement of the layout for these tables. */
    SqlStatement statement(String file) {
        return statement(file, Map.of());
    }

    /** The same with more parts. */
    SqlStatement statement(String file, Map<String, String> more) {
        Map<String, String> parts = parts();
        parts.putAll(more);
        return FILES.read("arc_event/" + file + ".sql", parts);
    }

    /** The steps that build the keys and the indexes. */
    List<SqlFiles.Step> indexSteps(IndexSet indexes) {
        List<SqlFiles.Step> steps = new ArrayList<>(steps("keys"));
        if (indexes != IndexSet.NONE) {
            steps.addAll(steps("indexes-" + indexes.label()));
        }
        return steps;
    }

    /** The statements of a file of several. */
    List<SqlFiles.Step> steps(String file) {
        return FILES.steps("arc_event/" + file + ".sql", parts());
    }
}
