package siemload.database;

import java.util.List;

/**
 * One user's connection to the accounts, opened again at the next call after it was lost. Every call blocks. Used by one thread.
 *
 * <p>Rows are locked in the order accounts, tellers, branches, and in each by their numbers, so that no two sessions wait for
 * each other.
 */
public interface AccountSession extends AutoCloseable {

    /**
     * Reads the balances of three rows for each withdrawal and takes the amount from them, adds the withdrawals to the history,
     * and commits: all in one transaction. Returns when the server has acknowledged the commit.
     *
     * @param withdrawals at least one
     * @throws TransactionException if it failed; its kind says what is left of it
     */
    void withdraw(List<Withdrawal> withdrawals);

    /**
     * Reads the balances of three rows for each of these.
     *
     * @return their sum
     * @throws TransactionException if it failed
     */
    long read(List<AccountRows> rows);

    /**
     * Whether the history has a withdrawal, whose commit may still be going on: waits until nobody changes its account any more.
     *
     * @throws TransactionException if it cannot be asked
     */
    boolean isInHistory(Withdrawal withdrawal);

    /** Closes the connection. */
    @Override
    void close();
}
