package siemload.run.procedure;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import siemload.database.AccountSession;
import siemload.database.Accounts;
import siemload.database.Books;
import siemload.database.ForwardingAccounts;
import siemload.database.TargetException;
import siemload.database.TransactionException;
import siemload.database.TransactionException.Kind;
import siemload.database.Withdrawal;

/** Accounts of a server that does nothing more from some time on. */
final class BrokenAccounts implements ForwardingAccounts {
    static final String TOO_MANY = "too many sessions";
    static final String NO_BOOKS = new TargetException("no books").toString();

    private final Accounts accounts;
    private final int mostSessions;
    private final Breakdown breakdown;
    private final AtomicInteger open = new AtomicInteger();

    /** What a session does in place of a withdrawal or a look into the history. */
    private interface Breakdown {
        void happen();

        default void lookUp() {}

        default boolean hasBooks() {
            return true;
        }
    }

    private BrokenAccounts(Accounts accounts, int mostSessions, Breakdown breakdown) {
        this.accounts = accounts;
        this.mostSessions = mostSessions;
        this.breakdown = breakdown;
    }

    /** It refuses each withdrawal, and to add up the books. */
    static BrokenAccounts refusing(Accounts accounts) {
        return refusingFrom(accounts, new CountDownLatch(0));
    }

    /** The same, from the first withdrawal on that finds the latch open. */
    static BrokenAccounts refusingFrom(Accounts accounts, CountDownLatch opened) {
        return new BrokenAccounts(accounts, Integer.MAX_VALUE, new Breakdown() {
            @Override
            public void happen() {
                if (opened.getCount() == 0) {
                    throw failed(Kind.REFUSED, "refused");
                }
            }

            @Override
            public boolean hasBooks() {
                return opened.getCount() > 0;
            }
        });
    }

    /** It answers to no commit, and the run is interrupted when its history is looked into, which fails. */
    static BrokenAccounts withoutAnswers(Accounts accounts, Interruption interruption) {
        return new BrokenAccounts(accounts, Integer.MAX_VALUE, new Breakdown() {
            @Override
            public void happen() {
                throw failed(Kind.UNKNOWN, "no answer");
            }

            @Override
            public void lookUp() {
                interruption.ask();
                throw failed(Kind.LOST, "no connection");
            }
        });
    }

    /** It takes no more than so many sessions. */
    static BrokenAccounts full(Accounts accounts, int mostSessions) {
        return new BrokenAccounts(accounts, mostSessions, () -> {});
    }

    int openSessions() {
        return open.get();
    }

    @Override
    public Accounts accounts() {
        return accounts;
    }

    @Override
    public Books books() {
        if (!breakdown.hasBooks()) {
            throw new TargetException("no books");
        }
        return accounts.books();
    }

    @Override
    public AccountSession openSession() {
        if (open.get() == mostSessions) {
            throw new TargetException(TOO_MANY);
        }
        open.incrementAndGet();
        return new Session(this, accounts.openSession());
    }

    private record Session(BrokenAccounts all, AccountSession session) implements ForwardingAccounts.OfUser {
        @Override
        public void withdraw(List<Withdrawal> withdrawals) {
            all.breakdown.happen();
            session.withdraw(withdrawals);
        }

        @Override
        public boolean isInHistory(Withdrawal withdrawal) {
            all.breakdown.lookUp();
            return session.isInHistory(withdrawal);
        }

        @Override
        public void close() {
            all.open.decrementAndGet();
            session.close();
        }
    }

    private static TransactionException failed(Kind kind, String message) {
        return new TransactionException(kind, message, new IllegalStateException());
    }
}
