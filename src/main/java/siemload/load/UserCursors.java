package siemload.load;

import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongUnaryOperator;
import java.util.function.Supplier;
import siemload.database.SearchException;
import siemload.database.SearchSession;
import siemload.database.SearchSession.ResultCursor;
import siemload.database.SearchSession.RowReader;
import siemload.query.Page;
import siemload.query.Search;

/** The cursors of all users of a run. Thread-safe. */
final class UserCursors implements AutoCloseable {
    private final Supplier<SearchSession> sessions;
    private final LongUnaryOperator completeUntil;
    private final Set<UserCursor> open = ConcurrentHashMap.newKeySet();

    /**
     * @param sessions opens a connection for a user
     * @param completeUntil as {@link SearchWorkers.Answering} has it
     */
    UserCursors(Supplier<SearchSession> sessions, LongUnaryOperator completeUntil) {
        this.sessions = sessions;
        this.completeUntil = completeUntil;
    }

    /** A cursor for a user who sits down, or who does not want to wait for the old one. */
    UserCursor create() {
        UserCursor cursor = new UserCursor();
        open.add(cursor);
        return cursor;
    }

    /** Gives up what is being read, and closes all of them. */
    @Override
    public void close() {
        open.forEach(UserCursor::leave);
    }

    /**
     * A user's own connection, on which the result that the user pages through stays open between pages. Opened by the first
     * page; used by one worker at a time. Thread-safe.
     */
    final class UserCursor {
        private final ReentrantLock reading = new ReentrantLock();
        private volatile Optional<SearchSession> session = Optional.empty();
        private Optional<ResultCursor> cursor = Optional.empty();
        private volatile long completeNanos;
        private volatile boolean left;

        /**
         * Reads a page: the first one opens the result, each other one is the next.
         *
         * @return the number of rows
         * @throws SearchException if the server gave up, or the user has left
         */
        long read(Search search, RowReader rows) {
            Page.Numbered page = (Page.Numbered) search.page();
            reading.lock();
            try {
                if (left) {
                    throw new SearchException(SearchException.Kind.CANCELLED, "", "the user has left");
                }
                if (page.number() == 1) {
                    completeNanos = completeUntil.applyAsLong(System.nanoTime());
                    SearchSession own = session.orElseGet(sessions);
                    session = Optional.of(own);
                    cursor = Optional.of(own.open(search));
                }
                return cursor.orElseThrow(() -> new SearchException(
                                SearchException.Kind.OTHER, "", "the cursor was closed before this page"))
                        .next(page.size(), rows);
            } catch (SearchException failed) {
                cursor = Optional.empty();
                throw failed;
            } finally {
                if (left) {
                    closeSession();
                }
                reading.unlock();
            }
        }

        /** When the result was opened that pages are read from; before, where a replica lacked something then. */
        long seenFromNanos() {
            return completeNanos;
        }

        /** Gives up whatever is being read, and closes the connection as soon as that has ended; returns at once. */
        void leave() {
            open.remove(this);
            left = true;
            if (reading.tryLock()) {
                try {
                    closeSession();
                } finally {
                    reading.unlock();
                }
            } else {
                session.ifPresent(SearchSession::cancel);
            }
        }

        private void closeSession() {
            cursor.ifPresent(ResultCursor::close);
            session.ifPresent(SearchSession::close);
            cursor = Optional.empty();
            session = Optional.empty();
        }
    }
}
