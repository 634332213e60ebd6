package siemload.database.sql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import siemload.database.Plan;
import siemload.database.SearchSession;
import siemload.database.server.Canceller;
import siemload.database.server.Portions;
import siemload.database.sql.SqlAccess.Work;
import siemload.database.sql.SqlSearches.Compiled;
import siemload.database.sql.SqlStatement.RowReading;
import siemload.query.Search;
import siemload.query.Summary;

/** Asks statements over one connection, whose work can be stopped; a database says how. Used by one thread, but for {@link #cancel}. */
public abstract class JdbcSession implements SearchSession {
    private final RunConnection connection;
    private final Transactions transactions;

    /** What a search is to the server. */
    public enum Transactions {
        /** Its only statement, unless it is read in portions. */
        WHERE_NEEDED,
        /** A transaction of its own, which begins as READ ONLY. */
        ALWAYS
    }

    /** @param connection of a session, which can be stopped */
    protected JdbcSession(RunConnection connection, Transactions transactions) {
        this.connection = connection;
        this.transactions = transactions;
    }

    /** Writes searches as statements. @throws UnsupportedOperationException if it is not searches that are asked */
    protected abstract SqlSearches<?> searches();

    /** Hands over the rows of a statement. @return how many there were */
    protected abstract long readAll(ResultSet result, RowReader rows) throws SQLException;

    /** What a row of a sum says. */
    protected abstract Summary.Line line(ResultSet row, Search search, Summary summary) throws SQLException;

    /** How the server goes about a statement. */
    protected abstract Plan plan(Compiled sql);

    /** Over which goes all that is asked. */
    protected final RunConnection connection() {
        return connection;
    }

    /** Stops what the connection is at. */
    protected final Canceller canceller() {
        return connection.canceller();
    }

    /** Waits for what the work asks the server, within the timeout; it can be cancelled, and so can its rolling back. */
    protected <T> T answer(Work<T> work) {
        return switch (transactions) {
            case WHERE_NEEDED -> connection.answer(work);
            case ALWAYS -> connection.answer(open -> inTransaction(open, work));
        };
    }

    /** The work may end its transaction itself. */
    private <T> T inTransaction(Connection open, Work<T> work) throws SQLException {
        open.setReadOnly(true);
        connection.begin();
        T result = work.on(open);
        if (!open.getAutoCommit()) {
            connection.commit();
        }
        return result;
    }

    /** What is done with a statement whose values are bound. */
    @FunctionalInterface
    public interface Execution<T> {
        /** Executes it, and reads its rows. */
        T of(PreparedStatement statement) throws SQLException;
    }

    /** Executes a statement. */
    public <T> T ask(Compiled sql, Execution<T> execution) {
        return answer(open -> execution.of(connection.statement(sql.sql(), sql.values())));
    }

    /** Executes a statement and hands over its rows. @return how many there were */
    protected final long readAll(PreparedStatement statement, RowReader rows) throws SQLException {
        try (ResultSet result = statement.executeQuery()) {
            return readAll(result, rows);
        }
    }

    /** The same in portions of a transaction of its own. */
    protected final long stream(PreparedStatement statement, RowReader rows) throws SQLException {
        connection.begin();
        statement.setFetchSize(Portions.ROWS);
        canceller().scheduleDeadline();
        long count = readAll(statement, canceller().checked(rows));
        connection.commit();
        return count;
    }

    @Override
    public final long count(Search search) {
        return ask(searches().count(search), statement -> SqlStatement.row(statement, row -> row.getLong(1)));
    }

    @Override
    public final List<Summary.Line> summarize(Search search, Summary summary) {
        return ask(
                searches().of(search, summary),
                statement -> SqlStatement.rows(statement, row -> line(row, search, summary)));
    }

    @Override
    public final Plan explain(Search search, Summary summary) {
        return plan(searches().of(search, summary));
    }

    @Override
    public final void cancel() {
        canceller().press();
    }

    @Override
    public final void close() {
        connection.close();
    }

    /**
     * How the rows of searches are read: an id, a detect time, and the event as IDEA JSON, the third column. A value is decoded when it
     * is asked for. Immutable and thread-safe.
     */
    public record EventColumns(RowReading<String> id, RowReading<Instant> detectTime, SqlErrors errors) {
        private static final int EVENT = 3;

        /** Hands over the rows of a result. @return how many there were */
        public long readAll(ResultSet result, RowReader rows) throws SQLException {
            RowReader.Row row = new EventRow(result, this);
            long count = 0;
            for (; result.next(); count++) {
                rows.row(row);
            }
            return count;
        }

        /** The row that a result stands at. */
        private record EventRow(ResultSet result, EventColumns columns) implements RowReader.Row {
            @Override
            public String id() {
                return value(columns.id);
            }

            @Override
            public Instant detectTime() {
                return value(columns.detectTime);
            }

            @Override
            public byte[] idea() {
                return value(row -> row.getBytes(EVENT));
            }

            private <T> T value(RowReading<T> reading) {
                return columns.errors.attemptInRun(() -> reading.read(result));
            }
        }
    }
}
