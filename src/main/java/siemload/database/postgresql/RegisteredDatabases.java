package siemload.database.postgresql;

import static siemload.database.postgresql.connection.PostgresqlConnections.FILES;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;
import org.postgresql.PGConnection;
import siemload.database.postgresql.connection.PostgresqlConnections;
import siemload.database.postgresql.connection.PostgresqlErrors;
import siemload.database.registry.Entry;
import siemload.database.registry.Entry.Purpose;
import siemload.database.registry.ServerObjects;
import siemload.database.registry.ServerObjects.Drop;
import siemload.database.registry.ServerObjects.Sessions;

/** The databases that the registry tells of, and what the server knows of them. Thread-safe. */
record RegisteredDatabases(PostgresqlConnections connections) implements ServerObjects {

    /**
     * What the server knows of a database.
     *
     * @param owner the name of the role that owns it
     * @param own whether that is the user who is logged in
     * @param comment what an administrator would read about it; empty without one
     * @param used whether somebody is connected to it
     */
    record Found(String owner, boolean own, String comment, boolean used) {

        private static Found of(ResultSet row) throws SQLException {
            return new Found(
                    row.getString("owner"), row.getBoolean("own"), row.getString("comment"), row.getBoolean("used"));
        }

        /**
         * Whether it is the very database that the entry tells of, and belongs to the user who is logged in. A process that was
         * killed between making a database and marking it leaves its random name alone as a proof.
         */
        private boolean isThatOf(Entry entry) {
            boolean unmarked = comment.isEmpty() && entry.purpose() != Purpose.DATA_SET;
            return own && (comment.endsWith(mark(entry.identity())) || unmarked);
        }
    }

    static Optional<Found> find(Connection connection, String database) throws SQLException {
        return FILES.read("server/find-database.sql").rows(connection, Found::of, database).stream()
                .findFirst();
    }

    /** Sets what an administrator reads about a database. */
    static void comment(Connection connection, String database, String text) throws SQLException {
        String literal = "'" + connection.unwrap(PGConnection.class).escapeLiteral(text) + "'";
        FILES.read("server/comment-database.sql", Map.of("database", database, "label", literal))
                .execute(connection);
    }

    /** The end of the comment on the database of an entry. */
    static String mark(String identity) {
        return " (made by siemload, mark " + identity + ")";
    }

    /** The database of this name, where there is one. */
    Optional<Found> find(String database) {
        return connections.quick().get("look for the database " + database, connection -> find(connection, database));
    }

    @Override
    public boolean isThere(Entry entry) {
        return find(entry.name()).filter(found -> found.isThatOf(entry)).isPresent();
    }

    @Override
    public Drop drop(Entry entry, Sessions sessions) {
        try (Connection connection = connections.dropping().opening().open()) {
            Optional<Found> found = find(connection, entry.name());
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
            FILES.read("server/" + file + ".sql", Map.of("database", entry.name()))
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
        return FILES.read("server/running-with.sql").row(connection, row -> row.getBoolean(1), entry.name());
    }
}
