package siemload.database.oracle;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import siemload.database.sql.SqlStatement;

/** Looks for events by their ids, in portions of one size so that the server parses one statement. Stateless. */
final class StoredIds {
    /** Below Oracle's limit of 1,000 for a list. */
    private static final int PORTION = 500;

    private StoredIds() {}

    /** How often each of the ids is stored; ids that are not are missing from the map. */
    static Map<String, Long> among(List<String> ids, Connection connection, TableGroup tables) throws SQLException {
        Map<String, String> places = Map.of("ids", String.join(", ", Collections.nCopies(PORTION, "?")));
        Map<String, Long> stored = new HashMap<>();
        try (PreparedStatement statement =
                connection.prepareStatement(tables.statement("present", places).sql())) {
            for (int from = 0; from < ids.size(); from += PORTION) {
                for (int i = 0; i < PORTION; i++) {
                    // The last one stands for the rest.
                    String id = ids.get(Math.min(from + i, ids.size() - 1));
                    statement.setBytes(i + 1, ColumnValues.id(id));
                }
                SqlStatement.rows(statement, row -> stored.put(ColumnValues.readId(row.getBytes(1)), row.getLong(2)));
            }
        }
        return stored;
    }
}
