package siemload.database;

import java.util.function.LongConsumer;

/**
 * Accounts, tellers and branches with their balances, and the history of what was withdrawn, in the store of one run. Goes with
 * the store. Thread-safe; the sessions it opens are not.
 */
public interface Accounts {

    /**
     * Makes the tables, fills them with balances of 0, and builds their keys; the history is empty. To be called once.
     *
     * @param filled hears how many accounts there are so far
     * @throws TargetException if the server refuses
     */
    void fill(AccountScale scale, LongConsumer filled);

    /** Opens a session with a connection of its own. @throws TargetException if the server refuses */
    AccountSession openSession();

    /** Adds up all balances and the history, while nobody withdraws anything. @throws TargetException if it cannot be asked */
    Books books();
}
