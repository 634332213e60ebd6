package siemload.database.oracle;

import java.sql.Connection;
import java.sql.SQLException;
import siemload.database.TargetException;
import siemload.database.sql.SqlRegistry;

/** The table of the registry in the user's own schema. */
final class RegistryTable implements SqlRegistry.Home {
    static final String NAME = "siemload_tables";

    @Override
    public boolean isThere(Connection connection) throws SQLException {
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
    public void make(Connection connection) throws SQLException {
        try {
            TableGroup.FILES.read("server/create-registry.sql").execute(connection);
        } catch (SQLException e) {
            boolean anotherWasFaster = OracleErrors.isTakenName(e) && isThere(connection);
            if (!anotherWasFaster) {
                throw e;
            }
        }
    }
}
