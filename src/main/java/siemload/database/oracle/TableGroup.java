package siemload.database.oracle;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import siemload.database.IndexSet;
import siemload.database.layout.LayoutTable;
import siemload.database.sql.SqlFiles;
import siemload.database.sql.SqlStatement;

/**
 * The tables of one data set, or of one run's copy of it, in the user's own schema: their names and the statements for
 * them. Immutable and thread-safe.
 *
 * @param prefix how their names begin
 */
record TableGroup(String prefix, Tablespaces tablespaces, OracleLayout layout) {
    static final SqlFiles FILES = new SqlFiles(TableGroup.class);

    /** The name of a table or index in the database. */
    String name(String object) {
        return prefix + "_" + object.toUpperCase(Locale.ROOT);
    }

    /** The name of the table with a row for each event. */
    String events() {
        return name(layout.events().name());
    }

    /** Those that refer to others first. */
    List<LayoutTable<OracleField>> lastFirst() {
        List<LayoutTable<OracleField>> tables = new ArrayList<>(layout.tables());
        Collections.reverse(tables);
        return tables;
    }

    /** The names and clauses that the files of the layout leave open. */
    Map<String, String> parts() {
        Map<String, String> parts = parts(layout.names());
        parts.put("partitioning", isByDay() ? layout.read("partitioning").sql() : "");
        parts.put("local", isByDay() ? "LOCAL" : "");
        return parts;
    }

    /** The same that files beside the layout's leave open: the clauses of tablespaces, and the names of these tables and indexes. */
    Map<String, String> parts(Collection<String> objects) {
        Map<String, String> parts = new HashMap<>(tablespaces.clauses());
        objects.forEach(object -> parts.put(object, name(object)));
        return parts;
    }

    boolean isByDay() {
        return layout.isByDay();
    }

    /** A statement of the layout for these tables. */
    SqlStatement statement(String file) {
        return statement(file, Map.of());
    }

    /** The same with more parts. */
    SqlStatement statement(String file, Map<String, String> more) {
        Map<String, String> parts = parts();
        parts.putAll(more);
        return layout.read(file, parts);
    }

    /** Creates a table. */
    SqlStatement create(LayoutTable<OracleField> table) {
        return statement(table.block("table"));
    }

    /** Stores a row; its values are named by what they are of the event. */
    SqlStatement insert(LayoutTable<OracleField> table) {
        return ownOrAny("insert", table, Map.of());
    }

    /** Copies the rows of the same table of others. */
    SqlStatement copy(LayoutTable<OracleField> table, TableGroup kept) {
        return ownOrAny("copy", table, Map.of("kept", kept.name(table.name())));
    }

    private SqlStatement ownOrAny(String what, LayoutTable<OracleField> table, Map<String, String> more) {
        String file = table.block(what);
        if (!layout.has(file)) {
            return ofAny(what, table, more);
        }
        Map<String, String> parts = new HashMap<>(more);
        parts.put("columns", table.columnNames());
        parts.put("values", table.columnValues());
        return statement(file, parts);
    }

    /** A statement that is the same for each table of each layout. */
    SqlStatement ofAny(String file, LayoutTable<OracleField> table) {
        return ofAny(file, table, Map.of());
    }

    /** The same with more parts. */
    SqlStatement ofAny(String file, LayoutTable<OracleField> table, Map<String, String> more) {
        Map<String, String> parts = new HashMap<>(layout.columns(table));
        parts.put("table", name(table.name()));
        parts.put("event", events());
        parts.putAll(more);
        return FILES.read("tables/" + file + ".sql", parts);
    }

    /** A statement that is the same for the events of each layout. */
    SqlStatement ofEvents(String file) {
        return ofAny(file, layout.events());
    }

    /** The steps that build the keys and the indexes. */
    List<SqlFiles.Step> indexSteps(IndexSet indexes) {
        return layout.indexSteps(indexes, parts());
    }
}
