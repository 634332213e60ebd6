package siemload.run.procedure;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import siemload.database.AccountRows;
import siemload.database.AccountScale;
import siemload.database.AccountSession;
import siemload.database.Accounts;
import siemload.database.Books;
import siemload.database.CheckpointCounters;
import siemload.database.Counters;
import siemload.database.DayRemoval;
import siemload.database.EventSink;
import siemload.database.Maintenance;
import siemload.database.OtherClient;
import siemload.database.OwnCounts;
import siemload.database.PlainLookup;
import siemload.database.Plan;
import siemload.database.ResultCursor;
import siemload.database.RowReader;
import siemload.database.SearchException;
import siemload.database.SearchSession;
import siemload.database.ServerClock;
import siemload.database.Store;
import siemload.database.StoreKind;
import siemload.database.TransactionException;
import siemload.database.Trends;
import siemload.database.Withdrawal;
import siemload.event.SecurityEvent;
import siemload.query.PageClass;
import siemload.query.Search;
import siemload.query.Summary;
import siemload.query.Window;

/**
 * A store of which each search, batch and transaction is counted when it ends, so that a procedure that does harm can be noticed,
 * whatever its steps are. Plans and what is asked about the store itself are not counted. Thread-safe as the store is.
 *
 * @param store the one that does the work
 * @param ended takes what ended
 */
public record WatchedStore(Store store, EndedOperations ended) implements Store {

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

    private record Session(SearchSession session, EndedOperations ended) implements SearchSession {
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

        @Override
        public Plan explain(Search search) {
            return session.explain(search);
        }

        @Override
        public Plan explain(Search search, Summary summary) {
            return session.explain(search, summary);
        }

        @Override
        public Plan explainStoring(Search search, Summary.Hours summary) {
            return session.explainStoring(search, summary);
        }

        @Override
        public Plan expect(Search search) {
            return session.expect(search);
        }

        @Override
        public Optional<String> statement(Search search, PageClass page) {
            return session.statement(search, page);
        }

        @Override
        public Optional<String> statementOfCursors() {
            return session.statementOfCursors();
        }

        @Override
        public boolean handInCounts() {
            return session.handInCounts();
        }

        @Override
        public Optional<OwnCounts> ownCounts() {
            return session.ownCounts();
        }

        @Override
        public void cancel() {
            session.cancel();
        }

        @Override
        public void close() {
            session.close();
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

    private record WatchedAccounts(Accounts accounts, EndedOperations ended) implements Accounts {
        @Override
        public void fill(AccountScale scale, LongConsumer filled) {
            accounts.fill(scale, filled);
        }

        @Override
        public AccountSession openSession() {
            return new User(accounts.openSession(), ended);
        }

        @Override
        public Books books() {
            return accounts.books();
        }
    }

    private record User(AccountSession session, EndedOperations ended) implements AccountSession {
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

        @Override
        public boolean isInHistory(Withdrawal withdrawal) {
            return session.isInHistory(withdrawal);
        }

        @Override
        public void close() {
            session.close();
        }
    }

    @Override
    public StoreKind kind() {
        return store.kind();
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
    public Optional<Counters> openCounters() {
        return store.openCounters();
    }

    @Override
    public void makeRoom(Window times) {
        store.makeRoom(times);
    }

    @Override
    public Optional<ServerClock> openClock() {
        return store.openClock();
    }

    @Override
    public Optional<String> nameToJoin() {
        return store.nameToJoin();
    }

    @Override
    public long events() {
        return store.events();
    }

    @Override
    public Presence presenceOf(Collection<String> ids) {
        return store.presenceOf(ids);
    }

    @Override
    public SortedMap<String, Long> relationBytes() {
        return store.relationBytes();
    }

    @Override
    public Optional<PlainLookup> openPlainLookup() {
        return store.openPlainLookup();
    }

    @Override
    public Optional<OtherClient> otherClient() {
        return store.otherClient();
    }

    @Override
    public void serverRestarted() {
        store.serverRestarted();
    }

    @Override
    public Optional<Maintenance> maintenance() {
        return store.maintenance();
    }

    @Override
    public Optional<Accounts> accounts() {
        return store.accounts().map(accounts -> new WatchedAccounts(accounts, ended));
    }

    @Override
    public Optional<DayRemoval> dayRemoval() {
        return store.dayRemoval();
    }

    @Override
    public Optional<Trends> trends() {
        return store.trends();
    }

    @Override
    public Optional<CheckpointCounters> openCheckpoints() {
        return store.openCheckpoints();
    }

    @Override
    public OptionalLong runningFor(Duration atLeast) {
        return store.runningFor(atLeast);
    }

    @Override
    public OptionalLong rowsWritten() {
        return store.rowsWritten();
    }

    @Override
    public void close() {
        store.close();
    }
}
