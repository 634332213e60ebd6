package siemload.target.postgresql;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import siemload.event.SecurityEvent;
import siemload.target.BulkLoad;
import siemload.target.postgresql.CopyLane.Commits;

/**
 * Loads tables that are there already. The rows of the other tables may refer to those of the first one and follow them,
 * portion by portion, once these are committed.
 */
final class PostgresqlBulkLoad implements BulkLoad {
    private final List<CopyLane> followers = new ArrayList<>();
    private final List<CopyLane> lanes = new ArrayList<>();

    private PostgresqlBulkLoad() {}

    static BulkLoad start(Connections connections, String database, Layout layout) {
        PostgresqlBulkLoad load = new PostgresqlBulkLoad();
        try {
            List<String> tables = layout.tables();
            for (String table : tables.subList(1, tables.size())) {
                load.followers.add(lane(connections, database, layout, table, List.of()));
            }
            load.lanes.add(lane(connections, database, layout, tables.get(0), load.followers));
            load.lanes.addAll(load.followers);
            return load;
        } catch (SQLException e) {
            load.close();
            throw SqlErrors.outsideRun("cannot load the database " + database, e);
        }
    }

    @Override
    public void write(List<SecurityEvent> events) {
        lanes.get(0).add(List.copyOf(events));
    }

    @Override
    public void store() {
        lanes.forEach(CopyLane::finish);
        close();
    }

    @Override
    public void close() {
        followers.forEach(CopyLane::close);
        lanes.forEach(CopyLane::close);
        followers.clear();
        lanes.clear();
    }

    private static CopyLane lane(
            Connections connections, String database, Layout layout, String table, List<CopyLane> followers)
            throws SQLException {
        Connection connection = connections.open(database);
        connection.setAutoCommit(false);
        return new CopyLane(layout, table, Commits.EACH_PORTION, followers, connection);
    }
}
