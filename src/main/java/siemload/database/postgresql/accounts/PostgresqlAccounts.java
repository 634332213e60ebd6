package siemload.database.postgresql.accounts;

import static siemload.database.postgresql.connection.PostgresqlConnections.FILES;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.function.LongConsumer;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;
import siemload.database.Accounts;
import siemload.database.Accounts.AccountScale;
import siemload.database.Accounts.AccountSession;
import siemload.database.Accounts.Books;
import siemload.database.postgresql.connection.PostgresqlConnections;
import siemload.database.postgresql.connection.PostgresqlErrors;
import siemload.database.sql.AccountStatements;
import siemload.database.sql.AccountStatements.Reading;
import siemload.database.sql.RunConnection;
import siemload.database.sql.SilenceWatch;
import siemload.database.sql.SqlAccountSession;
import siemload.database.sql.SqlStatement;

/**
 * Four tables in the database of a run.
 *
 * @param silence watches over the users' connections
 */
public record PostgresqlAccounts(PostgresqlConnections connections, String database, SilenceWatch silence)
        implements Accounts {
    private static final String FOLDER = "accounts/";
    /** Class 40 of SQLSTATE: transaction rollback, by a deadlock or for serializability. */
    private static final String ROLLED_BACK = "40";

    private static final AccountStatements STATEMENTS = AccountStatements.of(PostgresqlAccounts::read);

    @Override
    public void fill(AccountScale scale, LongConsumer filled) {
        connections.maintenance(database).run("fill the accounts in the database " + database, connection -> {
            connection.setAutoCommit(false);
            for (String table : List.of("account", "teller", "branch", "history")) {
                read("table-" + table).execute(connection);
            }
            copy(connection, scale, filled);
            for (String table : List.of("account", "teller", "branch")) {
                read("key-" + table).execute(connection);
            }
            connection.commit();
            connection.setAutoCommit(true);
            read("gather-statistics").execute(connection);
        });
    }

    private static void copy(Connection connection, AccountScale scale, LongConsumer filled) throws SQLException {
        try (AccountCopy copy = new AccountCopy(connection, read("copy-account").sql())) {
            for (long account = 1; account <= scale.accounts(); account++) {
                copy.row(account, AccountScale.branchOfAccount(account));
                if (account % AccountScale.ACCOUNTS_OF_BRANCH == 0) {
                    filled.accept(account);
                }
            }
            copy.end();
        }
        try (AccountCopy copy = new AccountCopy(connection, read("copy-teller").sql())) {
            for (long teller = 1; teller <= scale.tellers(); teller++) {
                copy.row(teller, AccountScale.branchOfTeller(teller));
            }
            copy.end();
        }
        try (AccountCopy copy = new AccountCopy(connection, read("copy-branch").sql())) {
            for (long branch = 1; branch <= scale.branches(); branch++) {
                copy.row(branch);
            }
            copy.end();
        }
    }

    @Override
    public AccountSession openSession() {
        RunConnection connection = new RunConnection(
                        connections.transacting(database), PostgresqlErrors.INSTANCE, connections.searchTimeout())
                .connected("open a session for transactions in the database " + database);
        return new SqlAccountSession(
                silence.over(connection), STATEMENTS, Reading.BY_CHANGE, code -> code.startsWith(ROLLED_BACK));
    }

    @Override
    public Books books() {
        return connections
                .maintenance(database)
                .get(
                        "add up the accounts in the database " + database,
                        connection -> AccountStatements.books(connection, read("books")));
    }

    private static SqlStatement read(String name) {
        return FILES.read(FOLDER + name + ".sql");
    }

    /**
     * Loads one table by COPY in its text form: the numbers of a row, a balance of 0 and an empty filler. Used by one thread, to which
     * the connection belongs meanwhile.
     */
    private static final class AccountCopy implements AutoCloseable {
        private static final int PORTION_BYTES = 1 << 16;
        private static final int LONGEST_ROW = 64;
        private static final byte[] BALANCE_AND_FILLER = "0\t\n".getBytes(StandardCharsets.US_ASCII);

        private final CopyIn copy;
        private final byte[] portion = new byte[PORTION_BYTES];
        private int used;

        AccountCopy(Connection connection, String sql) throws SQLException {
            this.copy = connection.unwrap(PGConnection.class).getCopyAPI().copyIn(sql);
        }

        /** Adds a row that begins with these numbers, none of them below 0. */
        void row(long... numbers) throws SQLException {
            if (used > PORTION_BYTES - LONGEST_ROW) {
                send();
            }
            for (long number : numbers) {
                byte[] digits = Long.toString(number).getBytes(StandardCharsets.US_ASCII);
                System.arraycopy(digits, 0, portion, used, digits.length);
                used += digits.length;
                portion[used++] = '\t';
            }
            System.arraycopy(BALANCE_AND_FILLER, 0, portion, used, BALANCE_AND_FILLER.length);
            used += BALANCE_AND_FILLER.length;
        }

        /** Stores what was added. */
        void end() throws SQLException {
            send();
            long unused = copy.endCopy();
        }

        private void send() throws SQLException {
            copy.writeToCopy(portion, 0, used);
            used = 0;
        }

        /** Gives up what was not ended. */
        @Override
        public void close() throws SQLException {
            if (copy.isActive()) {
                copy.cancelCopy();
            }
        }
    }
}
