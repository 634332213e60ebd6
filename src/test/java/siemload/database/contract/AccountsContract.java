package siemload.database.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import siemload.database.AccountRows;
import siemload.database.Accounts;
import siemload.database.Accounts.AccountScale;
import siemload.database.Accounts.AccountSession;
import siemload.database.Accounts.Books;
import siemload.database.Store;
import siemload.database.TargetPlugin.Offer;
import siemload.database.TransactionException;
import siemload.database.Withdrawal;

/** Accounts, where a target offers them: each withdrawal is there as a whole, and the books balance. */
public interface AccountsContract {
    AccountScale SCALE = new AccountScale(20_000);

    ContractSubject subject();

    @Test
    default void whoOffersAccountsHasThem() {
        try (Store store = subject().target().emptyStore(subject().nextRunId())) {
            assertThat(store.accounts().isPresent()).isEqualTo(subject().offers(Offer.ACCOUNTS));
        }
    }

    @Test
    default void filledAccountsAreEmptyAndSoAreTheBooks() {
        withAccounts(accounts -> {
            assertThat(accounts.books()).isEqualTo(new Books(0, 0, 0, 0, 0));
            try (AccountSession session = accounts.openSession()) {
                assertThat(session.read(List.of(new AccountRows(1, 1, 1), new AccountRows(20_000, 20, 2))))
                        .isZero();
            }
        });
    }

    @Test
    default void aWithdrawalChangesThreeBalancesAndIsInTheHistory() {
        withAccounts(accounts -> {
            try (AccountSession session = accounts.openSession()) {
                Withdrawal one = new Withdrawal(7, new AccountRows(20_000, 20, 2), 150);
                Withdrawal never = new Withdrawal(8, new AccountRows(20_000, 20, 2), 150);

                session.withdraw(List.of(one));

                assertThat(session.read(List.of(new AccountRows(20_000, 20, 2))))
                        .isEqualTo(-450);
                assertThat(session.read(List.of(new AccountRows(20_000, 1, 1)))).isEqualTo(-150);
                assertThat(session.read(List.of(new AccountRows(1, 20, 1)))).isEqualTo(-150);
                assertThat(session.read(List.of(new AccountRows(1, 1, 2)))).isEqualTo(-150);
                assertThat(session.isInHistory(one)).isTrue();
                assertThat(session.isInHistory(never)).isFalse();
            }
            assertThat(accounts.books()).isEqualTo(new Books(150, 150, 150, 150, 1));
        });
    }

    @Test
    default void aRowThatIsNotThereIsNamedByWhatItIsAndItsNumber() {
        withAccounts(accounts -> {
            try (AccountSession session = accounts.openSession()) {
                assertThatThrownBy(() -> session.withdraw(List.of(new Withdrawal(1, new AccountRows(1, 21, 1), 100))))
                        .isInstanceOf(TransactionException.class)
                        .hasMessageContainingAll("there is no", "teller", "21");
            }
            assertThat(accounts.books()).isEqualTo(new Books(0, 0, 0, 0, 0));
        });
    }

    @Test
    default void severalWithdrawalsAreOneTransactionAlsoFromTheSameRows() {
        withAccounts(accounts -> {
            try (AccountSession session = accounts.openSession()) {
                session.withdraw(List.of(
                        new Withdrawal(1, new AccountRows(5, 20, 1), 100),
                        new Withdrawal(2, new AccountRows(3, 1, 2), 20),
                        new Withdrawal(3, new AccountRows(5, 20, 1), 3)));

                assertThat(session.read(List.of(new AccountRows(5, 2, 2)))).isEqualTo(-103 - 20);
            }
            assertThat(accounts.books()).isEqualTo(new Books(123, 123, 123, 123, 3));
        });
    }

    /** Rows are locked in one order, so that sessions with the same rows in other orders do not block each other for good. */
    @Test
    default void sessionsAtTheSameRowsDoNotLoseAnything() {
        withAccounts(accounts -> {
            int sessions = 4;
            int each = 25;
            List<CompletableFuture<Void>> all = new ArrayList<>();
            for (int number = 0; number < sessions; number++) {
                int own = number;
                all.add(CompletableFuture.runAsync(() -> withdraw(accounts, own, each)));
            }
            all.forEach(CompletableFuture::join);

            Books books = accounts.books();
            assertThat(books.differences((long) sessions * each * 3, 0)).isEmpty();
            assertThat(books.history()).isEqualTo(sessions * each * 60);
        });
    }

    private static void withdraw(Accounts accounts, int session, int times) {
        try (AccountSession open = accounts.openSession()) {
            for (int i = 0; i < times; i++) {
                int first = (session * times + i) * 3;
                List<Withdrawal> three = IntStream.of(0, 1, 2)
                        .mapToObj(one -> new Withdrawal(
                                first + one,
                                new AccountRows(1 + (session + one) % 3, 1 + (session + one) % 3, 1 + one % 2),
                                20))
                        .toList();
                untilDone(open, three);
            }
        }
    }

    /** A server may still roll one back for the sake of others; nothing is left of it then. */
    private static void untilDone(AccountSession session, List<Withdrawal> withdrawals) {
        for (int tries = 0; ; tries++) {
            try {
                session.withdraw(withdrawals);
                return;
            } catch (TransactionException rolledBack) {
                if (rolledBack.kind() != TransactionException.Kind.CONFLICT || tries == 100) {
                    throw rolledBack;
                }
            }
        }
    }

    private void withAccounts(Consumer<Accounts> test) {
        assumeThat(subject().offers(Offer.ACCOUNTS)).as("offers accounts").isTrue();
        try (Store store = subject().target().emptyStore(subject().nextRunId())) {
            Accounts accounts = store.accounts().orElseThrow();
            accounts.fill(SCALE, filled -> assertThat(filled).isBetween(1L, SCALE.accounts()));
            test.accept(accounts);
        }
    }
}
