package siemload.database.oracle;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ScheduledExecutorService;
import siemload.database.Plan;
import siemload.database.SearchSession;
import siemload.database.SearchSession.RowReader;
import siemload.database.server.Canceller;
import siemload.database.server.Portions;
import siemload.database.sql.RunConnection;
import siemload.database.sql.SearchRows;
import siemload.database.sql.SqlStatement;
import siemload.query.Search;
import siemload.query.Summary;

/** Runs searches over one connection. The driver fetches rows in portions and keeps the parsed statements. */
final class OracleSession implements SearchSession {
    private static final String EXPLAIN = "tables/explain.sql";
    private static final SearchRows ROWS = new SearchRows(
            row -> ColumnValues.readId(row.getBytes(1)),
            row -> ColumnValues.readTime(row.getObject(2, LocalDateTime.class)),
            OracleErrors.INSTANCE);

    private final RunConnection connection;
    private final OracleSearchStatements statements;
    private final Canceller stop;

    OracleSession(
            RunConnection connection,
            OracleSearchStatements statements,
            Duration timeout,
            ScheduledExecutorService watchers) {
        this.connection = connection;
        this.statements = statements;
        this.stop = new Canceller(watchers, timeout, "");
    }

    @Override
    public long search(Search search, RowReader rows) {
        return run(statements.found(search), statement -> ROWS.readAll(statement, stop.checked(rows)));
    }

    @Override
    public long count(Search search) {
        return run(
                OracleSearchSql.of(statements.count(search), 1),
                statement -> SqlStatement.row(statement, row -> row.getLong(1)));
    }

    @Override
    public List<Summary.Line> summarize(Search search, Summary summary) {
        Instant start = search.window().start();
        return run(
                OracleSearchSql.of(statements.of(search, summary), Portions.ROWS),
                statement -> SqlStatement.rows(statement, row -> line(row, search, summary, start)));
    }

    @Override
    public Plan explain(Search search) {
        return explain(statements.found(search));
    }

    @Override
    public Plan explain(Search search, Summary summary) {
        return explain(OracleSearchSql.of(statements.of(search, summary), 1));
    }

    /** By EXPLAIN PLAN with the values written out: the plan that really ran may only be looked at with special rights. */
    private Plan explain(OracleSearchSql sql) {
        return connection.answer(open -> {
            connection.begin();
            try {
                SqlStatement.execute(open, TableGroup.FILES.filled(EXPLAIN, Map.of("statement", sql.text())));
                List<String> lines = TableGroup.FILES
                        .read("tables/plan.sql")
                        .rows(open, row -> Objects.requireNonNullElse(row.getString(1), ""));
                return PlanText.read(lines, statements.tables());
            } finally {
                connection.rollBack();
            }
        });
    }

    @Override
    public void cancel() {
        stop.press();
    }

    @Override
    public void close() {
        connection.close();
    }

    /** What is done with a statement whose values are bound. */
    private interface Execution<T> {
        T of(PreparedStatement statement) throws SQLException;
    }

    /** Can be stopped by whoever cancels it, or when the timeout is over. */
    private <T> T run(OracleSearchSql sql, Execution<T> execution) {
        return connection.answer(open -> {
            try (PreparedStatement statement = open.prepareStatement(sql.sql())) {
                sql.bind(statement);
                statement.setFetchSize(sql.rows());
                stop.arm(() -> cancel(statement));
                stop.scheduleDeadline();
                try {
                    return execution.of(statement);
                } finally {
                    stop.disarm();
                }
            }
        });
    }

    private static void cancel(PreparedStatement statement) {
        try {
            statement.cancel();
        } catch (SQLException unreachable) {
            // The statement itself meets the same trouble and reports it.
        }
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
