package siemload.database.memory;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.function.LongConsumer;
import siemload.database.AccountRows;
import siemload.database.AccountScale;
import siemload.database.AccountSession;
import siemload.database.Accounts;
import siemload.database.Books;
import siemload.database.TransactionException;
import siemload.database.Withdrawal;

/** Balances in maps, one transaction at a time. */
final class MemoryAccounts implements Accounts {
    private final Map<Long, Long> accounts = new HashMap<>();
    private final Map<Long, Long> tellers = new HashMap<>();
    private final Map<Long, Long> branches = new HashMap<>();
    private final Map<Long, Withdrawal> history = new HashMap<>();

    @Override
    public synchronized void fill(AccountScale scale, LongConsumer filled) {
        for (long account = 1; account <= scale.accounts(); account++) {
            accounts.put(account, 0L);
        }
        for (long teller = 1; teller <= scale.tellers(); teller++) {
            tellers.put(teller, 0L);
        }
        for (long branch = 1; branch <= scale.branches(); branch++) {
            branches.put(branch, 0L);
        }
        filled.accept(scale.accounts());
    }

    @Override
    public AccountSession openSession() {
        return new MemoryAccountSession(this);
    }

    @Override
    public synchronized Books books() {
        long withdrawn = history.values().stream().mapToLong(Withdrawal::amount).sum();
        return new Books(missing(accounts), missing(tellers), missing(branches), withdrawn, history.size());
    }

    private static long missing(Map<Long, Long> balances) {
        return -balances.values().stream().mapToLong(Long::longValue).sum();
    }

    synchronized void withdraw(List<Withdrawal> withdrawals) {
        for (Withdrawal one : withdrawals) {
            requireThere(accounts, "account", one.rows().account());
            requireThere(tellers, "teller", one.rows().teller());
            requireThere(branches, "branch", one.rows().branch());
        }
        for (Withdrawal one : withdrawals) {
            accounts.merge(one.rows().account(), (long) -one.amount(), Long::sum);
            tellers.merge(one.rows().teller(), (long) -one.amount(), Long::sum);
            branches.merge(one.rows().branch(), (long) -one.amount(), Long::sum);
            history.put(one.id(), one);
        }
    }

    private static void requireThere(Map<Long, Long> balances, String what, long number) {
        if (!balances.containsKey(number)) {
            throw new TransactionException(
                    TransactionException.Kind.REFUSED,
                    "there is no " + what + " of the number " + number,
                    new NoSuchElementException());
        }
    }

    synchronized long read(List<AccountRows> rows) {
        return rows.stream()
                .mapToLong(one -> accounts.getOrDefault(one.account(), 0L)
                        + tellers.getOrDefault(one.teller(), 0L)
                        + branches.getOrDefault(one.branch(), 0L))
                .sum();
    }

    synchronized boolean isInHistory(Withdrawal withdrawal) {
        return history.containsKey(withdrawal.id());
    }
}
