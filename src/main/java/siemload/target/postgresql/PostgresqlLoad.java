package siemload.target.postgresql;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import siemload.event.SecurityEvent;
import siemload.target.DatasetKey;
import siemload.target.DatasetLoad;
import siemload.target.IndexSet;
import siemload.target.sql.SqlStatement;

/** Loads both tables at once, then builds the indexes, and keeps the database under its final name. */
final class PostgresqlLoad implements DatasetLoad {
    private final Connections connections;
    private final Databases databases;
    private final DatasetKey key;
    private final IndexSet indexes;
    private final List<CopyLane> lanes = new ArrayList<>();
    private boolean finished;

    private PostgresqlLoad(Connections connections, Databases databases, DatasetKey key, IndexSet indexes) {
        this.connections = connections;
        this.databases = databases;
        this.key = key;
        this.indexes = indexes;
    }

    static PostgresqlLoad start(Connections connections, Databases databases, DatasetKey key, IndexSet indexes) {
        databases.createForLoading(key.fingerprint());
        PostgresqlLoad load = new PostgresqlLoad(connections, databases, key, indexes);
        try {
            Map<String, String> columns = Map.of("columns", EventColumn.NAMES);
            load.open("events", SqlTemplate.read("mentat/copy-events.sql", columns), new CopyFormat.Events());
            load.open("events-json", SqlTemplate.read("mentat/copy-events-json.sql"), new CopyFormat.EventsJson());
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
            for (IndexStep index : IndexStep.of(indexes)) {
                step.accept(index.name());
                index.run(statement);
            }
            step.accept("vacuum and analyze");
            statement.execute("VACUUM (ANALYZE) events, events_json");
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

    private void open(String name, SqlStatement copy, CopyFormat format) throws SQLException {
        SqlStatement create = SqlTemplate.read("mentat/table-" + name + ".sql");
        Connection connection = connections.open(Databases.loading(key.fingerprint()));
        try {
            lanes.add(new CopyLane(name.replace('-', '_'), create, copy, format, connection));
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
