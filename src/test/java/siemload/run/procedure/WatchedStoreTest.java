package siemload.run.procedure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import siemload.database.OwnTransactions;
import siemload.database.OwnTransactions.TransactionException;
import siemload.database.SearchException;
import siemload.database.SearchSession;
import siemload.database.SearchSession.ResultCursor;
import siemload.database.Store;
import siemload.database.Store.EventSink;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.query.Window;

class WatchedStoreTest {
    private static final Search SEARCH =
            new Search(SearchName.MENTAT, Window.ALWAYS, List.of(), Order.NEWEST_FIRST, new Page.Whole());

    private final EndedOperations ended = new EndedOperations();
    private RuntimeException failure = new IllegalStateException();
    private boolean fails;

    private final Store watched = WatchedStore.of(recording(Store.class), ended);

    @Test
    void whatEndsIsCountedWithItsTimeAndWhatFailsWithoutOne() {
        SearchSession session = watched.openSession();
        session.count(SEARCH);
        session.search(SEARCH, row -> {});
        watched.openSink().write(List.of());
        session.open(SEARCH).next(1, row -> {});
        session.explain(SEARCH);
        failWith(new SearchException(SearchException.Kind.TIMEOUT, "57014", "canceled"));
        assertThatThrownBy(() -> session.count(SEARCH)).isSameAs(failure);

        assertThat(ended.endedSoFar()).isEqualTo(5);
        assertThat(ended.failedSoFar()).isOne();
        assertThat(ended.endInterval().getTotalCount()).isEqualTo(4);
        assertThat(ended.endInterval().getTotalCount()).isZero();
    }

    @ParameterizedTest
    @EnumSource(TransactionException.Kind.class)
    void aTransactionThatIsRolledBackForAnotherIsNoFailure(TransactionException.Kind kind) {
        OwnTransactions.Session user = watched.transactions().orElseThrow().openSession();
        failWith(new TransactionException(kind, "no", new IllegalStateException()));

        assertThatThrownBy(() -> user.transact(List.of())).isSameAs(failure);

        long counted = kind == TransactionException.Kind.CONFLICT ? 0 : 1;
        assertThat(ended.endedSoFar()).isEqualTo(counted);
        assertThat(ended.failedSoFar()).isEqualTo(counted);
    }

    private void failWith(RuntimeException what) {
        failure = what;
        fails = true;
    }

    private <T> T recording(Class<T> type) {
        InvocationHandler handler = (proxy, method, arguments) -> {
            if (fails) {
                throw failure;
            }
            return method.getName().equals("transactions")
                    ? Optional.of(recording(OwnTransactions.class))
                    : some(method.getReturnType());
        };
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    private Object some(Class<?> type) {
        if (type == SearchSession.class
                || type == ResultCursor.class
                || type == EventSink.class
                || type == OwnTransactions.Session.class) {
            return recording(type);
        }
        return none(type);
    }

    private static Object none(Class<?> type) {
        if (type == int.class) {
            return 0;
        }
        return type == long.class ? 0L : null;
    }
}
