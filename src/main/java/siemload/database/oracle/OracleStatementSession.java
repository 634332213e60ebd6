package siemload.database.oracle;

import java.sql.ResultSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.UnaryOperator;
import siemload.database.Plan;
import siemload.database.RowReader;
import siemload.database.server.Canceller;
import siemload.database.server.Portions;
import siemload.database.sql.AskedStatements;
import siemload.database.sql.RunConnection;
import siemload.database.sql.SqlStatement;
import siemload.database.sql.StatementAsker;
import siemload.database.sql.StatementRow;
import siemload.query.PageClass;
import siemload.query.Search;
import siemload.query.Statement;
import siemload.query.StatementText;

/**
 * Asks statements of users over one connection. Each is a transaction of its own that begins as READ ONLY, in which the server
 * lets a query write nothing but by a function with a transaction of its own. Rows come in portions; values are sent as text.
 */
final class OracleStatementSession implements StatementAsker {
    private static final SqlStatement PLAN = TableGroup.FILES.read("tables/plan.sql");
    private static final String EXPLAIN = "tables/explain.sql";
    /** A value that is not known yet: a text like all others, so that the server finds the same functions. */
    private static final String UNKNOWN = "TO_CHAR(NULL)";

    private final RunConnection connection;
    private final AskedStatements statements;
    private final Canceller stop;
    private final StoppableStatement stoppable;

    /** @param watchers carry out what stops a statement */
    OracleStatementSession(RunConnection connection, ScheduledExecutorService watchers, AskedStatements statements) {
        this.connection = connection;
        this.statements = statements;
        this.stop = new Canceller(watchers, connection.timeout(), "");
        this.stoppable = new StoppableStatement(stop);
    }

    @Override
    public Optional<String> refusal(Statement statement) {
        List<String> operations = PlanText.operations(explained(statement.text(), parameter -> UNKNOWN));
        if (operations.isEmpty() || !operations.get(0).equals("SELECT STATEMENT")) {
            return Optional.of("it is no query (allowed: what can only read, such as SELECT)");
        }
        return operations.contains("FOR UPDATE")
                ? Optional.of("it locks rows, but data that are there already are only read")
                : Optional.empty();
    }

    @Override
    public List<String> values(String query, int most) {
        String sql = statements.sql(StatementText.scan(query).statement());
        return reading(sql, List.of(), question -> StatementAsker.onlyColumn(question, query, most));
    }

    @Override
    public long search(Search search, RowReader rows) {
        AskedStatements.Asked asked = statements.of(search);
        return reading(asked.sql(), asked.statement().values(search), statement -> {
            statement.setFetchSize(Portions.ROWS);
            try (ResultSet result = statement.executeQuery()) {
                return StatementRow.readAll(
                        result, StatementRow.Reading.TEXT, OracleErrors.INSTANCE, stop.checked(rows));
            }
        });
    }

    @Override
    public Optional<String> statement(Search search, PageClass page) {
        return Optional.of(OracleStatementTimes.name(statements.of(search).sql()));
    }

    /** As the optimizer would do it with these values, without doing it. */
    @Override
    public Plan explain(Search search) {
        Statement asked = statements.of(search).statement();
        Iterator<String> values = asked.values(search).iterator();
        return PlanText.readOfOthers(explained(asked.text(), parameter -> literal(values.next())));
    }

    private static String literal(String text) {
        return "'" + text.replace("'", "''") + "'";
    }

    /** By EXPLAIN PLAN, which writes into a temporary table of the session; that is rolled back. */
    private List<String> explained(StatementText text, UnaryOperator<String> parameter) {
        String statement = text.written(UnaryOperator.identity(), parameter);
        String explaining = TableGroup.FILES.filled(EXPLAIN, Map.of("statement", statement));
        return connection.answer(open -> {
            connection.begin();
            try {
                SqlStatement.execute(open, explaining);
                return PLAN.rows(open, row -> Objects.requireNonNullElse(row.getString(1), ""));
            } finally {
                connection.rollBack();
            }
        });
    }

    private <T> T reading(String sql, List<String> values, StoppableStatement.Execution<T> execution) {
        return OracleConnections.reading(
                connection, open -> stoppable.execute(connection.statement(sql, values), execution));
    }

    @Override
    public void cancel() {
        stop.press();
    }

    @Override
    public void close() {
        connection.close();
    }
}
