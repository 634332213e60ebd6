package siemload.database.postgresql;

import static siemload.database.postgresql.connection.PostgresqlConnections.FILES;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import siemload.database.SearchSession;
import siemload.database.postgresql.PostgresqlSearchStatements.Asked;
import siemload.database.postgresql.PostgresqlSearchStatements.Reading;
import siemload.database.server.Canceller;
import siemload.database.server.Portions;
import siemload.database.sql.RunConnection;
import siemload.database.sql.SqlAccess.Work;
import siemload.database.sql.SqlStatement;
import siemload.query.PageClass;
import siemload.query.Search;

/** What sessions that search events and those that ask statements of users share: one connection, whose work can be stopped. */
abstract class PostgresqlSession implements SearchSession {
    static final SqlStatement WITHOUT_WORKERS = FILES.read("server/without-workers.sql");
    private static final int HANDS_IN_SINCE = 15;
    private static final SqlStatement HAND_IN = FILES.read("server/hand-in-counts.sql");

    private final RunConnection connection;
    private final Canceller canceller;
    private final Transactions transactions;
    private final Map<String, Optional<String>> identifiers = new HashMap<>();

    /** What a search is to the server. */
    enum Transactions {
        /** Its only statement, unless it is read in portions. */
        WHERE_NEEDED,
        /** A transaction of its own, which begins as READ ONLY. */
        ALWAYS
    }

    /** @param connection of a session, which can be stopped */
    PostgresqlSession(RunConnection connection, Transactions transactions) {
        this.connection = connection;
        this.canceller = connection.canceller();
        this.transactions = transactions;
    }

    final RunConnection connection() {
        return connection;
    }

    final Canceller canceller() {
        return canceller;
    }

    /** The statement of a search that users come to in this way. */
    abstract Asked asked(Search search, PageClass page);

    /** Hands over the rows of a statement that is read at once, or in portions. */
    abstract long readAll(PreparedStatement statement, RowReader rows) throws SQLException;

    /** Waits for what the work asks the server, within the timeout; it can be cancelled, and so can its rolling back. */
    final <T> T answer(Work<T> work) {
        return switch (transactions) {
            case WHERE_NEEDED -> connection.answer(work);
            case ALWAYS -> connection.answer(open -> inTransaction(open, work));
        };
    }

    /** The work may end its transaction itself, or read from a cursor in one that goes on. */
    private <T> T inTransaction(Connection open, Work<T> work) throws SQLException {
        boolean begins = open.getAutoCommit();
        if (begins) {
            open.setReadOnly(true);
            connection.begin();
        }
        T result = work.on(open);
        if (begins && !open.getAutoCommit()) {
            connection.commit();
        }
        return result;
    }

    final PreparedStatement prepared(Asked sql) throws SQLException {
        return connection.statement(sql.sql(), sql.values());
    }

    /** The same as {@link #readAll}, in portions of a transaction of its own. */
    final long stream(PreparedStatement statement, RowReader rows) throws SQLException {
        connection.begin();
        statement.setFetchSize(Portions.ROWS);
        canceller.scheduleDeadline();
        long count = readAll(statement, canceller.checked(rows));
        connection.commit();
        return count;
    }

    /** What the server says of a statement with these values, on the connection as it is. */
    final String explained(String how, String sql, List<Object> values) throws SQLException {
        PreparedStatement explaining = connection.statement(explaining(how, sql), values);
        return SqlStatement.row(explaining, row -> row.getString(1));
    }

    static String explaining(String how, String sql) {
        return FILES.filled("server/" + how + ".sql", Map.of("statement", sql));
    }

    @Override
    public Optional<String> statement(Search search, PageClass page) {
        Asked sql = asked(search, page);
        if (sql.reading() == Reading.CURSOR || sql.reading() == Reading.COPY) {
            // The server counts FETCH and COPY, whoever's rows they read.
            return Optional.empty();
        }
        Optional<String> known = identifiers.get(sql.sql());
        Optional<String> identifier = known == null
                ? answer(open -> PlanReader.queryIdentifier(explained("explain-verbose", sql.sql(), sql.values())))
                : known;
        identifiers.put(sql.sql(), identifier);
        return identifier;
    }

    /** Has the server count for everybody what this session did. */
    @Override
    public boolean handInCounts() {
        return answer(open -> open.getMetaData().getDatabaseMajorVersion() >= HANDS_IN_SINCE
                && connection.statement(HAND_IN.sql()).execute());
    }

    @Override
    public final void cancel() {
        canceller.press();
    }

    @Override
    public final void close() {
        connection.close();
    }
}
