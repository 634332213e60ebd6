package siemload.database.oracle;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import siemload.database.Counters.CounterReading.Category;
import siemload.database.Counters.CounterReading.Io;
import siemload.database.Plan;
import siemload.database.SearchSession;
import siemload.database.SearchSession.RowReader;
import siemload.database.TargetPlugin.OwnCounts;
import siemload.database.server.Canceller;
import siemload.database.sql.RunConnection;
import siemload.database.sql.SqlStatement;
import siemload.query.PageClass;
import siemload.query.Search;
import siemload.query.Summary;

/** Runs searches over one connection. The driver fetches rows in portions and keeps the parsed statements. */
final class OracleSession implements SearchSession {
    private static final String EXPLAIN = "tables/explain.sql";

    private final RunConnection connection;
    private final OracleAnswers answers;
    private final OracleSearchStatements statements;
    private final Canceller stop;
    private final StoppableStatement stoppable;
    private final OracleOwnCounts own;

    OracleSession(
            RunConnection connection,
            OracleAnswers answers,
            OracleSearchStatements statements,
            Duration timeout,
            ScheduledExecutorService watchers) {
        this.connection = connection;
        this.answers = answers;
        this.statements = statements;
        this.stop = new Canceller(watchers, timeout, "");
        this.stoppable = new StoppableStatement(stop);
        this.own = new OracleOwnCounts(connection);
    }

    @Override
    public long search(Search search, RowReader rows) {
        return run(statements.of(search), statement -> answers.rows().readAll(statement, stop.checked(rows)));
    }

    @Override
    public long count(Search search) {
        return run(statements.count(search), statement -> SqlStatement.row(statement, row -> row.getLong(1)));
    }

    @Override
    public List<Summary.Line> summarize(Search search, Summary summary) {
        Instant start = search.window().start();
        return run(
                statements.of(search, summary),
                statement -> SqlStatement.rows(statement, row -> line(row, search, summary, start)));
    }

    @Override
    public void store(Search search, Summary.Hours summary, String trend) {
        int unused = run(statements.storing(search, summary, trend), PreparedStatement::executeUpdate);
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
    public Plan explainStoring(Search search, Summary.Hours summary) {
        return explain(statements.storing(search, summary, ""));
    }

    @Override
    public Optional<String> statement(Search search, PageClass page) {
        return Optional.of(OracleStatementTimes.name(
                statements.of(search, page).statement().sql()));
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
                return answers.plans().apply(lines);
            } finally {
                connection.rollBack();
            }
        });
    }

    @Override
    public Optional<OwnCounts> ownCounts() {
        return Optional.of(own);
    }

    @Override
    public void cancel() {
        stop.press();
    }

    @Override
    public void close() {
        connection.close();
    }

    private <T> T run(OracleSearchSql sql, StoppableStatement.Execution<T> execution) {
        return switch (answers.transactions()) {
            case NONE -> connection.answer(open -> run(open, sql, execution));
            case READING -> OracleConnections.reading(connection, open -> run(open, sql, execution));
        };
    }

    private <T> T run(Connection open, OracleSearchSql sql, StoppableStatement.Execution<T> execution)
            throws SQLException {
        try (PreparedStatement statement = open.prepareStatement(sql.statement().sql())) {
            sql.bind(statement);
            statement.setFetchSize(sql.rows());
            return stoppable.execute(statement, execution);
        }
    }

    private Summary.Line line(ResultSet result, Search search, Summary summary, Instant start) throws SQLException {
        if (summary instanceof Summary.OverTime timeline) {
            Instant from = start.plus(timeline.step(search.window()).multipliedBy(result.getLong(1)));
            return new Summary.Line(
                    from, answers.values().apply(summary.field(), result.getString(2)), result.getLong(3));
        }
        return new Summary.Line(start, answers.values().apply(summary.field(), result.getString(1)), result.getLong(2));
    }

    /**
     * The statistics of the session itself, as differences. They have tables and indexes in one number, which counts as the rest.
     * Temporary files are told in blocks alone.
     */
    static final class OracleOwnCounts implements OwnCounts {
        private static final SqlStatement SESSION = TableGroup.FILES.read("server/own-session.sql");

        private final RunConnection connection;
        private Map<String, Long> before = Map.of();
        private boolean refused;

        OracleOwnCounts(RunConnection connection) {
            this.connection = connection;
        }

        @Override
        public boolean reset() {
            if (refused) {
                return false;
            }
            return connection.answer(open -> {
                try {
                    before = statistics(open);
                    return true;
                } catch (SQLException e) {
                    if (OracleErrors.INSTANCE.isLost(e)) {
                        throw e;
                    }
                    refused = true; // A right that is missing is missing for the whole run.
                    return false;
                }
            });
        }

        /** They are counted in any case. */
        @Override
        public void start() {}

        @Override
        public Map<Category, Io> take() {
            return connection.answer(open -> {
                Map<String, Long> then = before;
                before = statistics(open);
                return byCategory(then, before);
            });
        }

        private static Map<String, Long> statistics(Connection open) throws SQLException {
            Map<String, Long> statistics = new HashMap<>();
            SESSION.rows(open, row -> statistics.put(row.getString(1), row.getLong(2)));
            return statistics;
        }

        /** What the differences of the statistics come to. */
        static Map<Category, Io> byCategory(Map<String, Long> before, Map<String, Long> now) {
            Map<String, Long> counted = new HashMap<>();
            now.forEach((name, value) -> counted.put(name, value - before.getOrDefault(name, 0L)));
            long tempRead = counted.getOrDefault("physical reads direct temporary tablespace", 0L);
            long read = Math.max(0, counted.getOrDefault("physical reads", 0L) - tempRead);
            long hit = Math.max(0, counted.getOrDefault("session logical reads", 0L) - read);
            Map<Category, Io> io = new EnumMap<>(Category.class);
            io.put(Category.REST, new Io(read, 0, 0, 0, hit));
            io.put(Category.REDO, new Io(0, 0, 0, counted.getOrDefault("redo size", 0L), 0));
            io.put(Category.UNDO, new Io(0, 0, 0, counted.getOrDefault("undo change vector size", 0L), 0));
            long tempWritten = counted.getOrDefault("physical writes direct temporary tablespace", 0L);
            io.put(Category.TEMP, new Io(tempRead, 0, tempWritten, 0, 0));
            return io;
        }
    }
}
