package siemload.run.procedure;

import java.util.List;
import siemload.database.Accounts;
import siemload.database.Accounts.AccountSession;
import siemload.database.Accounts.Books;
import siemload.database.ForwardingAccounts;
import siemload.database.TargetException;
import siemload.database.TransactionException;
import siemload.database.TransactionException.Kind;
import siemload.database.Withdrawal;

/** Accounts of a server that does nothing more from some time on. */
final class BrokenAccounts implements ForwardingAccounts {
    static final String NO_BOOKS = new TargetException("no books").toString();

    private final Accounts accounts;
    private final Breakdown breakdown;

    /** What a session does in place of a withdrawal or a look into the history. */
    private interface Breakdown {
        void happen();

        default void lookUp() {}

        default boolean hasBooks() {
            return true;
        }
    }

    private BrokenAccounts(Accounts accounts, Breakdown breakdown) {
        this.accounts = accounts;
        this.breakdown = breakdown;
    }

    /** It refuses each withdrawal, and to add up the books. */
    static BrokenAccounts refusing(Accounts accounts) {
        return new BrokenAccounts(accounts, new Breakdown() {
            @Override
            public void happen() {
                throw failed(Kind.REFUSED, "refused");
            }

            @Override
            public boolean hasBooks() {
                return false;
            }
        });
    }

    /** It answers to no commit, and the run is interrupted when its history is looked into, which fails. */
    static BrokenAccounts withoutAnswers(Accounts accounts, Interruption interruption) {
        return new BrokenAccounts(accounts, new Breakdown() {
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
    }

    private static TransactionException failed(Kind kind, String message) {
        return new TransactionException(kind, message, new IllegalStateException());
    }
}
