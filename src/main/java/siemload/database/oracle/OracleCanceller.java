package siemload.database.oracle;

import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import siemload.database.SearchException;
import siemload.database.SearchException.Kind;

/**
 * Stops the search that a session is running: when somebody asks for it, or at its deadline, which this server does not
 * know. A request holds the lock while it is under way, so that it can hit no later search.
 */
final class OracleCanceller {
    private final ScheduledExecutorService watchers;
    private final Duration timeout;
    private volatile boolean pressed;
    private long number;
    private long deadlineNanos;
    private @Nullable Statement running;
    private @Nullable Future<?> alarm;

    OracleCanceller(ScheduledExecutorService watchers, Duration timeout) {
        this.watchers = watchers;
        this.timeout = timeout;
    }

    /** A search starts; called by the session's thread, as all but {@link #press}. */
    synchronized void arm(Statement statement) {
        long current = ++number;
        pressed = false;
        running = statement;
        deadlineNanos = System.nanoTime() + timeout.toNanos();
        alarm = watchers.schedule(() -> stop(current), timeout.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** The search has ended; waits for a request that is under way. */
    synchronized void disarm() {
        running = null;
        if (alarm != null) {
            alarm.cancel(false);
            alarm = null;
        }
    }

    /** Between two rows: the server is idle then and would not notice. */
    void check() {
        if (pressed) {
            throw new SearchException(Kind.CANCELLED, "", "the search was cancelled");
        }
        if (System.nanoTime() - deadlineNanos >= 0) {
            throw new SearchException(Kind.TIMEOUT, "", "the rows took longer than " + timeout.toMillis() + " ms");
        }
    }

    /** Asks for the running search to be stopped; returns at once. */
    void press() {
        pressed = true;
        watchers.execute(this::stopCurrent);
    }

    private synchronized void stopCurrent() {
        stop(number);
    }

    private synchronized void stop(long search) {
        if (running != null && number == search) {
            try {
                running.cancel();
            } catch (SQLException unreachable) {
                // The search itself meets the same trouble and reports it.
            }
        }
    }
}
