package siemload.database.postgresql;

import static siemload.database.postgresql.connection.PostgresqlConnections.FILES;
import static siemload.database.postgresql.connection.PostgresqlConnections.POWERLESS;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import siemload.database.OwnTransactions;
import siemload.database.SearchException;
import siemload.database.ServerAddress;
import siemload.database.TargetException;
import siemload.database.TransactionException;
import siemload.database.TransactionException.Kind;
import siemload.database.postgresql.connection.PostgresqlConnections;
import siemload.database.postgresql.connection.PostgresqlErrors;
import siemload.database.sql.RunConnection;
import siemload.database.sql.RunConnection.SilenceWatch;
import siemload.database.sql.SqlStatement;

/**
 * Transactions in the database of a run.
 *
 * @param connections of a user who can do nothing outside of it
 * @param silence watches over the users' connections
 */
record PostgresqlTransactions(PostgresqlConnections connections, String database, SilenceWatch silence)
        implements OwnTransactions {
    /** Class 40 of SQLSTATE: transaction rollback, by a deadlock or for serializability. */
    private static final String ROLLED_BACK = "40";

    /** @throws TargetException if the user could do harm outside of the database, and the server is not siemload's own */
    static PostgresqlTransactions of(PostgresqlConnections connections, String database, SilenceWatch silence) {
        return connections.quick(database).get("see the rights of the user", connection -> {
            boolean harmless = FILES.read("server/rights.sql")
                    .row(
                            connection,
                            row -> !row.getBoolean("superuser")
                                    && row.getString("powers").isEmpty());
            if (harmless) {
                return new PostgresqlTransactions(connections, database, silence);
            }
            if (FILES.read("server/find-role.sql").number(connection, POWERLESS) == 0) {
                throw new TargetException("the user is a superuser on PostgreSQL at " + connections.where()
                        + ", or has such rights, which statements of a file must not have; take another user, which an"
                        + " administrator makes by: CREATE ROLE siemload LOGIN CREATEDB PASSWORD '...'");
            }
            SqlStatement.execute(connection, "GRANT CREATE, CONNECT ON DATABASE \"" + database + "\" TO " + POWERLESS);
            SqlStatement.execute(connection, "GRANT CREATE, USAGE ON SCHEMA public TO " + POWERLESS);
            ServerAddress own = connections.address();
            return new PostgresqlTransactions(
                    connections.at(new ServerAddress(own.url(), POWERLESS, own.password())), database, silence);
        });
    }

    /** In one transaction up to the first VACUUM, so that nothing is logged of tables that it made where there is no replica. */
    @Override
    public void setUp(List<String> statements, Consumer<String> begun) {
        connections.maintenance(database).run("set up the tables of the scenario", connection -> {
            connection.setAutoCommit(false);
            try (Statement statement = connection.createStatement()) {
                for (String one : statements) {
                    begun.accept(one);
                    if (!connection.getAutoCommit() || isVacuum(one)) {
                        connection.setAutoCommit(isVacuum(one));
                    }
                    boolean unused = statement.execute(one);
                }
            }
            connection.setAutoCommit(true);
        });
    }

    private static boolean isVacuum(String statement) {
        return statement.strip().toLowerCase(Locale.ROOT).startsWith("vacuum");
    }

    @Override
    public long number(String query) {
        return connections.maintenance(database).get("ask the database " + database, connection -> {
            try (Statement statement = connection.createStatement()) {
                return number(statement.executeQuery(query));
            }
        });
    }

    private static long number(ResultSet answer) throws SQLException {
        try (answer) {
            return answer.next() ? answer.getLong(1) : 0;
        }
    }

    @Override
    public Session openSession() {
        RunConnection connection = new RunConnection(
                        connections.transacting(database), PostgresqlErrors.INSTANCE, connections.searchTimeout())
                .connected("open a session for transactions in the database " + database);
        return new SqlSession(silence.over(connection));
    }

    /** Prepared statements, one round trip each, and one for the commit. */
    private static final class SqlSession implements Session {
        private final RunConnection connection;
        /** Whether the last transaction got so far that its commit may have reached the server. */
        private boolean committing;

        SqlSession(RunConnection connection) {
            this.connection = connection;
        }

        @Override
        public long transact(List<Bound> statements) {
            committing = false;
            try {
                return connection.answer(open -> {
                    connection.begin();
                    long number = 0;
                    for (Bound one : statements) {
                        PreparedStatement statement = connection.statement(one.sql(), one.values());
                        number = statement.execute() ? number(statement.getResultSet()) : 0;
                    }
                    committing = true;
                    open.commit();
                    return number;
                });
            } catch (SearchException failed) {
                String code = failed.code().isEmpty() ? "" : " (" + failed.code() + ")";
                throw new TransactionException(kind(failed), failed.getMessage() + code, failed);
            }
        }

        private Kind kind(SearchException failed) {
            if (failed.code().startsWith(ROLLED_BACK)) {
                return Kind.CONFLICT;
            }
            if (committing) {
                return Kind.UNKNOWN;
            }
            return switch (failed.kind()) {
                case CONNECTION -> Kind.LOST;
                // It waited too long for a row that others were at: rolled back, and worth another try.
                case TIMEOUT -> Kind.CONFLICT;
                case CANCELLED, REFUSED, OTHER -> Kind.REFUSED;
            };
        }

        @Override
        public void close() {
            connection.close();
        }
    }
}
