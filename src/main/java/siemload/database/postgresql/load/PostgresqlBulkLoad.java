package siemload.database.postgresql.load;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.List;
import siemload.database.BulkLoad;
import siemload.database.postgresql.connection.PostgresqlConnections;
import siemload.database.postgresql.connection.PostgresqlErrors;
import siemload.database.postgresql.layout.Layout;
import siemload.database.postgresql.load.TableCopy.Commits;
import siemload.event.SecurityEvent;

/**
 * Loads tables that are there already. The rows of the other tables may refer to those of the first one and follow them,
 * portion by portion, once these are committed.
 */
final class PostgresqlBulkLoad implements BulkLoad {
    /** That of the first table, and behind it those that follow it. */
    private final ArrayDeque<TableCopy> tableCopies = new ArrayDeque<>();

    private PostgresqlBulkLoad() {}

    static BulkLoad start(PostgresqlConnections connections, String database, Layout layout) {
        PostgresqlBulkLoad load = new PostgresqlBulkLoad();
        try {
            List<String> tables = layout.tables();
            for (int i = tables.size() - 1; i >= 0; i--) {
                List<TableCopy> followers = i == 0 ? List.copyOf(load.tableCopies) : List.of();
                Connection connection =
                        connections.maintenance(database).opening().open();
                connection.setAutoCommit(false);
                load.tableCopies.push(
                        new TableCopy(layout, tables.get(i), Commits.EACH_PORTION, followers, connection));
            }
            return load;
        } catch (SQLException e) {
            load.close();
            throw PostgresqlErrors.INSTANCE.outsideRun("cannot load the database " + database, e);
        }
    }

    @Override
    public void write(List<SecurityEvent> events) {
        tableCopies.getFirst().add(List.copyOf(events));
    }

    @Override
    public void store() {
        tableCopies.forEach(TableCopy::finish);
        close();
    }

    @Override
    public void close() {
        tableCopies.descendingIterator().forEachRemaining(TableCopy::close);
        tableCopies.clear();
    }
}
