package siemload.database.contract;

import java.util.List;
import java.util.function.LongConsumer;
import siemload.database.AccountRows;
import siemload.database.AccountScale;
import siemload.database.AccountSession;
import siemload.database.Accounts;
import siemload.database.Books;
import siemload.database.Withdrawal;

/** Accounts of which only the first withdrawal of a transaction is taken. */
record MutantAccounts(Accounts healthy) implements Accounts {
    @Override
    public void fill(AccountScale scale, LongConsumer filled) {
        healthy.fill(scale, filled);
    }

    @Override
    public AccountSession openSession() {
        return new FirstOnly(healthy.openSession());
    }

    @Override
    public Books books() {
        return healthy.books();
    }

    private record FirstOnly(AccountSession healthy) implements AccountSession {
        @Override
        public void withdraw(List<Withdrawal> withdrawals) {
            healthy.withdraw(withdrawals.subList(0, 1));
        }

        @Override
        public long read(List<AccountRows> rows) {
            return healthy.read(rows);
        }

        @Override
        public boolean isInHistory(Withdrawal withdrawal) {
            return healthy.isInHistory(withdrawal);
        }

        @Override
        public void close() {
            healthy.close();
        }
    }
}
