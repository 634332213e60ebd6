package siemload.database.oracle;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ScheduledExecutorService;
import org.jspecify.annotations.Nullable;
import siemload.database.Plan;
import siemload.database.SearchSession;
import siemload.database.SearchSession.RowReader;
import siemload.database.server.Canceller;
import siemload.database.server.Portions;
import siemload.database.sql.RunConnection;
import siemload.database.sql.SearchRows;
import siemload.database.sql.SqlSearches;
import siemload.database.sql.SqlSearches.Compiled;
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

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSSSSS", Locale.ROOT);

    private final RunConnection connection;
    private final OracleSearchStatements statements;
    private volatile @Nullable Statement running;

    OracleSession(
            OracleConnections connections, OracleSearchStatements statements, ScheduledExecutorService watchers) {
        Canceller canceller = new Canceller(watchers, connections.searchTimeout(), "");
        this.connection = connections.ofSession(canceller, open -> stop()).connected("open a session");
        this.statements = statements;
    }

    private void stop() throws SQLException {
        Statement asked = running;
        if (asked != null) {
            asked.cancel();
        }
    }

    @Override
    public long search(Search search, RowReader rows) {
        SqlSearches.Rows found = statements.rows(search);
        RowReader checked = connection.canceller().checked(rows);
        return run(found.statement(), mostRows(found), statement -> ROWS.readAll(statement, checked));
    }

    private static int mostRows(SqlSearches.Rows found) {
        return found.way() == SqlSearches.Way.WHOLE ? Portions.ROWS : found.size();
    }

    @Override
    public long count(Search search) {
        return run(
                statements.count(search), 1, statement -> SqlStatement.row(statement, row -> row.getLong(1)));
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

    /** By EXPLAIN PLAN with the values written out: the plan that really ran may only be looked at with special rights. */
    private Plan explain(Compiled sql) {
        return connection.answer(open -> {
            connection.begin();
            try {
                SqlStatement.execute(open, TableGroup.FILES.filled(EXPLAIN, Map.of("statement", written(sql))));
                List<String> lines = TableGroup.FILES
                        .read("tables/plan.sql")
                        .rows(open, row -> Objects.requireNonNullElse(row.getString(1), ""));
                return PlanText.read(lines, statements.tables().prefix());
            } finally {
                connection.rollBack();
            }
        });
    }

    /** The statement with its values written out, to be explained: the planner looks into values. */
    static String written(Compiled sql) {
        return SqlStatement.written(sql.sql(), place -> literal(sql.values().get(place)));
    }

    private static String literal(Object value) {
        if (value instanceof String text) {
            return "'" + text.replace("'", "''").replace("\0", "' || CHR(0) || '") + "'";
        } else if (value instanceof byte[] bytes) {
            return "HEXTORAW('" + HexFormat.of().withUpperCase().formatHex(bytes) + "')";
        } else if (value instanceof LocalDateTime time) {
            return "TIMESTAMP '" + TIME.format(time) + "'";
        }
        return value.toString();
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
        return connection.answer(open -> {
            try (PreparedStatement statement = open.prepareStatement(sql.sql())) {
                SqlStatement.bound(statement, sql.values()).setFetchSize(Math.min(rows + 1, Portions.ROWS));
                running = statement;
                connection.canceller().scheduleDeadline();
                return execution.of(statement);
            }
        });
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
