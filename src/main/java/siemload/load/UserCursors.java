package siemload.load;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongUnaryOperator;
import java.util.function.Supplier;
import siemload.database.SearchSession;

/** The cursors of all users of a run. Thread-safe. */
final class UserCursors implements AutoCloseable {
    private final Supplier<SearchSession> sessions;
    private final LongUnaryOperator completeUntil;
    private final Set<UserCursor> open = ConcurrentHashMap.newKeySet();

    /**
     * @param sessions opens a connection for a user
     * @param completeUntil as {@link Answering} has it
     */
    UserCursors(Supplier<SearchSession> sessions, LongUnaryOperator completeUntil) {
        this.sessions = sessions;
        this.completeUntil = completeUntil;
    }

    /** A cursor for a user who sits down, or who does not want to wait for the old one. */
    UserCursor create() {
        UserCursor cursor = new UserCursor(sessions, completeUntil);
        open.add(cursor);
        return cursor;
    }

    /** Lets a user leave a cursor behind. */
    void leave(UserCursor cursor) {
        open.remove(cursor);
        cursor.leave();
    }

    /** Gives up what is being read, and closes all of them. */
    @Override
    public void close() {
        open.forEach(this::leave);
    }
}
