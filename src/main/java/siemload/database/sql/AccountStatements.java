package siemload.database.sql;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Function;
import siemload.database.Accounts.Books;

/**
 * The statements of transactions on accounts in one database. Immutable.
 *
 * @param accounts those about a row of the accounts
 * @param tellers those about a row of the tellers
 * @param branches those about a row of the branches
 * @param insertHistory adds a row to the history: its id, the account, the teller, the branch and the amount
 * @param findHistory how many rows the history has of this id
 */
public record AccountStatements(
        OfTable accounts, OfTable tellers, OfTable branches, String insertHistory, String findHistory) {

    /**
     * Those about one row of a table, each with the number of the row as its last value.
     *
     * @param row what one row is, for people: {@code account}
     * @param read its balance
     * @param lock its balance, keeping the row for this transaction
     * @param take takes an amount from it; answers with the new balance where the database can, or with nothing after {@code lock}
     */
    public record OfTable(String row, String read, String lock, String take) {}

    /** How the balance of a row is read that is about to be changed. */
    public enum Reading {
        /** By the statement that changes it, which answers with the new balance. */
        BY_CHANGE,
        /** By a statement before it, which locks the row. */
        BEFORE_CHANGE
    }

    /**
     * Reads the files of a database.
     *
     * @param files by the names {@code read-account}, {@code lock-account}, {@code take-account}, the same of {@code teller} and
     *     {@code branch}, {@code insert-history} and {@code find-history}
     */
    public static AccountStatements of(Function<String, SqlStatement> files) {
        return new AccountStatements(
                ofTable(files, "account"),
                ofTable(files, "teller"),
                ofTable(files, "branch"),
                files.apply("insert-history").sql(),
                files.apply("find-history").sql());
    }

    /** What the file {@code books} of a database says. */
    public static Books books(Connection connection, SqlStatement file) throws SQLException {
        return file.row(
                connection,
                row -> new Books(
                        row.getLong("accounts_sum"),
                        row.getLong("tellers_sum"),
                        row.getLong("branches_sum"),
                        row.getLong("history_sum"),
                        row.getLong("history_rows")));
    }

    private static OfTable ofTable(Function<String, SqlStatement> files, String table) {
        return new OfTable(
                table,
                files.apply("read-" + table).sql(),
                files.apply("lock-" + table).sql(),
                files.apply("take-" + table).sql());
    }
}
