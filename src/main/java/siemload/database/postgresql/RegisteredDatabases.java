package siemload.database.postgresql;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;
import siemload.database.postgresql.connection.PostgresqlConnections;
import siemload.database.postgresql.connection.PostgresqlErrors;
import siemload.database.postgresql.connection.SqlTemplate;
import siemload.database.registry.Entry;
import siemload.database.registry.ServerObjects;

/** The databases that the registry tells of. Thread-safe. */
record RegisteredDatabases(PostgresqlConnections connections) implements ServerObjects {

    @Override
    public boolean isThere(Entry entry) {
        return connections
                .quick()
                .get(
                        "look for the database " + entry.name(),
                        connection -> OwnedDatabase.find(connection, entry.name()))
                .filter(found -> found.isThatOf(entry))
                .isPresent();
    }

    @Override
    public Drop drop(Entry entry, Sessions sessions) {
        try (Connection connection = connections.dropping().opening().open()) {
            Optional<OwnedDatabase> found = OwnedDatabase.find(connection, entry.name());
            if (found.isEmpty()) {
                return isBeingMade(connection, entry) ? Drop.IN_USE : Drop.GONE;
            }
            if (!found.orElseThrow().isThatOf(entry)) {
                return Drop.FOREIGN;
            }
            if (sessions == Sessions.RESPECT && found.orElseThrow().used()) {
                return Drop.IN_USE;
            }
            String file = sessions == Sessions.END ? "drop-database-with-sessions" : "drop-database";
            SqlTemplate.read("server/" + file + ".sql", Map.of("database", entry.name()))
                    .execute(connection);
            return Drop.GONE;
        } catch (SQLException e) {
            if (PostgresqlErrors.isInUse(e)) {
                return Drop.IN_USE;
            }
            throw PostgresqlErrors.INSTANCE.outsideRun("cannot drop the database " + entry.name(), e);
        }
    }

    /** A server may go on with a copy for a process that was killed, until it notices. */
    private static boolean isBeingMade(Connection connection, Entry entry) throws SQLException {
        return SqlTemplate.read("server/running-with.sql").row(connection, row -> row.getBoolean(1), entry.name());
    }
}
