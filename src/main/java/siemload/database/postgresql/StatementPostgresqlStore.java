package siemload.database.postgresql;

import java.sql.SQLException;
import java.util.List;
import siemload.database.SearchSession;
import siemload.database.postgresql.connection.PostgresqlConnections;
import siemload.database.postgresql.search.LargeAnswers;
import siemload.database.postgresql.search.StatementSession;
import siemload.database.sql.AskedStatements;
import siemload.database.sql.SqlStatementStore;
import siemload.database.sql.StatementAsker;
import siemload.query.Statement;

/** One that is asked the statements of a scenario. */
final class StatementPostgresqlStore extends ExistingPostgresqlStore implements SqlStatementStore {
    private final PostgresqlConnections ofSessions;
    private final AskedStatements statements;
    private final LargeAnswers large = new LargeAnswers();

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
        this.statements = new AskedStatements(statements, StatementPostgresqlStore::withoutPlaces);
    }

    /** To the driver a question mark is a place for a value, and two of them are the operator of that name. */
    private static String withoutPlaces(String code) {
        return code.replace("?", "??");
    }

    @Override
    public SearchSession openSession() {
        return session(ofSessions);
    }

    @Override
    public StatementAsker openAsker() {
        return session(connections());
    }

    private StatementSession session(PostgresqlConnections of) {
        return new StatementSession(watched(of.asking()), watchers(), statements, large);
    }

    @Override
    public String codes() {
        return "SQLSTATE";
    }
}
