package siemload.database;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What all accounts, tellers, branches and the history say together, in cents. Immutable.
 *
 * @param accounts by how much the balances of all accounts are below 0
 * @param tellers the same of all tellers
 * @param branches the same of all branches
 * @param history the sum of all withdrawals in the history
 * @param rows how many there are
 */
public record Books(long accounts, long tellers, long branches, long history, long rows) {

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
