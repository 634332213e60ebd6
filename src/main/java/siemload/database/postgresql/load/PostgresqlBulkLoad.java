package siemload.database.postgresql.load;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import siemload.database.BulkLoad;
import siemload.database.postgresql.connection.PostgresqlConnections;
import siemload.database.postgresql.connection.PostgresqlErrors;
import siemload.database.postgresql.layout.Layout;
import siemload.database.postgresql.load.TableCopy.Commits;
import siemload.event.SecurityEvent;

/** Loads all tables of a layout at once. */
public final class PostgresqlBulkLoad implements BulkLoad {
    private final Commits commits;
    /** In the order of the tables. */
    private final Deque<TableCopy> tableCopies = new ArrayDeque<>();

    private long bytes;

    private PostgresqlBulkLoad(Commits commits) {
        this.commits = commits;
    }

    /** Creates each table in the transaction that fills it, so that no later VACUUM must touch the rows. */
    public static PostgresqlBulkLoad intoNewTables(PostgresqlConnections connections, String database, Layout layout) {
        return start(connections, database, layout, Commits.AT_END);
    }

    /**
     * The rows of the other tables may refer to those of the first one and follow them, portion by portion, once these are
     * committed.
     */
    public static PostgresqlBulkLoad intoTables(PostgresqlConnections connections, String database, Layout layout) {
        return start(connections, database, layout, Commits.EACH_PORTION);
    }

    private static PostgresqlBulkLoad start(
            PostgresqlConnections connections, String database, Layout layout, Commits commits) {
        PostgresqlBulkLoad load = new PostgresqlBulkLoad(commits);
        try {
            List<String> tables = layout.tables();
            for (int i = tables.size() - 1; i >= 0; i--) {
                boolean leads = i == 0 && commits == Commits.EACH_PORTION;
                List<TableCopy> followers = leads ? List.copyOf(load.tableCopies) : List.of();
                Connection connection =
                        connections.maintenance(database).opening().open();
                load.tableCopies.push(new TableCopy(layout, tables.get(i), commits, followers, connection));
            }
            for (TableCopy tableCopy : load.tableCopies) {
                tableCopy.begin();
            }
            return load;
        } catch (SQLException e) {
            load.close();
            throw PostgresqlErrors.INSTANCE.outsideRun("cannot load the database " + database, e);
        }
    }

    @Override
    public void write(List<SecurityEvent> events) {
        List<SecurityEvent> batch = List.copyOf(events);
        switch (commits) {
            case AT_END -> tableCopies.forEach(tableCopy -> tableCopy.add(batch));
            case EACH_PORTION -> tableCopies.getFirst().add(batch);
        }
    }

    @Override
    public long store() {
        for (TableCopy tableCopy : tableCopies) {
            bytes += tableCopy.finish();
        }
        close();
        return bytes;
    }

    @Override
    public void close() {
        tableCopies.descendingIterator().forEachRemaining(TableCopy::close);
        tableCopies.clear();
    }
}
