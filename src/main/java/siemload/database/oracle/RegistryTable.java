package siemload.database.oracle;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import siemload.database.TargetException;
import siemload.database.sql.SqlRegistry;

/** The table of the registry in the user's own schema. */
record RegistryTable(OracleConnections connections) implements SqlRegistry.Home {
    static final String NAME = "siemload_tables";

    @Override
    public Optional<Connection> find() throws SQLException {
        Connection connection = connections.openQuick();
        try {
            if (isThere(connection)) {
                return Optional.of(connection);
            }
        } catch (SQLException | TargetException e) {
            connection.close();
            throw e;
        }
        connection.close();
        return Optional.empty();
    }

    private static boolean isThere(Connection connection) throws SQLException {
        try {
            TableGroup.FILES.read("server/find-registry.sql").execute(connection);
            return true;
        } catch (SQLException e) {
            if (OracleErrors.isMissingTable(e)) {
                return false;
            }
            if (OracleErrors.isUnknownColumn(e)) {
                throw new TargetException(
                        "what is called SIEMLOAD_TABLES in this schema is not siemload's registry, or that of an earlier"
                                + " version; rename or drop it",
                        e);
            }
            throw e;
        }
    }

    @Override
    public Connection make() throws SQLException {
        Connection connection = connections.openQuick();
        try {
            TableGroup.FILES.read("server/create-registry.sql").execute(connection);
            return connection;
        } catch (SQLException e) {
            if (OracleErrors.isTakenName(e) && isThere(connection)) {
                return connection; // Another process was faster.
            }
            connection.close();
            throw e;
        }
    }
}
