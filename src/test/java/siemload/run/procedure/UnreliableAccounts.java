package siemload.run.procedure;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import siemload.database.Accounts;
import siemload.database.Accounts.AccountSession;
import siemload.database.ForwardingAccounts;
import siemload.database.TransactionException;
import siemload.database.Withdrawal;

/** Accounts to which something happens at every tenth withdrawal, or at many in a row. */
final class UnreliableAccounts implements ForwardingAccounts {
    private final Accounts accounts;
    private final Mishap mishap;
    private final AtomicInteger withdrawals = new AtomicInteger();
    private final AtomicInteger mishaps = new AtomicInteger();

    enum Mishap {
        /** The server rolls it back. */
        CONFLICT,
        /** The server rolls back the first 150, one after the other. */
        CONFLICT_IN_A_ROW,
        /** The connection is lost before the commit. */
        LOST,
        /** The connection is lost after the server has committed. */
        COMMITTED_WITHOUT_ANSWER,
        /** The connection is lost before the server gets to know the commit. */
        COMMIT_NOT_RECEIVED,
        /** The server acknowledges what it does not store. */
        FORGOTTEN
    }

    UnreliableAccounts(Accounts accounts, Mishap mishap) {
        this.accounts = accounts;
        this.mishap = mishap;
    }

    int mishaps() {
        return mishaps.get();
    }

    @Override
    public Accounts accounts() {
        return accounts;
    }

    @Override
    public AccountSession openSession() {
        return new Session(this, accounts.openSession());
    }

    private record Session(UnreliableAccounts all, AccountSession session) implements ForwardingAccounts.OfUser {
        @Override
        public void withdraw(List<Withdrawal> withdrawals) {
            if (all.isStruck(all.withdrawals.incrementAndGet())) {
                all.mishaps.incrementAndGet();
                all.happen(session, withdrawals);
            } else {
                session.withdraw(withdrawals);
            }
        }
    }

    private boolean isStruck(int withdrawal) {
        return mishap == Mishap.CONFLICT_IN_A_ROW ? withdrawal <= 150 : withdrawal % 10 == 0;
    }

    private void happen(AccountSession session, List<Withdrawal> all) {
        switch (mishap) {
            case CONFLICT, CONFLICT_IN_A_ROW -> throw failed(TransactionException.Kind.CONFLICT);
            case LOST -> throw failed(TransactionException.Kind.LOST);
            case COMMITTED_WITHOUT_ANSWER -> {
                session.withdraw(all);
                throw failed(TransactionException.Kind.UNKNOWN);
            }
            case COMMIT_NOT_RECEIVED -> throw failed(TransactionException.Kind.UNKNOWN);
            case FORGOTTEN -> {}
        }
    }

    private static TransactionException failed(TransactionException.Kind kind) {
        return new TransactionException(kind, "a mishap", new IllegalStateException());
    }
}
