package siemload.database.postgresql.search;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import siemload.database.RowReader;
import siemload.database.postgresql.connection.PostgresqlErrors;
import siemload.database.postgresql.connection.RunConnection;

/**
 * The connection of one session: each answer is waited for until the timeout and can be cancelled. Used by one thread,
 * except for {@link #cancel} and {@link #endSilence}.
 */
public final class SearchConnection implements AutoCloseable {
    private final RunConnection connection;
    private final Duration timeout;
    private final PostgresqlCanceller stop;

    public SearchConnection(RunConnection connection, Duration timeout, ScheduledExecutorService watchers) {
        this.connection = connection;
        this.timeout = timeout;
        this.stop = new PostgresqlCanceller(watchers);
    }

    void connect() throws SQLException {
        connection.get();
    }

    /**
     * Waits for what the work asks the server, within the timeout.
     *
     * @throws siemload.database.SearchException in place of the driver's error
     */
    <T> T answer(Work<T> work) {
        long start = System.nanoTime();
        try {
            stop.arm(connection.get(), start + timeout.toNanos());
            try {
                return work.run();
            } finally {
                stop.disarm();
            }
        } catch (SQLException e) {
            connection.closeIfLost(e);
            throw PostgresqlErrors.inRun(e, Duration.ofNanos(System.nanoTime() - start), timeout);
        }
    }

    /** Inside {@link #answer}: stops the work at the deadline even where it is many statements to the server. */
    void scheduleDeadline() {
        stop.scheduleDeadline();
    }

    /** Inside {@link #answer}, between two rows: fails if the work was cancelled or its time is over. */
    void check() {
        stop.check(timeout);
    }

    /** The statement with this text, with its values bound. */
    PreparedStatement prepare(String sql, List<String> values) throws SQLException {
        PreparedStatement statement = connection.statement(sql);
        for (int i = 0; i < values.size(); i++) {
            statement.setString(i + 1, values.get(i));
        }
        return statement;
    }

    void execute(String sql) throws SQLException {
        try (Statement statement = connection.get().createStatement()) {
            statement.execute(sql);
        }
    }

    /** Hands over all rows of a statement as they come. @return how many there were */
    long copy(PostgresqlSearchSql sql, RowReader rows) throws SQLException {
        stop.scheduleDeadline();
        return new CopiedRows(connection.get(), this::check).readAll(sql, rows);
    }

    /** The server's major version. */
    int serverVersion() throws SQLException {
        return connection.get().getMetaData().getDatabaseMajorVersion();
    }

    /** The next statement begins a transaction. */
    void begin() throws SQLException {
        connection.get().setAutoCommit(false);
    }

    void commit() throws SQLException {
        connection.get().commit();
        connection.get().setAutoCommit(true);
    }

    /** Leaves the transaction with no trace of it; a connection that cannot even do that is closed. */
    void rollBack() {
        if (!connection.isOpen()) {
            return;
        }
        try {
            Connection transaction = connection.get();
            transaction.rollback();
            transaction.setAutoCommit(true);
        } catch (SQLException broken) {
            connection.close();
        }
    }

    void cancel() {
        stop.press();
    }

    /** Gives up an answer that has not come for this long after its start; called by a watcher. */
    void endSilence(long nowNanos, Duration longest) {
        stop.endSilence(nowNanos, longest.minus(timeout));
    }

    @Override
    public void close() {
        connection.close();
    }

    /** What is asked of the server. */
    @FunctionalInterface
    interface Work<T> {
        T run() throws SQLException;
    }
}
