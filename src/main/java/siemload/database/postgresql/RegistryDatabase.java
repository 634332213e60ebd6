package siemload.database.postgresql;

import static siemload.database.postgresql.connection.PostgresqlConnections.FILES;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;
import org.postgresql.util.PSQLState;
import siemload.database.TargetException;
import siemload.database.postgresql.connection.PostgresqlConnections;
import siemload.database.postgresql.connection.PostgresqlErrors;
import siemload.database.sql.SqlAccess;
import siemload.database.sql.SqlRegistry;

/**
 * The database in which siemload keeps its registry, one for each user of a server. It is the same one whichever database
 * the url names, so that all runs meet there.
 *
 * @param user the number of the user who is logged in
 */
record RegistryDatabase(PostgresqlConnections connections, long user) implements SqlRegistry.Home {
    private static final String PREFIX = "siemload_registry_";
    private static final String MARK = "the registry of siemload: which databases of this server it has made";
    private static final String TABLE = "siemload_objects";
    /** Two processes may create the same table at the same instant, whatever the statement says. */
    private static final int TRIES = 2;

    String name() {
        return PREFIX + user;
    }

    SqlRegistry registry() {
        return new SqlRegistry(this, TABLE, FILES.read("server/now.sql"), PostgresqlErrors.INSTANCE);
    }

    @Override
    public Optional<Connection> find() throws SQLException {
        return found().isPresent() ? Optional.of(make()) : Optional.empty();
    }

    /** @throws TargetException if a database of its name is somebody else's */
    @Override
    public Connection make() {
        return PostgresqlErrors.INSTANCE.attempt("make the database " + name(), () -> {
            Optional<RegisteredDatabases.Found> found = found();
            if (found.isEmpty()) {
                create();
            } else if (!found.orElseThrow().own()) {
                throw new TargetException("the database " + name() + " belongs to "
                        + found.orElseThrow().owner() + ", but siemload keeps its registry under that name; rename it");
            }
            boolean marked = found.filter(there -> there.comment().equals(MARK)).isPresent();
            SqlAccess.Opening opening = connections.repeating(name());
            return (marked ? opening : opening.then(this::furnish)).open();
        });
    }

    private Optional<RegisteredDatabases.Found> found() throws SQLException {
        try (Connection connection = connections.quick().opening().open()) {
            return RegisteredDatabases.find(connection, name());
        }
    }

    /** Another process may have been faster. */
    private void create() throws SQLException {
        try (Connection connection = connections.quick().opening().open()) {
            FILES.read("server/create-database.sql", Map.of("database", name())).execute(connection);
        } catch (SQLException e) {
            if (!isTaken(e)) {
                throw e;
            }
        }
    }

    private void furnish(Connection connection) throws SQLException {
        refuseStrangers(connection);
        createTable(connection);
        RegisteredDatabases.comment(connection, name(), MARK);
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
        for (String stranger : FILES.read("server/registry-strangers.sql").rows(connection, row -> row.getString(1))) {
            throw new TargetException("the database " + name() + " holds " + stranger
                    + ", which is not siemload's, but siemload keeps its registry under that name; rename it");
        }
    }
}
