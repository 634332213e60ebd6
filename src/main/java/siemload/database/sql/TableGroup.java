package siemload.database.sql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import siemload.database.IndexSet;
import siemload.database.Partitions;
import siemload.database.server.Portions;

/**
 * The tables of one data set, or of one run's copy of it, in the user's own schema: their names and the statements for
 * them. Immutable and thread-safe.
 *
 * @param prefix how their names begin
 */
public record TableGroup(Dialect dialect, String prefix, Partitions partitions) {
    /** The table with a row for each event. */
    public static final String EVENT = "event";
    /** Below the limit of 1,000 that some have for a list. */
    private static final int PORTION = 500;
    /** Those that refer to others behind them. */
    public static final List<String> TABLES = List.of(EVENT, "addr", "list");

    /** The name of a table or index in the database. */
    public String name(String object) {
        return prefix + "_" + object.toUpperCase(Locale.ROOT);
    }

    /** The name of the table with a row for each event. */
    public String events() {
        return name(EVENT);
    }

    /** The names and clauses that the blocks leave open. */
    public Map<String, String> parts() {
        Map<String, String> parts = new HashMap<>(dialect.clauses(partitions));
        dialect.blocks().names().forEach(name -> parts.put(name, name(name)));
        return parts;
    }

    /** A statement for these tables. */
    public SqlStatement statement(String block) {
        return dialect.blocks().read(block, parts());
    }

    /** A statement that is the same for each table. */
    public SqlStatement ofTable(String block, String table) {
        return dialect.blocks().read(block, Map.of("table", name(table)));
    }

    /** The steps that build the keys and the indexes. */
    public List<SqlStatement.Step> indexSteps(IndexSet indexes) {
        return Stream.of("keys", "indexes-" + indexes.label())
                .flatMap(block -> dialect.blocks().steps(block, parts()).stream())
                .toList();
    }

    /** How often each of these ids is stored; those that are not are missing. The last portion is filled up, so that servers parse one statement. */
    Map<String, Long> stored(Collection<String> ids, Connection open) throws SQLException {
        Map<String, String> places = parts();
        places.put("ids", String.join(", ", Collections.nCopies(PORTION, "?")));
        Map<String, Long> stored = new HashMap<>();
        try (PreparedStatement present =
                open.prepareStatement(dialect.blocks().read("present", places).sql())) {
            for (List<String> portion : Portions.ofIds(ids, PORTION)) {
                for (int i = 0; i < PORTION; i++) {
                    present.setBytes(i + 1, ColumnValues.id(portion.get(Math.min(i, portion.size() - 1))));
                }
                SqlStatement.rows(present, row -> stored.put(ColumnValues.readId(row.getBytes(1)), row.getLong(2)));
            }
        }
        return stored;
    }
}
