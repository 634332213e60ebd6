package siemload.database.postgresql.search;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import siemload.database.SearchException;
import siemload.database.SearchException.Kind;

/**
 * Stops the search that a session is running: when somebody asks for it, or at its deadline. The server ends a statement
 * at the timeout by itself, but a streamed result is many statements to it.
 *
 * <p>The request goes over a connection of its own. It holds the lock while it is under way, so that it can hit no later
 * search.
 */
final class PostgresqlCanceller {
    private static final String QUERY_CANCELED = "57014";

    private final ScheduledExecutorService watchers;
    private final Duration timeout;
    private volatile long number;
    private volatile boolean pressed;
    private long deadlineNanos;
    private @Nullable Connection running;
    private @Nullable Future<?> alarm;

    PostgresqlCanceller(ScheduledExecutorService watchers, Duration timeout) {
        this.watchers = watchers;
        this.timeout = timeout;
    }

    /** A search has started; called by the session's thread, as all but {@link #press} and {@link #endSilence}. */
    synchronized void arm(Connection connection, long startNanos) {
        number = number + 1;
        pressed = false;
        deadlineNanos = startNanos + timeout.toNanos();
        running = connection;
    }

    /** The search has ended; waits for a request that is under way. */
    synchronized void disarm() {
        running = null;
        if (alarm != null) {
            alarm.cancel(false);
            alarm = null;
        }
    }

    /** Stops the search at its deadline. */
    synchronized void scheduleDeadline() {
        long current = number;
        alarm = watchers.schedule(() -> stop(current), deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
    }

    /** Between two rows: the server is idle then and would not notice. */
    void check() {
        if (pressed) {
            throw new SearchException(Kind.CANCELLED, QUERY_CANCELED, "the search was cancelled");
        }
        if (System.nanoTime() - deadlineNanos >= 0) {
            String message = "the rows took longer than " + timeout.toMillis() + " ms";
            throw new SearchException(Kind.TIMEOUT, QUERY_CANCELED, message);
        }
    }

    /** Asks for the running search to be stopped; returns at once. */
    void press() {
        long current = number;
        pressed = true;
        watchers.execute(() -> stop(current));
    }

    /** Breaks the connection of a search that started this long ago: neither answer nor request got through. */
    synchronized void endSilence(long nowNanos, Duration longest) {
        if (running != null
                && nowNanos - deadlineNanos >= longest.minus(timeout).toNanos()) {
            try {
                running.abort(Runnable::run);
            } catch (SQLException alreadyBroken) {
                // Then the search ends anyway.
            }
        }
    }

    private synchronized void stop(long search) {
        if (running != null && number == search) {
            try {
                running.unwrap(PGConnection.class).cancelQuery();
            } catch (SQLException unreachable) {
                // The search itself meets the same trouble and reports it.
            }
        }
    }
}
