package siemload.database.oracle;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.stream.Collectors;
import siemload.database.registry.Entry;
import siemload.database.registry.ServerObjects;

/**
 * The groups of tables that the registry tells of. They are the very ones if Oracle still has them under the numbers that it
 * gave them when they were made. Thread-safe.
 */
record RegisteredTables(OracleConnections connections) implements ServerObjects {

    @Override
    public boolean isThere(Entry entry) {
        return connections
                .quick()
                .get(
                        "look for the tables " + entry.name() + "_...",
                        connection -> !entry.identity().isEmpty()
                                && identity(entry.name(), connection).equals(entry.identity()));
    }

    /** Sessions that use a table keep it from being dropped, whoever they are. */
    @Override
    public Drop drop(Entry entry, Sessions sessions) {
        return connections.maintenance().get("drop the tables " + entry.name() + "_...", connection -> {
            SortedMap<String, Long> numbers = numbers(entry.name(), connection);
            List<String> ours = numbers.entrySet().stream()
                    .filter(table -> entry.identity().isEmpty()
                            || List.of(entry.identity().split(" ", -1)).contains(text(table)))
                    .map(Map.Entry::getKey)
                    .toList();
            try {
                drop(ours, connection);
            } catch (SQLException e) {
                if (OracleErrors.isInUse(e)) {
                    return Drop.IN_USE;
                }
                throw e;
            }
            return ours.size() == numbers.size() ? Drop.GONE : Drop.FOREIGN;
        });
    }

    /** Drops whichever of these tables are there. */
    private static void drop(List<String> tables, Connection connection) throws SQLException {
        for (String table : tables) {
            try {
                TableGroup.FILES
                        .read("tables/drop-table.sql", Map.of("table", table))
                        .execute(connection);
            } catch (SQLException e) {
                if (!OracleErrors.isMissingTable(e)) {
                    throw e;
                }
            }
        }
    }

    /** What tells these tables from others of the same names: {@code SL_..._ADDR=73 SL_..._EVENT=72 SL_..._LIST=74}. */
    static String identity(String prefix, Connection connection) throws SQLException {
        return numbers(prefix, connection).entrySet().stream()
                .map(RegisteredTables::text)
                .collect(Collectors.joining(" "));
    }

    private static String text(Map.Entry<String, Long> table) {
        return table.getKey() + "=" + table.getValue();
    }

    private static SortedMap<String, Long> numbers(String prefix, Connection connection) throws SQLException {
        return TableGroup.FILES
                .read("server/object-numbers.sql")
                .map(connection, row -> row.getLong(2), prefix.replace("_", "\\_"));
    }
}
