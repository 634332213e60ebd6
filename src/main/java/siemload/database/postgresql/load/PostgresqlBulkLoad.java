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
import siemload.database.postgresql.layout.StoredField;
import siemload.database.sql.layout.LayoutTable;
import siemload.event.SecurityEvent;

/** Loads all tables of a layout at once. */
public final class PostgresqlBulkLoad implements BulkLoad {
    private final Commits commits;
    private final LoadedDays days;
    /** In the order of the tables. */
    private final Deque<TableCopy> tableCopies = new ArrayDeque<>();

    private long bytes;

    private PostgresqlBulkLoad(Commits commits, LoadedDays days) {
        this.commits = commits;
        this.days = days;
    }

    /** How much is stored at once. The driver sees only at the end of a COPY that the server has given up. */
    public enum Commits {
        /** All in one transaction, the one that creates the table: so that the rows are frozen, and no later VACUUM must touch them. */
        AT_END(32 << 20),
        /**
         * Each portion, into tables that are there: the rows of the other tables may refer to those of the first one and follow
         * them once these are committed.
         */
        EACH_PORTION(4 << 20);

        final long portionBytes;

        Commits(long portionBytes) {
            this.portionBytes = portionBytes;
        }
    }

    /** Begins to load. @throws TargetException if the server refuses */
    public static PostgresqlBulkLoad start(
            PostgresqlConnections connections, String database, Layout layout, Commits commits) {
        PostgresqlBulkLoad load = new PostgresqlBulkLoad(commits, LoadedDays.of(layout, commits));
        try {
            List<LayoutTable<StoredField>> tables = layout.tables();
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
        for (LoadedDays.Batch batch : days.split(List.copyOf(events))) {
            switch (commits) {
                case AT_END -> tableCopies.forEach(tableCopy -> tableCopy.add(batch));
                case EACH_PORTION -> tableCopies.getFirst().add(batch);
            }
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
