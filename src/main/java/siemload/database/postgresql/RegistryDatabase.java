package siemload.database.postgresql;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;
import org.postgresql.util.PSQLState;
import siemload.database.TargetException;
import siemload.database.postgresql.connection.PostgresqlConnections;
import siemload.database.postgresql.connection.PostgresqlErrors;
import siemload.database.postgresql.connection.SqlTemplate;
import siemload.database.sql.SqlRegistry;

/**
 * The database in which siemload keeps its registry, one for each user of a server. It is the same one whichever database
 * the url names, so that all runs meet there.
 */
final class RegistryDatabase {
    private static final String PREFIX = "siemload_registry_";
    private static final String MARK = "the registry of siemload: which databases of this server it has made";
    private static final String TABLE = "siemload_objects";
    /** Two processes may create the same table at the same instant, whatever the statement says. */
    private static final int TRIES = 2;

    private RegistryDatabase() {}

    /** Its name for the user with this number. */
    static String name(long user) {
        return PREFIX + user;
    }

    /**
     * Opens it, after making it where it is not there.
     *
     * @param user the number of the user who is logged in
     * @throws TargetException if a database of its name is somebody else's
     */
    static SqlRegistry open(PostgresqlConnections connections, long user) {
        String database = name(user);
        try {
            makeIfMissing(connections, database);
        } catch (SQLException e) {
            throw PostgresqlErrors.INSTANCE.outsideRun("cannot make the database " + database, e);
        }
        return new SqlRegistry(
                connections.quick(database).opening(),
                TABLE,
                SqlTemplate.read("server/now.sql").sql(),
                PostgresqlErrors.INSTANCE::outsideRun);
    }

    private static void makeIfMissing(PostgresqlConnections connections, String database) throws SQLException {
        Optional<OwnedDatabase> found;
        try (Connection connection = connections.quick().opening().open()) {
            found = OwnedDatabase.find(connection, database);
            if (found.isEmpty()) {
                create(connection, database);
            }
        }
        if (found.filter(there -> there.own() && there.comment().equals(MARK)).isPresent()) {
            return;
        }
        if (found.filter(other -> !other.own()).isPresent()) {
            throw new TargetException("the database " + database + " belongs to "
                    + found.orElseThrow().owner() + ", but siemload keeps its registry under that name; rename it");
        }
        try (Connection connection = connections.quick(database).opening().open()) {
            refuseStrangers(connection, database);
            createTable(connection);
            OwnedDatabase.comment(connection, database, MARK);
        }
    }

    /** Another process may have been faster. */
    private static void create(Connection connection, String database) throws SQLException {
        try {
            SqlTemplate.read("server/create-database.sql", Map.of("database", database))
                    .execute(connection);
        } catch (SQLException e) {
            if (!isTaken(e)) {
                throw e;
            }
        }
    }

    private static void createTable(Connection connection) throws SQLException {
        for (int tries = 1; ; tries++) {
            try {
                SqlTemplate.read("server/create-registry.sql").execute(connection);
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
    private static void refuseStrangers(Connection connection, String database) throws SQLException {
        for (String stranger :
                SqlTemplate.read("server/registry-strangers.sql").rows(connection, row -> row.getString(1))) {
            throw new TargetException("the database " + database + " holds " + stranger
                    + ", which is not siemload's, but siemload keeps its registry under that name; rename it");
        }
    }
}
