package siemload.target.postgresql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import siemload.query.Search;
import siemload.query.Summary;
import siemload.target.Plan;
import siemload.target.RowReader;
import siemload.target.SearchSession;

/**
 * Runs searches over one connection. A page is one round trip outside a transaction; a whole result is streamed inside
 * one, in portions.
 */
final class PostgresqlSession implements SearchSession {
    private static final int PORTION = 1_000;

    private final RunConnection connection;
    private final Duration timeout;
    private final StopSwitch stop;

    PostgresqlSession(RunConnection connection, Duration timeout, ScheduledExecutorService watchers) {
        this.connection = connection;
        this.timeout = timeout;
        this.stop = new StopSwitch(watchers);
    }

    void connect() throws SQLException {
        connection.get();
    }

    @Override
    public long search(Search search, RowReader rows) {
        SearchSql sql = SearchSql.of(search);
        return run(sql, statement -> switch (sql.reading()) {
            case PAGE -> forwards(statement, rows);
            case PAGE_BACKWARDS -> backwards(statement, rows);
            case STREAM -> stream(statement, rows);
        });
    }

    @Override
    public long count(Search search) {
        return run(SearchSql.count(search), statement -> {
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return row.getLong(1);
            }
        });
    }

    @Override
    public List<Summary.Line> summarize(Search search, Summary summary) {
        List<Summary.Line> lines = new ArrayList<>();
        Instant from = search.window().from();
        Instant start = search.window().isAlways() ? from : from.truncatedTo(ChronoUnit.MICROS);
        run(SearchSql.of(search, summary), statement -> {
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    lines.add(
                            summary instanceof Summary.Timeline
                                    ? new Summary.Line(
                                            row.getObject(1, OffsetDateTime.class)
                                                    .toInstant(),
                                            row.getString(2),
                                            row.getLong(3))
                                    : new Summary.Line(start, row.getString(1), row.getLong(2)));
                }
            }
            return lines.size();
        });
        return lines;
    }

    @Override
    public Plan explain(Search search) {
        throw new UnsupportedOperationException("plans are not read yet");
    }

    @Override
    public void cancel() {
        stop.press();
    }

    /** Gives up a search that has had no answer for this long after its start; called by a watcher. */
    void endSilence(long nowNanos, Duration longest) {
        stop.endSilence(nowNanos, longest.minus(timeout));
    }

    @Override
    public void close() {
        connection.close();
    }

    private long run(SearchSql sql, Execution execution) {
        long start = System.nanoTime();
        try {
            PreparedStatement statement = connection.statement(sql.text());
            bind(statement, sql.values());
            stop.arm(connection.get(), start + timeout.toNanos());
            try {
                return execution.rows(statement);
            } finally {
                stop.disarm();
            }
        } catch (SQLException e) {
            connection.closeIfLost(e);
            throw SqlErrors.inRun(e, Duration.ofNanos(System.nanoTime() - start), timeout);
        }
    }

    private static void bind(PreparedStatement statement, List<String> values) throws SQLException {
        for (int i = 0; i < values.size(); i++) {
            statement.setString(i + 1, values.get(i));
        }
    }

    private static long forwards(PreparedStatement statement, RowReader rows) throws SQLException {
        long count = 0;
        try (ResultSet result = statement.executeQuery()) {
            ResultRow row = new ResultRow(result);
            for (; result.next(); count++) {
                rows.row(row);
            }
        }
        return count;
    }

    private static long backwards(PreparedStatement statement, RowReader rows) throws SQLException {
        ArrayDeque<KeptRow> page = new ArrayDeque<>();
        forwards(statement, row -> page.push(new KeptRow(row)));
        page.forEach(rows::row);
        return page.size();
    }

    private long stream(PreparedStatement statement, RowReader rows) throws SQLException {
        Connection transaction = connection.get();
        transaction.setAutoCommit(false);
        try {
            statement.setFetchSize(PORTION);
            stop.scheduleDeadline();
            long count = forwards(statement, row -> {
                stop.check(timeout);
                rows.row(row);
            });
            transaction.commit();
            transaction.setAutoCommit(true);
            return count;
        } catch (SQLException | RuntimeException e) {
            giveUp(transaction, e);
            throw e;
        }
    }

    private void giveUp(Connection transaction, Exception error) {
        try {
            transaction.rollback();
            transaction.setAutoCommit(true);
        } catch (SQLException broken) {
            error.addSuppressed(broken);
            connection.close();
        }
    }

    /** Executes a prepared statement and answers how many rows it has, or the number that it counted. */
    @FunctionalInterface
    private interface Execution {
        long rows(PreparedStatement statement) throws SQLException;
    }
}
