package siemload.database.sql;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import siemload.database.AccountRows;
import siemload.database.Accounts.AccountSession;
import siemload.database.SearchException;
import siemload.database.TransactionException;
import siemload.database.TransactionException.Kind;
import siemload.database.Withdrawal;
import siemload.database.sql.AccountStatements.OfTable;
import siemload.database.sql.AccountStatements.Reading;

/** Prepared statements, one round trip each, and one for the commit. */
public final class SqlAccountSession implements AccountSession {
    private final RunConnection connection;
    private final AccountStatements statements;
    private final Reading reading;
    private final Predicate<String> isConflict;
    /** Whether the last transaction got so far that its commit may have reached the server. */
    private boolean committing;

    /** @param isConflict whether a transaction that failed with this code may be tried again */
    public SqlAccountSession(
            RunConnection connection, AccountStatements statements, Reading reading, Predicate<String> isConflict) {
        this.connection = connection;
        this.statements = statements;
        this.reading = reading;
        this.isConflict = isConflict;
    }

    @Override
    public void withdraw(List<Withdrawal> withdrawals) {
        transaction(() -> {
            take(statements.accounts(), withdrawals, AccountRows::account);
            take(statements.tellers(), withdrawals, AccountRows::teller);
            take(statements.branches(), withdrawals, AccountRows::branch);
            addToHistory(withdrawals);
            return 0;
        });
    }

    @Override
    public long read(List<AccountRows> rows) {
        return transaction(() -> {
            long sum = 0;
            for (AccountRows one : rows) {
                sum += balance(statements.accounts(), OfTable::read, one.account());
                sum += balance(statements.tellers(), OfTable::read, one.teller());
                sum += balance(statements.branches(), OfTable::read, one.branch());
            }
            return sum;
        });
    }

    @Override
    public boolean isInHistory(Withdrawal withdrawal) {
        return transaction(() -> {
                    long unused = balance(
                            statements.accounts(),
                            OfTable::lock,
                            withdrawal.rows().account());
                    return number(
                            bound(statements.findHistory(), withdrawal.id()), "count of withdrawals", withdrawal.id());
                })
                > 0;
    }

    @Override
    public void close() {
        connection.close();
    }

    /** What is done between begin and commit. */
    @FunctionalInterface
    private interface Work {
        long done() throws SQLException;
    }

    private long transaction(Work work) {
        committing = false;
        try {
            return connection.answer(open -> {
                connection.begin();
                long result = work.done();
                committing = true;
                open.commit();
                return result;
            });
        } catch (SearchException failed) {
            throw new TransactionException(kind(failed), message(failed), failed);
        }
    }

    private Kind kind(SearchException failed) {
        if (isConflict.test(failed.code())) {
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

    private static String message(SearchException failed) {
        return failed.getMessage() + (failed.code().isEmpty() ? "" : " (" + failed.code() + ")");
    }

    private void take(OfTable table, List<Withdrawal> withdrawals, ToLongFunction<AccountRows> number)
            throws SQLException {
        if (withdrawals.size() == 1) {
            take(table, withdrawals.get(0), number);
            return;
        }
        List<Withdrawal> sorted = new ArrayList<>(withdrawals);
        sorted.sort(Comparator.comparingLong(one -> number.applyAsLong(one.rows())));
        for (Withdrawal one : sorted) {
            take(table, one, number);
        }
    }

    private void take(OfTable table, Withdrawal one, ToLongFunction<AccountRows> number) throws SQLException {
        long row = number.applyAsLong(one.rows());
        if (reading == Reading.BEFORE_CHANGE) {
            long unused = balance(table, OfTable::lock, row);
        }
        PreparedStatement take = connection.statement(table.take());
        take.setLong(1, one.amount());
        take.setLong(2, row);
        if (reading == Reading.BY_CHANGE) {
            long unused = number(take, table.row(), row);
        } else if (take.executeUpdate() != 1) {
            throw missing(table.row(), row);
        }
    }

    private void addToHistory(List<Withdrawal> withdrawals) throws SQLException {
        PreparedStatement insert = connection.statement(statements.insertHistory());
        if (withdrawals.size() == 1) {
            bind(insert, withdrawals.get(0));
            int unused = insert.executeUpdate();
            return;
        }
        insert.clearBatch(); // What an earlier batch that failed half-way may have left.
        for (Withdrawal one : withdrawals) {
            bind(insert, one);
            insert.addBatch();
        }
        int[] unused = insert.executeBatch();
    }

    private static void bind(PreparedStatement insert, Withdrawal one) throws SQLException {
        insert.setLong(1, one.id());
        insert.setLong(2, one.rows().account());
        insert.setLong(3, one.rows().teller());
        insert.setLong(4, one.rows().branch());
        insert.setLong(5, one.amount());
    }

    private long balance(OfTable table, Function<OfTable, String> sql, long row) throws SQLException {
        return number(bound(sql.apply(table), row), table.row(), row);
    }

    private PreparedStatement bound(String sql, long row) throws SQLException {
        PreparedStatement statement = connection.statement(sql);
        statement.setLong(1, row);
        return statement;
    }

    private static long number(PreparedStatement statement, String what, long row) throws SQLException {
        try (ResultSet answer = statement.executeQuery()) {
            if (!answer.next()) {
                throw missing(what, row);
            }
            return answer.getLong(1);
        }
    }

    private static SQLException missing(String what, long row) {
        return new SQLException("there is no " + what + " of the number " + row);
    }
}
