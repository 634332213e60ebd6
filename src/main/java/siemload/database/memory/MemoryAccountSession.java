package siemload.database.memory;

import java.util.List;
import siemload.database.AccountRows;
import siemload.database.AccountSession;
import siemload.database.Withdrawal;

/** Waits for its turn. */
record MemoryAccountSession(MemoryAccounts accounts) implements AccountSession {

    @Override
    public void withdraw(List<Withdrawal> withdrawals) {
        accounts.withdraw(withdrawals);
    }

    @Override
    public long read(List<AccountRows> rows) {
        return accounts.read(rows);
    }

    @Override
    public boolean isInHistory(Withdrawal withdrawal) {
        return accounts.isInHistory(withdrawal);
    }

    @Override
    public void close() {}
}
