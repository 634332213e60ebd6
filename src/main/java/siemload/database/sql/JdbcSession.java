package siemload.database.sql;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
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
    /** Of what nobody cancels, such as reading a row that has come. */
    protected static final Duration NO_TIMEOUT = Duration.ofDays(1);

    private final RunConnection connection;

    /** @param connection of a session, which can be stopped */
    protected JdbcSession(RunConnection connection) {
        this.connection = connection;
    }

    /** Writes searches as statements. @throws UnsupportedOperationException here and below where statements of users are asked */
    protected SqlSearches searches() {
        throw new UnsupportedOperationException("rows of a statement are no events, nor counted apart or summed up");
    }

    /** The id in a row of a search, which is the first column. */
    protected String id(ResultSet row) throws SQLException {
        throw new UnsupportedOperationException("a row of a statement has no id: " + row);
    }

    /** The detect time, which is the second one. */
    protected Instant detectTime(ResultSet row) throws SQLException {
        throw new UnsupportedOperationException("a row of a statement has no detect time: " + row);
    }

    /** The event as IDEA JSON, which is the third one. */
    protected byte[] idea(ResultSet row) throws SQLException {
        return row.getBytes(3);
    }

    protected Summary.Line line(ResultSet row, Search search, Summary summary) throws SQLException {
        throw new UnsupportedOperationException("a row of a statement is not a sum: " + row + search + summary);
    }

    protected final RunConnection connection() {
        return connection;
    }

    protected final Canceller canceller() {
        return connection.canceller();
    }

    /** Waits for what the work asks the server, within the timeout; it can be cancelled, and so can its rolling back. */
    protected <T> T answer(Work<T> work) {
        return connection.answer(work);
    }

    @FunctionalInterface
    public interface Execution<T> {
        T of(PreparedStatement statement) throws SQLException;
    }

    public <T> T ask(Compiled sql, Execution<T> execution) {
        return answer(open -> execution.of(connection.statement(sql.sql(), sql.values())));
    }

    /** Executes a statement and hands over its rows. @return how many there were */
    protected final long readAll(PreparedStatement statement, RowReader rows) throws SQLException {
        try (ResultSet result = statement.executeQuery()) {
            return readAll(result, rows);
        }
    }

    /** Hands over the rows of a statement. @return how many there were */
    protected final long readAll(ResultSet result, RowReader rows) throws SQLException {
        RowReader.Row row = new ReadRow(result);
        long count = 0;
        for (; result.next(); count++) {
            rows.row(row);
        }
        return count;
    }

    /** The row that a result stands at. A value is decoded when it is asked for. */
    private final class ReadRow implements RowReader.Row {
        private final ResultSet result;

        ReadRow(ResultSet result) {
            this.result = result;
        }

        @Override
        public String id() {
            return value(JdbcSession.this::id);
        }

        @Override
        public Instant detectTime() {
            return value(JdbcSession.this::detectTime);
        }

        @Override
        public byte[] idea() {
            return value(JdbcSession.this::idea);
        }

        private <T> T value(RowReading<T> reading) {
            try {
                return reading.read(result);
            } catch (SQLException e) {
                throw connection.errors().inRun(e, Duration.ZERO, NO_TIMEOUT);
            }
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
    public final void cancel() {
        canceller().press();
    }

    @Override
    public final void close() {
        connection.close();
    }
}
