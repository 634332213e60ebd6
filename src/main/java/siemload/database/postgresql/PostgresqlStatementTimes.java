package siemload.database.postgresql;

import static siemload.database.postgresql.connection.PostgresqlConnections.FILES;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import siemload.database.Counters.StatementSource;
import siemload.database.Counters.StatementTime;
import siemload.database.SearchException;
import siemload.database.sql.RunConnection;
import siemload.database.sql.SqlAccess.Work;
import siemload.database.sql.SqlStatement;

/**
 * Reads how long the server has worked on each statement, by the extension {@code pg_stat_statements}, which counts for all
 * databases and can be asked in each that has it. Statements are told apart by their query identifiers. Used by one thread at
 * a time.
 */
final class PostgresqlStatementTimes implements AutoCloseable {
    private static final String VIEW = "pg_stat_statements";
    private static final String MISSING = "the extension pg_stat_statements is not there (an administrator adds it to"
            + " shared_preload_libraries, restarts the server, and creates it in the database that the url names)";
    private static final String INSUFFICIENT_PRIVILEGE = "42501";
    private static final double NANOS_PER_MILLISECOND = 1e6;

    private final RunConnection connection;
    private final String database;
    private StatementSource source = StatementSource.none(MISSING);
    private Optional<SqlStatement> question = Optional.empty();

    /**
     * Asks nothing yet.
     *
     * @param connection to a database that may have the extension; it is closed with these times
     * @param database whose statements are told
     */
    PostgresqlStatementTimes(RunConnection connection, String database) {
        this.connection = connection;
        this.database = database;
    }

    /** Finds out whether the server tells them. */
    StatementSource connect() {
        Map<String, StatementTime> unused = asked(open -> {
            find(open);
            return times(open);
        });
        return source;
    }

    /** Those of all statements since the server counts them, by query identifier; none where it does not tell. */
    Map<String, StatementTime> read() {
        return question.isEmpty() ? Map.of() : asked(this::times);
    }

    private Map<String, StatementTime> asked(Work<Map<String, StatementTime>> work) {
        try {
            return connection.answer(work);
        } catch (SearchException refused) {
            if (question.isEmpty() || refused.kind() != SearchException.Kind.CONNECTION) {
                question = Optional.empty();
                source = StatementSource.none(
                        refused.code().equals(INSUFFICIENT_PRIVILEGE)
                                ? "this user may not read pg_stat_statements (an administrator grants EXECUTE on the function"
                                        + " pg_stat_statements(boolean) and USAGE on its schema): "
                                        + refused.getMessage()
                                : "pg_stat_statements cannot be read: " + refused.getMessage());
            }
            return Map.of();
        }
    }

    StatementSource source() {
        return source;
    }

    @Override
    public void close() {
        connection.close();
    }

    private void find(Connection open) throws SQLException {
        List<String> unused = FILES.read("server/statement-times-where.sql").rows(open, row -> {
            String schema = row.getString("schema_name");
            question = Optional.of(FILES.read("server/statement-times.sql", Map.of("schema", schema)));
            source = StatementSource.of(
                    VIEW,
                    row.getBoolean("plans_counted")
                            ? "planning and execution, with handing the rows to the network; parsing and binding are not in it"
                            : "execution, with handing the rows to the network; parsing, binding and planning are not in it,"
                                    + " since pg_stat_statements.track_planning is off");
            return schema;
        });
    }

    private Map<String, StatementTime> times(Connection open) throws SQLException {
        return question.isEmpty()
                ? Map.of()
                : question.get()
                        .map(
                                open,
                                row -> new StatementTime(
                                        row.getLong(2),
                                        Math.round(row.getDouble(3) * NANOS_PER_MILLISECOND),
                                        Math.round(row.getDouble(4) * NANOS_PER_MILLISECOND)),
                                database);
    }
}
