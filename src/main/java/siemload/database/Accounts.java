package siemload.database;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
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

    /**
     * How many accounts there are, and so how many tellers and branches: 10,000 to 10 to 1. All are numbered from 1. Immutable.
     *
     * @param accounts a multiple of 10,000, up to 2,000,000,000
     */
    record AccountScale(long accounts) {
        public static final long ACCOUNTS_OF_BRANCH = 10_000;
        public static final long LARGEST = 2_000_000_000L;

        private static final int TELLERS_OF_BRANCH = 10;

        public AccountScale {
            if (accounts < ACCOUNTS_OF_BRANCH || accounts > LARGEST || accounts % ACCOUNTS_OF_BRANCH != 0) {
                throw new IllegalArgumentException(
                        accounts + " is no multiple of " + ACCOUNTS_OF_BRANCH + " up to " + LARGEST);
            }
        }

        /** How many branches there are. */
        public long branches() {
            return accounts / ACCOUNTS_OF_BRANCH;
        }

        /** How many tellers there are. */
        public long tellers() {
            return branches() * TELLERS_OF_BRANCH;
        }

        /** The branch that an account belongs to. */
        public static long branchOfAccount(long account) {
            return (account - 1) / ACCOUNTS_OF_BRANCH + 1;
        }

        /** The branch that a teller belongs to. */
        public static long branchOfTeller(long teller) {
            return (teller - 1) / TELLERS_OF_BRANCH + 1;
        }
    }

    /**
     * One user's connection to the accounts, opened again at the next call after it was lost. Every call blocks. Used by one thread.
     *
     * <p>Rows are locked in the order accounts, tellers, branches, and in each by their numbers, so that no two sessions wait for
     * each other.
     */
    interface AccountSession extends AutoCloseable {

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

    /**
     * What all accounts, tellers, branches and the history say together, in cents. Immutable.
     *
     * @param accounts by how much the balances of all accounts are below 0
     * @param tellers the same of all tellers
     * @param branches the same of all branches
     * @param history the sum of all withdrawals in the history
     * @param rows how many there are
     */
    record Books(long accounts, long tellers, long branches, long history, long rows) {

        /**
         * What does not balance, for people; empty where everything does.
         *
         * @param acknowledged how many withdrawals the server has acknowledged
         * @param unknown how many more may have been committed
         */
        public List<String> differences(long acknowledged, long unknown) {
            List<String> differences = new ArrayList<>();
            addIfOther(differences, "accounts", accounts);
            addIfOther(differences, "tellers", tellers);
            addIfOther(differences, "branches", branches);
            if (rows < acknowledged) {
                differences.add(String.format(
                        Locale.ROOT,
                        "the history has %,d withdrawals, but %,d were acknowledged: %,d are lost",
                        rows,
                        acknowledged,
                        acknowledged - rows));
            } else if (rows > acknowledged + unknown) {
                differences.add(String.format(
                        Locale.ROOT,
                        "the history has %,d withdrawals, but only %,d were acknowledged%s",
                        rows,
                        acknowledged,
                        unknown == 0 ? "" : String.format(Locale.ROOT, " and the outcome of %,d is unknown", unknown)));
            }
            return differences;
        }

        private void addIfOther(List<String> differences, String whose, long sum) {
            if (sum != history) {
                differences.add(String.format(
                        Locale.ROOT,
                        "the %s have given %,d cents, but the history says %,d (%+,d)",
                        whose,
                        sum,
                        history,
                        sum - history));
            }
        }
    }
}
