package siemload.database.sql;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import org.jspecify.annotations.Nullable;
import siemload.database.Plan;
import siemload.database.SearchSession;
import siemload.database.SearchSession.RowReader;
import siemload.database.server.Canceller;
import siemload.database.server.Portions;
import siemload.database.sql.SqlSearches.Compiled;
import siemload.query.Search;
import siemload.query.Summary;

/** Runs searches over one connection. The driver fetches rows in portions and keeps the parsed statements. */
final class JdbcSession implements SearchSession {
    private final Dialect dialect;
    private final SearchRows rows;
    private final RunConnection connection;
    private final ColumnSearches statements;
    private volatile @Nullable Statement running;

    JdbcSession(
            SqlAccess.Opening opening,
            Duration timeout,
            ColumnSearches statements,
            ScheduledExecutorService watchers) {
        dialect = statements.tables().dialect();
        rows = new SearchRows(
                row -> ColumnValues.readId(row.getBytes(1)),
                row -> ColumnValues.readTime(row.getObject(2, LocalDateTime.class)),
                dialect);
        Canceller canceller = new Canceller(watchers, timeout, "");
        this.connection = new RunConnection(opening, dialect, timeout, Optional.of(canceller), open -> stop())
                .connected("open a session");
        this.statements = statements;
    }

    private void stop() throws SQLException {
        Statement asked = running;
        if (asked != null) {
            asked.cancel();
        }
    }

    @Override
    public long search(Search search, RowReader reader) {
        SqlSearches.Rows found = statements.rows(search);
        RowReader checked = connection.canceller().checked(reader);
        return run(found.statement(), mostRows(found), statement -> rows.readAll(statement, checked));
    }

    private static int mostRows(SqlSearches.Rows found) {
        return found.way() == SqlSearches.Way.WHOLE ? Portions.ROWS : found.size();
    }

    @Override
    public long count(Search search) {
        return run(statements.count(search), 1, statement -> SqlStatement.row(statement, row -> row.getLong(1)));
    }

    @Override
    public List<Summary.Line> summarize(Search search, Summary summary) {
        Instant start = search.window().start();
        return run(
                statements.of(search, summary),
                Portions.ROWS,
                statement -> SqlStatement.rows(statement, row -> line(row, search, summary, start)));
    }

    @Override
    public Plan explain(Search search) {
        return explain(statements.rows(search).statement());
    }

    @Override
    public Plan explain(Search search, Summary summary) {
        return explain(statements.of(search, summary));
    }

    /** With the values written out, since planners look into them, and with no trace left. */
    private Plan explain(Compiled sql) {
        String written = SqlStatement.written(
                sql.sql(), place -> dialect.literal(sql.values().get(place)));
        return connection.answer(open -> {
            connection.begin();
            try {
                return dialect.explain(open, written, statements.tables());
            } finally {
                connection.rollBack();
            }
        });
    }

    @Override
    public void cancel() {
        connection.canceller().press();
    }

    @Override
    public void close() {
        connection.close();
    }

    /** What is done with a statement whose values are bound. */
    private interface Execution<T> {
        T of(PreparedStatement statement) throws SQLException;
    }

    /**
     * Executes a statement.
     *
     * @param rows how many to expect at most: one more is fetched, or the end would need a round trip of its own
     */
    private <T> T run(Compiled sql, int rows, Execution<T> execution) {
        Compiled sent = dialect.plansWithLimits() ? withLimits(sql) : sql;
        return connection.answer(open -> {
            try (PreparedStatement statement = open.prepareStatement(sent.sql())) {
                SqlStatement.bound(statement, sent.values()).setFetchSize(Math.min(rows + 1, Portions.ROWS));
                running = statement;
                connection.canceller().scheduleDeadline();
                return execution.of(statement);
            }
        });
    }

    /** With limits, offsets and steps written out, which are whole numbers. */
    private static Compiled withLimits(Compiled sql) {
        List<Object> values = sql.values();
        return new Compiled(
                SqlStatement.written(sql.sql(), place -> values.get(place) instanceof Long number ? number.toString() : "?"),
                values.stream().filter(value -> !(value instanceof Long)).toList());
    }

    private static Summary.Line line(ResultSet result, Search search, Summary summary, Instant start)
            throws SQLException {
        boolean overTime = summary instanceof Summary.OverTime;
        Instant from = summary instanceof Summary.OverTime timeline
                ? start.plus(timeline.step(search.window()).multipliedBy(result.getLong(1)))
                : start;
        int value = overTime ? 2 : 1;
        return new Summary.Line(
                from, ColumnValues.readValue(summary.field(), result.getString(value)), result.getLong(value + 1));
    }
}
