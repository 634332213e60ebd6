package siemload.database.postgresql.load;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import siemload.database.BulkLoad;
import siemload.database.PreparedEvents;
import siemload.database.postgresql.connection.PostgresqlConnections;
import siemload.database.postgresql.connection.PostgresqlErrors;
import siemload.database.postgresql.layout.Layout;
import siemload.database.postgresql.layout.StoredField;
import siemload.database.sql.layout.LayoutTable;
import siemload.event.SecurityEvent;

/** Loads all tables of a layout at once. */
public final class PostgresqlBulkLoad implements BulkLoad {
    /** Of memory for rows that are made before it is their turn: where events are unusually large, the rest of them is made then. */
    private static final long MOST_AHEAD_BYTES = 4 << 20;

    private final Layout layout;
    private final Commits commits;
    private final LoadedDays days;
    /** In the order of the tables. */
    private final Deque<TableCopy> tableCopies = new ArrayDeque<>();

    private long bytes;

    private PostgresqlBulkLoad(Layout layout, Commits commits) {
        this.layout = layout;
        this.commits = commits;
        this.days = LoadedDays.of(layout, commits);
    }

    /** How much is stored at once. The driver sees only at the end of a COPY that the server has given up. */
    public enum Commits {
        /**
         * All in one transaction, the one that creates the table: so that the rows are frozen, and no later VACUUM must touch them. At
         * the end of a COPY its last 16 MB are left in the server's cache, for the commit to write.
         */
        AT_END(128 << 20),
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
        PostgresqlBulkLoad load = new PostgresqlBulkLoad(layout, commits);
        try {
            List<LayoutTable<StoredField>> tables = layout.tables();
            for (int i = tables.size() - 1; i >= 0; i--) {
                boolean leads = i == 0 && commits == Commits.EACH_PORTION;
                List<TableCopy> followers = leads ? List.copyOf(load.tableCopies) : List.of();
                Connection connection =
                        connections.maintenance(database).opening().open();
                load.tableCopies.push(new TableCopy(layout, i, commits, followers, connection));
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
    public PreparedEvents prepare(List<SecurityEvent> events) {
        CopyBatches batches = new CopyBatches(layout, days.split(events));
        List<CopyBatch> ahead = new ArrayList<>();
        long aheadBytes = 0;
        while (batches.hasNext() && aheadBytes < MOST_AHEAD_BYTES) {
            CopyBatch batch = batches.next();
            aheadBytes += batch.memoryBytes();
            ahead.add(batch);
        }
        return new PreparedEvents(events, prepared -> {
            ahead.forEach(this::add);
            batches.forEachRemaining(this::add);
        });
    }

    private void add(CopyBatch batch) {
        PlacedRows rows = new PlacedRows(days.place(batch.day()), batch.rows());
        bytes += batch.jsonBytes();
        switch (commits) {
            case AT_END -> tableCopies.forEach(tableCopy -> tableCopy.add(rows));
            case EACH_PORTION -> tableCopies.getFirst().add(rows);
        }
    }

    @Override
    public long store() {
        tableCopies.forEach(TableCopy::finish);
        close();
        return bytes;
    }

    @Override
    public void close() {
        tableCopies.descendingIterator().forEachRemaining(TableCopy::close);
        tableCopies.clear();
    }
}
