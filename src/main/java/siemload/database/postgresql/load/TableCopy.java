package siemload.database.postgresql.load;

import static siemload.database.postgresql.connection.PostgresqlConnections.FILES;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;
import org.postgresql.copy.PGCopyOutputStream;
import siemload.database.TargetException;
import siemload.database.postgresql.connection.PostgresqlErrors;
import siemload.database.postgresql.layout.DayPartition;
import siemload.database.postgresql.layout.Layout;
import siemload.database.postgresql.layout.StoredField;
import siemload.database.postgresql.load.PostgresqlBulkLoad.Commits;
import siemload.database.sql.layout.LayoutTable;

/** Loads one table over a connection and a thread of its own. */
final class TableCopy implements AutoCloseable {
    private static final int MOST_WAITING = 4;
    private static final long LOOK_FOR_FAILURE_MILLIS = 100;

    private final Layout layout;
    private final int number;
    private final LayoutTable<StoredField> table;
    private final Commits commits;
    private final List<TableCopy> followers;
    private final Connection connection;
    private final BlockingQueue<PlacedRows> queue = new ArrayBlockingQueue<>(MOST_WAITING);
    private final Thread thread;
    /** The next one, where it goes into another partition than the one before; the thread's own. */
    private Optional<PlacedRows> next = Optional.empty();

    private volatile @Nullable Throwable failure;

    /**
     * @param number of the table in the layout, from 0
     * @param followers copies that get rows once those that came with them are committed here
     * @param connection a connection of its own, which this copy closes
     */
    TableCopy(Layout layout, int number, Commits commits, List<TableCopy> followers, Connection connection) {
        this.layout = layout;
        this.number = number;
        this.table = layout.tables().get(number);
        this.commits = commits;
        this.followers = List.copyOf(followers);
        this.connection = connection;
        thread = new Thread(this::run, "copy-" + table.name());
        thread.setDaemon(true);
    }

    /** Opens the transaction, and creates the table in it where the rows are to be frozen. */
    void begin() throws SQLException {
        connection.setAutoCommit(false);
        if (commits == Commits.AT_END) {
            layout.create(table, connection);
            FILES.read("server/write-early.sql").execute(connection);
        }
        thread.start();
    }

    /** Rows can be frozen only in the transaction that created the table. */
    private String copySql(Optional<DayPartition> partition) {
        Map<String, String> parts = Map.of(
                "table",
                partition.map(day -> day.of(table.name())).orElse(table.name()),
                "columns",
                table.columnNames(),
                "freeze",
                Boolean.toString(commits == Commits.AT_END));
        return layout.read("copy", parts).sql();
    }

    /** Waits until all rows are stored and commits them. */
    void finish() {
        add(PlacedRows.END);
        try {
            thread.join();
            throwFailure();
            connection.commit();
        } catch (InterruptedException e) {
            throw interrupted(e);
        } catch (SQLException e) {
            throw PostgresqlErrors.INSTANCE.outsideRun("cannot load the table " + table.name(), e);
        }
    }

    /** Lets go of the connection, and so of whatever was not finished. */
    @Override
    public void close() {
        try {
            if (thread.isAlive()) {
                connection.abort(Runnable::run);
                thread.interrupt();
            } else {
                connection.close();
            }
        } catch (SQLException alreadyBroken) {
            // The driver has let go of the socket in any case.
        }
    }

    /** Hands rows over; waits while the copy is busy. */
    void add(PlacedRows rows) {
        try {
            do {
                throwFailure();
            } while (!queue.offer(rows, LOOK_FOR_FAILURE_MILLIS, TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private void run() {
        try {
            boolean more = true;
            while (more) {
                more = copyPortion();
            }
        } catch (SQLException | InterruptedException | RuntimeException | Error e) {
            failure = e;
        }
    }

    /** One COPY of the transaction, into one partition; answers whether there are more rows. */
    private boolean copyPortion() throws SQLException, InterruptedException {
        PlacedRows rows = next.isPresent() ? next.orElseThrow() : queue.take();
        next = Optional.empty();
        if (rows.isEnd()) {
            return false;
        }
        Optional<DayPartition> partition = rows.partition();
        if (partition.isPresent()) {
            layout.createPartition(partition.orElseThrow(), table.name(), connection);
        }
        CopyIn copy = new PGCopyOutputStream(connection.unwrap(PGConnection.class), copySql(partition));
        long sent = CopyBuffer.beforeRows().send(copy);
        List<PlacedRows> portion = new ArrayList<>();
        while (!rows.isEnd()) {
            if (!rows.partition().equals(partition)) {
                next = Optional.of(rows);
                break;
            }
            sent += rows.ofTables().get(number).send(copy);
            if (!followers.isEmpty()) {
                portion.add(rows);
            }
            if (sent >= commits.portionBytes) {
                break;
            }
            rows = queue.take();
        }
        CopyBuffer.afterRows().send(copy);
        copy.endCopy();
        if (commits == Commits.EACH_PORTION) {
            connection.commit();
        }
        portion.forEach(stored -> followers.forEach(tableCopy -> tableCopy.add(stored)));
        return !rows.isEnd();
    }

    private void throwFailure() {
        Throwable cause = failure;
        if (cause instanceof SQLException e) {
            throw PostgresqlErrors.INSTANCE.outsideRun("cannot load the table " + table.name(), e);
        } else if (cause instanceof TargetException follower) {
            throw new TargetException(String.valueOf(follower.getMessage()), follower);
        } else if (cause != null) {
            throw new TargetException("cannot load the table " + table.name() + ": " + cause, cause);
        }
    }

    private TargetException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new TargetException("loading the table " + table.name() + " was interrupted", e);
    }
}
