package siemload.target.postgresql;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import siemload.event.SecurityEvent;
import siemload.target.DatasetKey;
import siemload.target.DatasetLoad;
import siemload.target.Variant;
import siemload.target.postgresql.CopyLane.Commits;

/**
 * Loads all tables at once, each in the transaction that creates it, so that no later VACUUM must touch the rows; then
 * builds the indexes, and keeps the database under its final name.
 */
final class PostgresqlLoad implements DatasetLoad {
    private final Connections connections;
    private final Databases databases;
    private final DatasetKey key;
    private final Variant variant;
    private final Layout layout;
    private final List<CopyLane> lanes = new ArrayList<>();
    private boolean finished;

    private PostgresqlLoad(Connections connections, Databases databases, DatasetKey key, Variant variant) {
        this.connections = connections;
        this.databases = databases;
        this.key = key;
        this.variant = variant;
        this.layout = Layout.of(variant.layout());
    }

    static PostgresqlLoad start(Connections connections, Databases databases, DatasetKey key, Variant variant) {
        databases.createForLoading(key.fingerprint());
        PostgresqlLoad load = new PostgresqlLoad(connections, databases, key, variant);
        try {
            for (String table : load.layout.tables()) {
                load.open(table);
            }
            return load;
        } catch (SQLException e) {
            load.close();
            throw SqlErrors.outsideRun("cannot create the tables of the data set '" + key.label() + "'", e);
        }
    }

    @Override
    public void write(List<SecurityEvent> events) {
        List<SecurityEvent> batch = List.copyOf(events);
        lanes.forEach(lane -> lane.add(batch));
    }

    @Override
    public void store() {
        lanes.forEach(CopyLane::finish);
        closeLanes();
    }

    @Override
    public void finish(Consumer<String> step) {
        store();
        try (Connection connection = connections.open(Databases.loading(key.fingerprint()));
                Statement statement = connection.createStatement()) {
            for (IndexStep index : IndexStep.of(layout, variant.indexes())) {
                step.accept(index.name());
                index.run(statement);
            }
            step.accept("vacuum and analyze");
            statement.execute("VACUUM (ANALYZE) " + String.join(", ", layout.tables()));
        } catch (SQLException e) {
            throw SqlErrors.outsideRun("cannot complete the data set '" + key.label() + "'", e);
        }
        step.accept("keep");
        databases.keep(key.fingerprint(), key.label());
        finished = true;
    }

    @Override
    public void close() {
        closeLanes();
        if (!finished) {
            finished = true;
            databases.drop(Databases.loading(key.fingerprint()));
        }
    }

    private void open(String table) throws SQLException {
        Connection connection = connections.open(Databases.loading(key.fingerprint()));
        try (Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute(layout.table(table).sql());
            lanes.add(new CopyLane(layout, table, Commits.AT_END, List.of(), connection));
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
    }

    private void closeLanes() {
        lanes.forEach(CopyLane::close);
        lanes.clear();
    }
}
