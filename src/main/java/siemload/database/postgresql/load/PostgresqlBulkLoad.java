package siemload.database.postgresql.load;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import siemload.database.BulkLoad;
import siemload.database.postgresql.connection.PostgresqlConnections;
import siemload.database.postgresql.connection.PostgresqlConnections.Task;
import siemload.database.postgresql.connection.PostgresqlErrors;
import siemload.database.postgresql.layout.Layout;
import siemload.database.postgresql.load.TableCopy.Commits;
import siemload.event.SecurityEvent;

/**
 * Loads tables that are there already. The rows of the other tables may refer to those of the first one and follow them,
 * portion by portion, once these are committed.
 */
final class PostgresqlBulkLoad implements BulkLoad {
    private final List<TableCopy> followers = new ArrayList<>();
    private final List<TableCopy> tableCopies = new ArrayList<>();

    private PostgresqlBulkLoad() {}

    static BulkLoad start(PostgresqlConnections connections, String database, Layout layout) {
        PostgresqlBulkLoad load = new PostgresqlBulkLoad();
        try {
            List<String> tables = layout.tables();
            for (String table : tables.subList(1, tables.size())) {
                load.followers.add(tableCopy(connections, database, layout, table, List.of()));
            }
            load.tableCopies.add(tableCopy(connections, database, layout, tables.get(0), load.followers));
            load.tableCopies.addAll(load.followers);
            return load;
        } catch (SQLException e) {
            load.close();
            throw PostgresqlErrors.outsideRun("cannot load the database " + database, e);
        }
    }

    @Override
    public void write(List<SecurityEvent> events) {
        tableCopies.get(0).add(List.copyOf(events));
    }

    @Override
    public void store() {
        tableCopies.forEach(TableCopy::finish);
        close();
    }

    @Override
    public void close() {
        followers.forEach(TableCopy::close);
        tableCopies.forEach(TableCopy::close);
        followers.clear();
        tableCopies.clear();
    }

    private static TableCopy tableCopy(
            PostgresqlConnections connections, String database, Layout layout, String table, List<TableCopy> followers)
            throws SQLException {
        Connection connection = connections.open(Task.MAINTENANCE, database);
        connection.setAutoCommit(false);
        return new TableCopy(layout, table, Commits.EACH_PORTION, followers, connection);
    }
}
