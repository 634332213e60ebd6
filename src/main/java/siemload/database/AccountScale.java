package siemload.database;

/**
 * How many accounts there are, and so how many tellers and branches: 10,000 to 10 to 1. All are numbered from 1. Immutable.
 *
 * @param accounts a multiple of 10,000, up to 2,000,000,000
 */
public record AccountScale(long accounts) {
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
