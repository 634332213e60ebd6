package siemload.database.oracle;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ScheduledExecutorService;
import siemload.database.Plan;
import siemload.database.RowReader;
import siemload.database.SearchSession;
import siemload.query.Search;
import siemload.query.Summary;

/** Runs searches over one connection. The driver fetches rows in portions and keeps the parsed statements. */
final class OracleSession implements SearchSession {
    private static final String EXPLAIN = "arc_event/explain.sql";

    private final OpenConnection connection;
    private final TableGroup tables;
    private final OracleSearchStatements statements;
    private final Duration timeout;
    private final OracleCanceller stop;

    OracleSession(
            OpenConnection connection,
            TableGroup tables,
            OracleSearchStatements statements,
            Duration timeout,
            ScheduledExecutorService watchers) {
        this.connection = connection;
        this.tables = tables;
        this.statements = statements;
        this.timeout = timeout;
        this.stop = new OracleCanceller(watchers, timeout);
    }

    void connect() throws SQLException {
        connection.get();
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
        Instant start = search.window().isAlways()
                ? search.window().from()
                : search.window().from().truncatedTo(ChronoUnit.MICROS);
        List<Summary.Line> lines = new ArrayList<>();
        run(statements.of(search, summary), result -> {
            while (result.next()) {
                lines.add(line(result, search, summary, start));
            }
            return lines.size();
        });
        return lines;
    }

    /** By EXPLAIN PLAN with the values written out: the plan that really ran may only be looked at with special rights. */
    @Override
    public Plan explain(Search search) {
        long begin = System.nanoTime();
        try {
            Connection open = connection.get();
            open.setAutoCommit(false);
            try (Statement statement = open.createStatement()) {
                String text = statements.of(search).text();
                statement.execute(TableGroup.FILES.filled(EXPLAIN, Map.of("statement", text)));
                return PlanText.read(planLines(statement), tables.prefix());
            } finally {
                open.rollback();
                open.setAutoCommit(true);
            }
        } catch (SQLException e) {
            throw failure(e, begin);
        }
    }

    @Override
    public void cancel() {
        stop.press();
    }

    @Override
    public void close() {
        connection.close();
    }

    private long run(OracleSearchSql sql, Reading reading) {
        long begin = System.nanoTime();
        try (PreparedStatement statement =
                connection.get().prepareStatement(sql.statement().sql())) {
            sql.bind(statement);
            statement.setFetchSize(sql.rows());
            stop.arm(statement);
            try (ResultSet result = statement.executeQuery()) {
                return reading.read(result);
            } finally {
                stop.disarm();
            }
        } catch (SQLException e) {
            throw failure(e, begin);
        }
    }

    private RuntimeException failure(SQLException e, long begin) {
        connection.recover(e);
        return OracleErrors.inRun(e, Duration.ofNanos(System.nanoTime() - begin), timeout);
    }

    private static Summary.Line line(ResultSet result, Search search, Summary summary, Instant start)
            throws SQLException {
        if (summary instanceof Summary.Timeline timeline) {
            Instant from = start.plus(timeline.step(search.window()).multipliedBy(result.getLong(1)));
            return new Summary.Line(from, ColumnValues.readText(result.getString(2)), result.getLong(3));
        }
        return new Summary.Line(start, ColumnValues.readText(result.getString(1)), result.getLong(2));
    }

    private static List<String> planLines(Statement statement) throws SQLException {
        List<String> lines = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery(
                TableGroup.FILES.read("arc_event/plan.sql").sql())) {
            while (rows.next()) {
                String line = rows.getString(1);
                lines.add(line == null ? "" : line);
            }
        }
        return lines;
    }

    /** Reads a result and answers how many rows it has, or the number that it counted. */
    @FunctionalInterface
    private interface Reading {
        long read(ResultSet result) throws SQLException;
    }
}
