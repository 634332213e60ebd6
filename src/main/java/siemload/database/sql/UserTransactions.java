package siemload.database.sql;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.Supplier;
import siemload.database.OwnTransactions;
import siemload.database.OwnTransactions.TransactionException.Kind;
import siemload.database.SearchException;

/**
 * Transactions of a scenario's statements in the store of one run.
 *
 * @param access of a user who can do nothing outside of it
 * @param opening connects such a user
 */
public record UserTransactions(SqlAccess access, Supplier<RunConnection> opening) implements OwnTransactions {
    /** Class 40 of SQLSTATE: transaction rollback, by a deadlock or for serializability. */
    private static final String ROLLED_BACK = "40";

    /** In one transaction up to the first VACUUM, so that nothing is logged of tables that it made where there is no replica. */
    @Override
    public void setUp(List<String> statements, Consumer<String> begun) {
        access.run("set up the tables of the scenario", connection -> {
            connection.setAutoCommit(false);
            for (String one : statements) {
                begun.accept(one);
                boolean isVacuum = one.strip().toLowerCase(Locale.ROOT).startsWith("vacuum");
                if (!connection.getAutoCommit() || isVacuum) {
                    connection.setAutoCommit(isVacuum);
                }
                SqlStatement.execute(connection, one);
            }
            connection.setAutoCommit(true);
        });
    }

    @Override
    public long number(String query) {
        return access.get("ask the store of the run", connection -> {
            try (java.sql.Statement statement = connection.createStatement()) {
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
        return new PreparedSession(opening.get());
    }

    /** Prepared statements, one round trip each, and one for the commit. */
    private static final class PreparedSession implements Session {
        private final RunConnection connection;
        /** Whether the last transaction got so far that its commit may have reached the server. */
        private boolean committing;

        PreparedSession(RunConnection connection) {
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
