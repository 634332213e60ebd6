package siemload.database.postgresql;

import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import siemload.database.SearchException;
import siemload.database.SearchSession;
import siemload.database.StatementStore;
import siemload.database.TargetException;
import siemload.database.postgresql.connection.PostgresqlConnections;
import siemload.database.postgresql.search.AskedStatements;
import siemload.database.postgresql.search.StatementSession;
import siemload.query.Statement;

/** One that is asked the statements of a scenario. */
final class StatementPostgresqlStore extends ExistingPostgresqlStore implements StatementStore {
    private final PostgresqlConnections ofSessions;
    private final AskedStatements statements;

    /**
     * Opens it.
     *
     * @param connections that can only read
     * @param ofSessions those of the sessions that ask the statements; the same where none of these writes
     */
    StatementPostgresqlStore(
            PostgresqlConnections connections, PostgresqlConnections ofSessions, List<Statement> statements)
            throws SQLException {
        super(connections);
        this.ofSessions = ofSessions;
        this.statements = new AskedStatements(statements);
    }

    @Override
    public SearchSession openSession() {
        return session(ofSessions);
    }

    private StatementSession session(PostgresqlConnections of) {
        return new StatementSession(watched(of.asking()), watchers(), statements);
    }

    @Override
    public Optional<String> refusal(Statement statement) {
        try (StatementSession session = session(connections())) {
            return session.refusal(statement);
        } catch (SearchException wrong) {
            return Optional.of("the server says: " + wrong.getMessage()
                    + (wrong.code().isEmpty() ? "" : " (SQLSTATE " + wrong.code() + ")"));
        }
    }

    @Override
    public List<String> values(String query, int most) {
        try (StatementSession session = session(connections())) {
            return session.values(query, most);
        } catch (SearchException wrong) {
            throw new TargetException("a query for values failed: " + wrong.getMessage() + " (" + query + ")", wrong);
        }
    }
}
