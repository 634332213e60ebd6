package siemload.database.oracle;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.UnaryOperator;
import siemload.database.SearchSession;
import siemload.database.StatementStore;
import siemload.database.server.Watchers;
import siemload.database.sql.AskedStatements;
import siemload.database.sql.StatementQuestions;
import siemload.query.Statement;

/** Tables that were there before the run, and stay as they are. What the server counts is not read. */
final class ExistingOracleStore implements StatementStore {
    private final OracleConnections connections;
    private final AskedStatements statements;
    private final StatementQuestions questions;
    private final ScheduledExecutorService watchers = Watchers.start();

    ExistingOracleStore(OracleConnections connections, List<Statement> statements) {
        this.connections = connections;
        this.statements = new AskedStatements(statements, UnaryOperator.identity());
        this.questions = new StatementQuestions(this::session, "");
    }

    @Override
    public SearchSession openSession() {
        return session();
    }

    private OracleStatementSession session() {
        return new OracleStatementSession(connections.ofRun().connected("open a session"), watchers, statements);
    }

    @Override
    public Optional<String> refusal(Statement statement) {
        return questions.refusal(statement);
    }

    @Override
    public List<String> values(String query, int most) {
        return questions.values(query, most);
    }

    @Override
    public void close() {
        watchers.shutdownNow();
    }
}
