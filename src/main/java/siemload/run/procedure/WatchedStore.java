package siemload.run.procedure;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import siemload.database.AccountRows;
import siemload.database.AccountSession;
import siemload.database.Accounts;
import siemload.database.EventSink;
import siemload.database.ForwardingAccounts;
import siemload.database.ForwardingSession;
import siemload.database.ForwardingStore;
import siemload.database.ResultCursor;
import siemload.database.RowReader;
import siemload.database.SearchException;
import siemload.database.SearchSession;
import siemload.database.Store;
import siemload.database.TransactionException;
import siemload.database.Withdrawal;
import siemload.event.SecurityEvent;
import siemload.query.Search;
import siemload.query.Summary;

/**
 * A store of which each search, batch and transaction is counted when it ends, so that a procedure that does harm can be noticed,
 * whatever its steps are. Plans and what is asked about the store itself are not counted. Thread-safe as the store is.
 *
 * @param store the one that does the work
 * @param ended takes what ended
 */
public record WatchedStore(Store store, EndedOperations ended) implements ForwardingStore {

    private static long counted(EndedOperations ended, LongSupplier operation) {
        return counted(ended, (Supplier<Long>) operation::getAsLong);
    }

    private static <T> T counted(EndedOperations ended, Supplier<T> operation) {
        long start = System.nanoTime();
        T result;
        try {
            result = operation.get();
        } catch (SearchException failure) {
            ended.failed();
            throw failure;
        } catch (TransactionException failure) {
            // Of two transactions that met at one row one is rolled back: that is how they are kept apart, and it is
            // tried again.
            if (failure.kind() != TransactionException.Kind.CONFLICT) {
                ended.failed();
            }
            throw failure;
        }
        ended.succeeded(start);
        return result;
    }

    private record Session(SearchSession session, EndedOperations ended) implements ForwardingSession {
        @Override
        public long search(Search search, RowReader rows) {
            return counted(ended, () -> session.search(search, rows));
        }

        @Override
        public long count(Search search) {
            return counted(ended, () -> session.count(search));
        }

        @Override
        public List<Summary.Line> summarize(Search search, Summary summary) {
            return counted(ended, () -> session.summarize(search, summary));
        }

        @Override
        public void store(Search search, Summary.Hours summary, String trend) {
            counted(ended, () -> {
                session.store(search, summary, trend);
                return 0;
            });
        }

        @Override
        public ResultCursor open(Search search) {
            return new Cursor(session.open(search), ended);
        }
    }

    private record Cursor(ResultCursor cursor, EndedOperations ended) implements ResultCursor {
        @Override
        public long next(int size, RowReader rows) {
            return counted(ended, () -> cursor.next(size, rows));
        }

        @Override
        public void close() {
            cursor.close();
        }
    }

    private record Sink(EventSink sink, EndedOperations ended) implements EventSink {
        @Override
        public long write(List<SecurityEvent> batch) {
            return counted(ended, () -> sink.write(batch));
        }

        @Override
        public OptionalLong logBytes() {
            return sink.logBytes();
        }

        @Override
        public void close() {
            sink.close();
        }
    }

    private record WatchedAccounts(Accounts accounts, EndedOperations ended) implements ForwardingAccounts {
        @Override
        public AccountSession openSession() {
            return new User(accounts.openSession(), ended);
        }
    }

    private record User(AccountSession session, EndedOperations ended) implements ForwardingAccounts.OfUser {
        @Override
        public void withdraw(List<Withdrawal> withdrawals) {
            counted(ended, () -> {
                session.withdraw(withdrawals);
                return 0;
            });
        }

        @Override
        public long read(List<AccountRows> rows) {
            return counted(ended, () -> session.read(rows));
        }
    }

    @Override
    public SearchSession openSession() {
        return new Session(store.openSession(), ended);
    }

    @Override
    public EventSink openSink() {
        return new Sink(store.openSink(), ended);
    }

    @Override
    public Optional<Accounts> accounts() {
        return store.accounts().map(accounts -> new WatchedAccounts(accounts, ended));
    }
}
