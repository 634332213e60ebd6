package siemload.database.oracle;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.UnaryOperator;
import siemload.database.Counters;
import siemload.database.SearchSession;
import siemload.database.server.Watchers;
import siemload.database.sql.AskedStatements;
import siemload.database.sql.SqlStatementStore;
import siemload.database.sql.StatementAsker;
import siemload.query.Statement;

/** Tables that were there before the run, and stay as they are. */
final class ExistingOracleStore implements SqlStatementStore {
    private final OracleConnections connections;
    private final AskedStatements statements;
    private final ScheduledExecutorService watchers = Watchers.start();

    ExistingOracleStore(OracleConnections connections, List<Statement> statements) {
        this.connections = connections;
        this.statements = new AskedStatements(statements, UnaryOperator.identity());
    }

    @Override
    public SearchSession openSession() {
        return openAsker();
    }

    @Override
    public StatementAsker openAsker() {
        return new OracleStatementSession(connections.ofRun().connected("open a session"), watchers, statements);
    }

    @Override
    public String codes() {
        return "";
    }

    @Override
    public Optional<Counters> openCounters() {
        return Optional.of(new OracleCounters(connections.ofRun(), CountedObjects.OF_USERS));
    }

    @Override
    public void close() {
        watchers.shutdownNow();
    }
}
