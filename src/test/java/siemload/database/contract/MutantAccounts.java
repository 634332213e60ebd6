package siemload.database.contract;

import java.util.List;
import siemload.database.AccountSession;
import siemload.database.Accounts;
import siemload.database.ForwardingAccounts;
import siemload.database.Withdrawal;

/** Accounts of which only the first withdrawal of a transaction is taken. */
record MutantAccounts(Accounts accounts) implements ForwardingAccounts {

    @Override
    public AccountSession openSession() {
        return new FirstOnly(accounts.openSession());
    }

    private record FirstOnly(AccountSession session) implements ForwardingAccounts.OfUser {
        @Override
        public void withdraw(List<Withdrawal> withdrawals) {
            session.withdraw(withdrawals.subList(0, 1));
        }
    }
}
