package siemload.database.oracle;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import siemload.database.BulkLoad;
import siemload.database.IndexSet;
import siemload.database.Maintenance;

/** The tables of one run as a whole. */
record OracleMaintenance(OracleConnections connections, TableGroup tables, IndexSet indexes) implements Maintenance {

    @Override
    public BulkLoad openLoad() {
        try {
            return OracleBulkLoad.start(connections, tables, "events into " + tables.name("event"));
        } catch (SQLException e) {
            throw OracleErrors.outsideRun("cannot load " + tables.name("event"), e);
        }
    }

    @Override
    public long deleteAll() {
        try (Connection connection = connections.open()) {
            return tables.deleteAll(connection);
        } catch (SQLException e) {
            throw OracleErrors.outsideRun("cannot delete the events in " + tables.name("event"), e);
        }
    }

    @Override
    public List<String> indexSteps() {
        return tables.indexSteps(indexes).stream().map(TableGroup.Step::name).toList();
    }

    @Override
    public void build(String step) {
        TableGroup.Step named = tables.indexSteps(indexes).stream()
                .filter(one -> one.name().equals(step))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no step '" + step + "' (" + indexSteps() + ")"));
        try (Connection connection = connections.open()) {
            TableGroup.execute(connection, named.sql());
        } catch (SQLException e) {
            throw OracleErrors.outsideRun("cannot build '" + step + "' of " + tables.name("event"), e);
        }
    }

    @Override
    public void dropIndexes() {
        try (Connection connection = connections.open()) {
            tables.dropIndexes(connection, indexes);
        } catch (SQLException e) {
            throw OracleErrors.outsideRun("cannot drop the indexes of " + tables.name("event"), e);
        }
    }

    @Override
    public void gatherStatistics() {
        try (Connection connection = connections.open()) {
            tables.gatherStatistics(connection);
        } catch (SQLException e) {
            throw OracleErrors.outsideRun("cannot gather the statistics of " + tables.name("event"), e);
        }
    }

    @Override
    public void checkpoint() {
        try (Connection connection = connections.open()) {
            TableGroup.execute(connection, "ALTER SYSTEM CHECKPOINT");
        } catch (SQLException e) {
            throw OracleErrors.outsideRun("cannot take a checkpoint (it takes the right ALTER SYSTEM)", e);
        }
    }
}
