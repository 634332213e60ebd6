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
        try (Connection connection = open()) {
            if (!isThere(connection)) {
                return Optional.empty();
            }
        }
        return Optional.of(open());
    }

    private Connection open() throws SQLException {
        return connections.quick().opening().open();
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
        try (Connection connection = open()) {
            TableGroup.FILES.read("server/create-registry.sql").execute(connection);
        } catch (SQLException e) {
            if (!OracleErrors.isTakenName(e)) {
                throw e;
            }
            // Another process was faster.
        }
        return find().orElseThrow();
    }
}
