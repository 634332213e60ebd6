package siemload.target.oracle;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Consumer;
import siemload.event.SecurityEvent;
import siemload.target.BulkLoad;
import siemload.target.DatasetKey;
import siemload.target.DatasetLoad;
import siemload.target.IndexSet;

/** Loads new tables, then builds the indexes, and keeps the tables. */
final class OracleLoad implements DatasetLoad {
    private final Connections connections;
    private final Registry registry;
    private final Registry.Claim claim;
    private final DatasetKey key;
    private final IndexSet indexes;
    private final BulkLoad events;
    private boolean ended;

    private OracleLoad(
            Connections connections,
            Registry registry,
            Registry.Claim claim,
            DatasetKey key,
            IndexSet indexes,
            BulkLoad events) {
        this.connections = connections;
        this.registry = registry;
        this.claim = claim;
        this.key = key;
        this.indexes = indexes;
        this.events = events;
    }

    static OracleLoad start(Connections connections, Registry registry, DatasetKey key, IndexSet indexes)
            throws SQLException {
        Registry.Claim claim = registry.claim("loading", key.fingerprint(), key.label());
        try (Connection connection = connections.open()) {
            claim.tables().create(connection);
            String label = "the data set '" + key.label() + "'";
            BulkLoad events = OracleBulkLoad.start(connections, claim.tables(), label);
            return new OracleLoad(connections, registry, claim, key, indexes, events);
        } catch (SQLException e) {
            registry.drop(claim);
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
            claim.tables().complete(connection, indexes, step);
            step.accept("keep");
            registry.keep(claim, key.fingerprint());
            ended = true;
            claim.close();
        } catch (SQLException e) {
            throw SqlErrors.outsideRun("cannot complete the data set '" + key.label() + "'", e);
        }
    }

    @Override
    public void close() {
        events.close();
        if (!ended) {
            ended = true;
            try {
                registry.drop(claim);
            } catch (SQLException e) {
                throw SqlErrors.outsideRun(
                        "cannot drop the tables " + claim.tables().prefix() + "_...", e);
            }
        }
    }
}
