package siemload.run.procedure;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import siemload.database.OwnTransactions;
import siemload.database.OwnTransactions.TransactionException;
import siemload.database.SearchException;
import siemload.database.SearchSession;
import siemload.database.SearchSession.ResultCursor;
import siemload.database.Store;
import siemload.database.Store.EventSink;

/**
 * A store of which each search, batch and transaction is counted when it ends, so that a procedure that does harm can be noticed,
 * whatever its steps are. Plans and what is asked about the store itself are not counted. Thread-safe as the store is.
 */
public final class WatchedStore {
    /** What is counted of what a store opens; all else is handed on as it is. */
    private static final Map<Class<?>, Set<String>> COUNTED = Map.of(
            SearchSession.class, Set.of("search", "count", "summarize", "store"),
            ResultCursor.class, Set.of("next"),
            EventSink.class, Set.of("write"),
            OwnTransactions.Session.class, Set.of("transact"));

    private WatchedStore() {}

    /**
     * The same store, watched.
     *
     * @param store the one that does the work
     * @param ended takes what ended
     */
    public static Store of(Store store, EndedOperations ended) {
        return watched(Store.class, store, ended);
    }

    private static <T> T watched(Class<T> type, Object watched, EndedOperations ended) {
        InvocationHandler handler = (proxy, method, arguments) -> {
            boolean counts = COUNTED.getOrDefault(type, Set.of()).contains(method.getName());
            long start = System.nanoTime();
            Object result;
            try {
                result = method.invoke(watched, arguments);
            } catch (InvocationTargetException thrown) {
                Throwable failure = thrown.getTargetException();
                if (counts && isFailure(failure)) {
                    ended.failed();
                }
                throw failure;
            }
            if (counts) {
                ended.succeeded(start);
            }
            if (result instanceof Optional<?> optional && method.getName().equals("transactions")) {
                return optional.map(transactions -> watched(OwnTransactions.class, transactions, ended));
            }
            return COUNTED.containsKey(method.getReturnType())
                    ? watched(method.getReturnType(), result, ended)
                    : result;
        };
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    /** Of two transactions that met at one row one is rolled back: that is how they are kept apart, and it is tried again. */
    private static boolean isFailure(Throwable thrown) {
        return thrown instanceof SearchException
                || (thrown instanceof TransactionException transaction
                        && transaction.kind() != TransactionException.Kind.CONFLICT);
    }
}
