package siemload.database.oracle;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Consumer;
import siemload.database.BulkLoad;
import siemload.database.DatasetKey;
import siemload.database.DatasetLoad;
import siemload.database.IndexSet;
import siemload.database.registry.Claim;
import siemload.database.registry.Entry.Purpose;
import siemload.event.SecurityEvent;

/** Loads new tables, then builds the indexes, and keeps the tables. */
final class OracleLoad implements DatasetLoad {
    private final OracleConnections connections;
    private final TableGroups groups;
    private final Claim claim;
    private final DatasetKey key;
    private final IndexSet indexes;
    private final BulkLoad events;

    private OracleLoad(
            OracleConnections connections,
            TableGroups groups,
            Claim claim,
            DatasetKey key,
            IndexSet indexes,
            BulkLoad events) {
        this.connections = connections;
        this.groups = groups;
        this.claim = claim;
        this.key = key;
        this.indexes = indexes;
        this.events = events;
    }

    static OracleLoad start(OracleConnections connections, TableGroups groups, DatasetKey key, IndexSet indexes)
            throws SQLException {
        Claim claim = groups.create(Purpose.LOADING, key.fingerprint(), key.label());
        try {
            String label = "the data set '" + key.label() + "'";
            BulkLoad events = OracleBulkLoad.start(connections, groups.tables(claim.name()), label);
            return new OracleLoad(connections, groups, claim, key, indexes, events);
        } catch (SQLException e) {
            claim.giveUp(e);
            throw e;
        }
    }

    @Override
    public void write(List<SecurityEvent> batch) {
        events.write(batch);
    }

    @Override
    public void store() {
        events.store();
    }

    @Override
    public void finish(Consumer<String> step) {
        store();
        events.close();
        try (Connection connection = connections.open()) {
            TableGroup tables = groups.tables(claim.name());
            tables.complete(connection, indexes, step);
            step.accept("keep");
            groups.keep(claim, key, tables.events(connection));
        } catch (SQLException e) {
            throw OracleErrors.outsideRun("cannot complete the data set '" + key.label() + "'", e);
        }
    }

    @Override
    public void close() {
        events.close();
        claim.release();
    }
}
