package siemload.database.oracle;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import siemload.database.Plan;
import siemload.database.RowReader;
import siemload.database.SearchSession;
import siemload.database.server.Canceller;
import siemload.database.sql.RunConnection;
import siemload.database.sql.SqlStatement.RowReading;
import siemload.query.PageClass;
import siemload.query.Search;
import siemload.query.SearchCatalog;
import siemload.query.Summary;

/** Runs searches over one connection. The driver fetches rows in portions and keeps the parsed statements. */
final class OracleSession implements SearchSession {
    private static final String EXPLAIN = "arc_event/explain.sql";

    private final RunConnection connection;
    private final TableGroup tables;
    private final OracleSearchStatements statements;
    private final Canceller stop;

    OracleSession(
            RunConnection connection,
            TableGroup tables,
            OracleSearchStatements statements,
            Duration timeout,
            ScheduledExecutorService watchers) {
        this.connection = connection;
        this.tables = tables;
        this.statements = statements;
        this.stop = new Canceller(watchers, timeout, "");
    }

    @Override
    public long search(Search search, RowReader rows) {
        return run(statements.of(search), result -> {
            OracleRow row = new OracleRow(result);
            long count = 0;
            for (; result.next(); count++) {
                stop.check();
                rows.row(row);
            }
            return count;
        });
    }

    @Override
    public long count(Search search) {
        return run(statements.count(search), result -> {
            result.next();
            return result.getLong(1);
        });
    }

    @Override
    public List<Summary.Line> summarize(Search search, Summary summary) {
        Instant start = search.window().start();
        return run(statements.of(search, summary), result -> {
            List<Summary.Line> lines = new ArrayList<>();
            while (result.next()) {
                lines.add(line(result, search, summary, start));
            }
            return lines;
        });
    }

    @Override
    public Plan explain(Search search) {
        return explain(statements.of(search));
    }

    @Override
    public Plan explain(Search search, Summary summary) {
        return explain(statements.of(search, summary));
    }

    @Override
    public Optional<String> statement(Search search, PageClass page) {
        OracleSearchSql sql = switch (page) {
            case COUNT -> statements.count(search);
            case SUMMARY ->
                statements.of(search, SearchCatalog.summary(search.name()).orElseThrow());
            case FIRST, DEEPER, LAST, WHOLE -> statements.of(search);
        };
        return Optional.of(OracleStatementTimes.name(sql.statement().sql()));
    }

    /** By EXPLAIN PLAN with the values written out: the plan that really ran may only be looked at with special rights. */
    private Plan explain(OracleSearchSql sql) {
        return connection.answer(open -> {
            open.setAutoCommit(false);
            try (Statement statement = open.createStatement()) {
                statement.execute(TableGroup.FILES.filled(EXPLAIN, Map.of("statement", sql.text())));
                List<String> lines = TableGroup.FILES
                        .read("arc_event/plan.sql")
                        .rows(open, row -> Objects.requireNonNullElse(row.getString(1), ""));
                return PlanText.read(lines, tables.prefix());
            } finally {
                open.rollback();
                open.setAutoCommit(true);
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

    private <T> T run(OracleSearchSql sql, RowReading<T> reading) {
        return connection.answer(open -> {
            try (PreparedStatement statement =
                    open.prepareStatement(sql.statement().sql())) {
                sql.bind(statement);
                statement.setFetchSize(sql.rows());
                stop.arm(() -> cancel(statement));
                stop.scheduleDeadline();
                try (ResultSet result = statement.executeQuery()) {
                    return reading.read(result);
                } finally {
                    stop.disarm();
                }
            }
        });
    }

    private static void cancel(Statement statement) {
        try {
            statement.cancel();
        } catch (SQLException unreachable) {
            // The search itself meets the same trouble and reports it.
        }
    }

    private static Summary.Line line(ResultSet result, Search search, Summary summary, Instant start)
            throws SQLException {
        if (summary instanceof Summary.Timeline timeline) {
            Instant from = start.plus(timeline.step(search.window()).multipliedBy(result.getLong(1)));
            return new Summary.Line(from, ColumnValues.readText(result.getString(2)), result.getLong(3));
        }
        return new Summary.Line(start, ColumnValues.readText(result.getString(1)), result.getLong(2));
    }
}
