package siemload.database.oracle;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
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
        try (Connection connection = connections.openQuick()) {
            return !entry.identity().isEmpty()
                    && identity(entry.name(), connection).equals(entry.identity());
        } catch (SQLException e) {
            throw OracleErrors.outsideRun("cannot look for the tables " + entry.name() + "_...", e);
        }
    }

    /** Sessions that use a table keep it from being dropped, whoever they are. */
    @Override
    public Drop drop(Entry entry, Sessions sessions) {
        try (Connection connection = connections.open()) {
            SortedMap<String, Long> numbers = numbers(entry.name(), connection);
            List<String> ours = numbers.entrySet().stream()
                    .filter(table -> entry.identity().isEmpty()
                            || List.of(entry.identity().split(" ", -1)).contains(text(table)))
                    .map(Map.Entry::getKey)
                    .toList();
            TableGroup.drop(ours, connection);
            return ours.size() == numbers.size() ? Drop.GONE : Drop.FOREIGN;
        } catch (SQLException e) {
            if (OracleErrors.isInUse(e)) {
                return Drop.IN_USE;
            }
            throw OracleErrors.outsideRun("cannot drop the tables " + entry.name() + "_...", e);
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
        SortedMap<String, Long> numbers = new TreeMap<>();
        try (PreparedStatement statement = connection.prepareStatement(
                TableGroup.FILES.read("server/object-numbers.sql").sql())) {
            statement.setString(1, prefix.replace("_", "\\_"));
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    numbers.put(rows.getString(1), rows.getLong(2));
                }
            }
        }
        return numbers;
    }
}
