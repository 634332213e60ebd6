package siemload.database.postgresql;

import static siemload.database.postgresql.connection.PostgresqlConnections.FILES;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;
import org.postgresql.PGConnection;
import org.postgresql.util.PSQLState;
import siemload.database.TargetException;
import siemload.database.postgresql.connection.PostgresqlConnections;
import siemload.database.postgresql.connection.PostgresqlErrors;
import siemload.database.registry.Entry;
import siemload.database.registry.Entry.Purpose;
import siemload.database.registry.Registry.Sessions;
import siemload.database.sql.SqlAccess;
import siemload.database.sql.SqlRegistry;

/**
 * The database in which siemload keeps its registry, one for each user of a server, and the databases that it tells of. It is the same one
 * whichever database the url names, so that all runs meet there.
 */
final class RegisteredDatabases extends SqlRegistry {
    private static final String PREFIX = "siemload_registry_";
    private static final String MARK = "the registry of siemload: which databases of this server it has made";
    private static final String TABLE = "siemload_objects";
    /** Two processes may create the same table at the same instant, whatever the statement says. */
    private static final int TRIES = 2;

    private final PostgresqlConnections connections;
    private final long user;

    /** @param user the number of the user who is logged in */
    RegisteredDatabases(PostgresqlConnections connections, long user) {
        super(TABLE, FILES.read("server/now.sql"), PostgresqlErrors.INSTANCE);
        this.connections = connections;
        this.user = user;
    }

    /** The name of the registry's own. */
    String database() {
        return PREFIX + user;
    }

    @Override
    protected Optional<Connection> find() throws SQLException {
        return found().isPresent() ? Optional.of(make()) : Optional.empty();
    }

    /** @throws TargetException if a database of its name is somebody else's */
    @Override
    protected Connection make() {
        return PostgresqlErrors.INSTANCE.attempt("make the database " + database(), () -> {
            Optional<Found> found = found();
            if (found.isEmpty()) {
                create();
            } else if (!found.orElseThrow().own()) {
                throw new TargetException("the database " + database() + " belongs to "
                        + found.orElseThrow().owner()
                        + ", but siemload keeps its registry under that name; rename it");
            }
            boolean marked =
                    found.filter(there -> there.comment().equals(MARK)).isPresent();
            SqlAccess.Opening opening = connections.repeating(database());
            return (marked ? opening : opening.then(this::furnish)).open();
        });
    }

    private Optional<Found> found() throws SQLException {
        try (Connection connection = connections.quick().opening().open()) {
            return find(connection, database());
        }
    }

    /** Another process may have been faster. */
    private void create() throws SQLException {
        try (Connection connection = connections.quick().opening().open()) {
            FILES.read("server/create-database.sql", Map.of("database", database()))
                    .execute(connection);
        } catch (SQLException e) {
            if (!isTaken(e)) {
                throw e;
            }
        }
    }

    private void furnish(Connection connection) throws SQLException {
        refuseStrangers(connection);
        createTable(connection);
        comment(connection, database(), MARK);
    }

    private static void createTable(Connection connection) throws SQLException {
        for (int tries = 1; ; tries++) {
            try {
                FILES.read("server/create-registry.sql").execute(connection);
                return;
            } catch (SQLException e) {
                if (!isTaken(e) || tries == TRIES) {
                    throw e;
                }
            }
        }
    }

    private static boolean isTaken(SQLException e) {
        return PostgresqlErrors.DUPLICATE_DATABASE.equals(e.getSQLState())
                || PostgresqlErrors.DUPLICATE_TABLE.equals(e.getSQLState())
                || PSQLState.UNIQUE_VIOLATION.getState().equals(e.getSQLState());
    }

    /** It has no mark yet, since a process was killed, or it is an administrator's of the same name. */
    private void refuseStrangers(Connection connection) throws SQLException {
        for (String stranger :
                FILES.read("server/registry-strangers.sql").rows(connection, row -> row.getString(1))) {
            throw new TargetException("the database " + database() + " holds " + stranger
                    + ", which is not siemload's, but siemload keeps its registry under that name; rename it");
        }
    }

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
    public boolean drop(Entry entry, Sessions sessions) {
        try (Connection connection = connections.dropping().opening().open()) {
            Optional<Found> found = find(connection, entry.name());
            if (found.isEmpty()) {
                return !isBeingMade(connection, entry);
            }
            if (!found.orElseThrow().isThatOf(entry)) {
                return true;
            }
            if (sessions == Sessions.RESPECT && found.orElseThrow().used()) {
                return false;
            }
            String file = sessions == Sessions.END ? "drop-database-with-sessions" : "drop-database";
            FILES.read("server/" + file + ".sql", Map.of("database", entry.name()))
                    .execute(connection);
            return true;
        } catch (SQLException e) {
            if (PostgresqlErrors.isInUse(e)) {
                return false;
            }
            throw PostgresqlErrors.INSTANCE.outsideRun("cannot drop the database " + entry.name(), e);
        }
    }

    /** A server may go on with a copy for a process that was killed, until it notices. */
    private static boolean isBeingMade(Connection connection, Entry entry) throws SQLException {
        return FILES.read("server/running-with.sql").row(connection, row -> row.getBoolean(1), entry.name());
    }
}
