package siemload.database.oracle;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import siemload.database.IndexSet;
import siemload.database.Partitions;
import siemload.database.layout.Blocks;
import siemload.database.layout.Blocks.Syntax;
import siemload.database.sql.SqlBlocks;
import siemload.database.sql.SqlFiles;
import siemload.database.sql.SqlStatement;

/**
 * The tables of one data set, or of one run's copy of it, in the user's own schema: their names and the statements for
 * them. Immutable and thread-safe.
 *
 * @param prefix how their names begin
 */
record TableGroup(String prefix, Partitions partitions) {
    static final SqlFiles FILES = new SqlFiles("/siemload/database/oracle/");
    /** The layout {@code arc_event}. */
    static final SqlBlocks LAYOUT =
            new SqlBlocks(Blocks.ofFolder("/siemload/database/oracle/arc_event", Syntax.SQL), List.of());
    /** The table with a row for each event. */
    static final String EVENT = "event";
    /** Those that refer to others behind them. */
    static final List<String> TABLES = List.of(EVENT, "addr", "list");

    /** Those tables and their indexes. */
    private static final Set<String> NAMES = LAYOUT.blocks().all().values().stream()
            .flatMap(block -> block.places().stream())
            .map(Blocks.Place::name)
            .filter(name -> name.startsWith(":\""))
            .map(name -> name.substring(2, name.length() - 1))
            .collect(Collectors.toUnmodifiableSet());

    /** The name of a table or index in the database. */
    String name(String object) {
        return prefix + "_" + object.toUpperCase(Locale.ROOT);
    }

    /** The name of the table with a row for each event. */
    String events() {
        return name(EVENT);
    }

    /** The names and clauses that the blocks of the layout leave open. */
    Map<String, String> parts() {
        Map<String, String> parts = new HashMap<>();
        NAMES.forEach(name -> parts.put(name, name(name)));
        boolean isByDay = partitions == Partitions.DAY;
        parts.put("partitioning", isByDay ? LAYOUT.read("partitioning").sql() : "");
        parts.put("local", isByDay ? "LOCAL" : "");
        return parts;
    }

    /** A statement of the layout for these tables. */
    SqlStatement statement(String block) {
        return LAYOUT.read(block, parts());
    }

    /** A statement that is the same for each table. */
    SqlStatement ofTable(String statement, String table) {
        return FILES.read("tables/" + statement + ".sql", Map.of("table", name(table)));
    }

    /** The steps that build the keys and the indexes. */
    List<SqlStatement.Step> indexSteps(IndexSet indexes) {
        return Stream.of("keys", "indexes-" + indexes.label())
                .flatMap(block -> LAYOUT.steps(block, parts()).stream())
                .toList();
    }
}
