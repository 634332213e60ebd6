package siemload.database;

import java.util.List;
import java.util.function.LongConsumer;
import siemload.database.Accounts.AccountScale;
import siemload.database.Accounts.AccountSession;
import siemload.database.Accounts.Books;

/** Accounts that are others but for what they do themselves: whatever they do not say goes to {@link #accounts}. */
public interface ForwardingAccounts extends Accounts {
    /** Those that do the work. */
    Accounts accounts();

    @Override
    default void fill(AccountScale scale, LongConsumer filled) {
        accounts().fill(scale, filled);
    }

    @Override
    default Books books() {
        return accounts().books();
    }

    /** A session that is another one but for what it does itself. */
    interface OfUser extends AccountSession {
        /** The one that does the work. */
        AccountSession session();

        @Override
        default void withdraw(List<Withdrawal> withdrawals) {
            session().withdraw(withdrawals);
        }

        @Override
        default long read(List<AccountRows> rows) {
            return session().read(rows);
        }

        @Override
        default boolean isInHistory(Withdrawal withdrawal) {
            return session().isInHistory(withdrawal);
        }

        @Override
        default void close() {
            session().close();
        }
    }
}
