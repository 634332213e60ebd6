package siemload.database.postgresql.search;

import static siemload.database.postgresql.connection.PostgresqlConnections.FILES;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import siemload.database.Plan;
import siemload.database.SearchSession.RowReader;
import siemload.database.postgresql.connection.PostgresqlErrors;
import siemload.database.server.Canceller;
import siemload.database.server.Portions;
import siemload.database.sql.AskedStatements;
import siemload.database.sql.RunConnection;
import siemload.database.sql.SqlAccess.Work;
import siemload.database.sql.SqlStatement;
import siemload.database.sql.StatementAsker;
import siemload.database.sql.StatementRow;
import siemload.query.PageClass;
import siemload.query.Search;
import siemload.query.Statement;
import siemload.query.StatementText;

/**
 * Asks statements of users over one connection. Each is a transaction of its own that begins as READ ONLY, which the server lets
 * nobody change, whatever a function of the statement sets; that of one that says that it writes begins without. Its rows come at once, so that several workers of the server can find them;
 * those of a statement whose answers are large come in portions, for which it takes none.
 */
public final class StatementSession implements StatementAsker {
    private static final SqlStatement WITHOUT_WORKERS = FILES.read("server/without-workers.sql");
    private static final boolean READ_ONLY = true;
    private static final boolean READ_WRITE = false;
    private static final List<String> WRITING = List.of("ModifyTable", "LockRows");

    private final RunConnection connection;
    private final StoppableWork stoppable;
    private final Canceller canceller;
    private final AskedStatements statements;
    private final LargeAnswers large;
    private final Map<String, Optional<String>> identifiers = new HashMap<>();

    /**
     * Of one connection.
     *
     * @param watchers carry out what stops a statement
     * @param large what sessions have learnt of answers, shared by those of a run
     */
    public StatementSession(
            RunConnection connection,
            ScheduledExecutorService watchers,
            AskedStatements statements,
            LargeAnswers large) {
        this.connection = connection;
        this.stoppable = new StoppableWork(connection, watchers);
        this.canceller = stoppable.canceller();
        this.statements = statements;
        this.large = large;
    }

    @Override
    public Optional<String> refusal(Statement statement) {
        String sql = statements.sql(statement.text());
        int places = statement.text().places().size();
        return reading(open -> {
            PreparedStatement explaining = withoutValues(explaining("explain-verbose", sql), places);
            String plan = SqlStatement.row(explaining, row -> row.getString(1));
            boolean writes = PlanReader.nodes(plan).stream()
                    .anyMatch(node -> WRITING.contains(node.path("Node Type").asText()));
            if (statement.writes()) {
                return Optional.empty();
            }
            if (writes) {
                return Optional.of("it writes or locks rows, but is not marked by writes: true");
            }
            return connection.statement(sql).getMetaData() == null
                    ? Optional.of("it gives no rows (allowed: what can only read, such as SELECT)")
                    : Optional.empty();
        });
    }

    private PreparedStatement withoutValues(String sql, int places) throws SQLException {
        PreparedStatement statement = connection.statement(sql);
        for (int i = 1; i <= places; i++) {
            statement.setNull(i, Types.NULL);
        }
        return statement;
    }

    @Override
    public List<String> values(String query, int most) {
        String sql = statements.sql(StatementText.scan(query).statement());
        return reading(open -> StatementAsker.onlyColumn(connection.statement(sql), query, most));
    }

    @Override
    public long search(Search search, RowReader rows) {
        AskedStatements.Asked asked = statements.of(search);
        if (asked.statement().writes()) {
            return written(asked, search, rows);
        }
        boolean inPortions = large.has(search.name());
        return reading(open -> {
            PreparedStatement statement =
                    connection.statement(asked.sql(), asked.statement().values(search));
            long count = inPortions ? readInPortions(statement, rows) : readAll(statement, rows);
            large.answered(search.name(), count);
            return count;
        });
    }

    private long written(AskedStatements.Asked asked, Search search, RowReader rows) {
        return stoppable.transaction(READ_WRITE, open -> {
            PreparedStatement statement =
                    connection.statement(asked.sql(), asked.statement().values(search));
            if (!statement.execute()) {
                return Math.max(0L, statement.getLargeUpdateCount());
            }
            try (ResultSet result = statement.getResultSet()) {
                return readAll(result, rows);
            }
        });
    }

    private long readInPortions(PreparedStatement statement, RowReader rows) throws SQLException {
        statement.setFetchSize(Portions.ROWS);
        canceller.scheduleDeadline();
        return readAll(statement, canceller.checked(rows));
    }

    private static long readAll(PreparedStatement statement, RowReader rows) throws SQLException {
        try (ResultSet result = statement.executeQuery()) {
            return readAll(result, rows);
        }
    }

    private static long readAll(ResultSet result, RowReader rows) throws SQLException {
        return StatementRow.readAll(result, StatementRow.Reading.BYTES, PostgresqlErrors.INSTANCE, rows);
    }

    @Override
    public Plan explain(Search search) {
        return statements.of(search).statement().writes() ? expect(search) : plan("explain", search);
    }

    @Override
    public Plan expect(Search search) {
        return plan("expect", search);
    }

    private Plan plan(String file, Search search) {
        AskedStatements.Asked asked = statements.of(search);
        String sql = explaining(file, asked.sql());
        return reading(open -> {
            String text = onlyValue(sql, asked, search);
            large.answered(
                    search.name(),
                    Math.round(PlanReader.nodes(text).get(0).path("Actual Rows").asDouble()));
            if (large.has(search.name())) {
                WITHOUT_WORKERS.execute(open);
                text = onlyValue(sql, asked, search);
            }
            return StatementPlanReader.ofExplain(text);
        });
    }

    @Override
    public Optional<String> statement(Search search, PageClass page) {
        AskedStatements.Asked asked = statements.of(search);
        Optional<String> known = identifiers.get(asked.sql());
        Optional<String> identifier = known == null
                ? reading(open -> PlanReader.queryIdentifier(
                        onlyValue(explaining("explain-verbose", asked.sql()), asked, search)))
                : known;
        identifiers.put(asked.sql(), identifier);
        return identifier;
    }

    private static String explaining(String file, String sql) {
        return FILES.filled("server/" + file + ".sql", Map.of("statement", sql));
    }

    private String onlyValue(String sql, AskedStatements.Asked asked, Search search) throws SQLException {
        return SqlStatement.row(connection.statement(sql, asked.statement().values(search)), row -> row.getString(1));
    }

    /** Works in a transaction that can only read, within the timeout; it can be cancelled, and so can its rolling back. */
    private <T> T reading(Work<T> work) {
        return stoppable.transaction(READ_ONLY, work);
    }

    @Override
    public boolean handInCounts() {
        return reading(open -> PostgresqlOwnCounts.handIn(connection));
    }

    @Override
    public void cancel() {
        stoppable.cancel();
    }

    @Override
    public void close() {
        connection.close();
    }
}
