package siemload.database.server;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import siemload.config.DaemonThread;
import siemload.database.SearchException;
import siemload.database.SearchException.Kind;
import siemload.database.SearchSession.RowReader;

/**
 * Cancels a session's running search, on request or at its deadline. A request holds a lock while it is under way, so that it cannot hit a
 * later search. Used by the session's thread, except for {@link #press}.
 */
public final class Canceller {
    /** Two, so that one request to an unreachable server does not hold up the others. */
    private static final int WATCHERS = 2;

    private final ScheduledExecutorService watchers;
    private final Duration timeout;
    private final String code;
    private volatile long number;
    private volatile boolean pressed;
    private long deadlineNanos;
    private @Nullable Runnable request;
    private @Nullable Future<?> alarm;

    /**
     * For one session.
     *
     * @param timeout how long a search may take
     * @param code the server's error code of a cancelled search; empty if there is none
     */
    public Canceller(ScheduledExecutorService watchers, Duration timeout, String code) {
        this.watchers = watchers;
        this.timeout = timeout;
        this.code = code;
    }

    /** Starts the threads that cancel the searches of a run; the caller shuts them down. */
    public static ScheduledThreadPoolExecutor watchers() {
        ScheduledThreadPoolExecutor watchers =
                new ScheduledThreadPoolExecutor(WATCHERS, DaemonThread.named("siemload-watcher"));
        watchers.setRemoveOnCancelPolicy(true);
        return watchers;
    }

    /**
     * A search starts, or continues with its next page.
     *
     * @param startNanos when, on {@link System#nanoTime}
     * @param stop asks the server to cancel it; returns soon also where the server does not answer, and throws nothing
     */
    public synchronized void arm(long startNanos, Runnable stop) {
        number = number + 1;
        pressed = false;
        request = stop;
        deadlineNanos = startNanos + timeout.toNanos();
    }

    /** Cancels the search at its deadline, where the server itself would continue. */
    public synchronized void scheduleDeadline() {
        long current = number;
        alarm = watchers.schedule(() -> stop(current), deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
    }

    /** The search has ended; waits for a request that is under way. */
    public synchronized void disarm() {
        request = null;
        if (alarm != null) {
            alarm.cancel(false);
            alarm = null;
        }
    }

    /** Between two rows, where the server is idle and would not notice: fails if the search is cancelled. */
    public void check() {
        if (pressed) {
            throw new SearchException(Kind.CANCELLED, code, "the search was cancelled");
        }
        if (System.nanoTime() - deadlineNanos >= 0) {
            throw new SearchException(Kind.TIMEOUT, code, "the rows took longer than " + timeout.toMillis() + " ms");
        }
    }

    /** The same before each row for a reader. */
    public RowReader checked(RowReader rows) {
        return row -> {
            check();
            rows.row(row);
        };
    }

    /** Requests that the running search be cancelled; called by any thread, returns at once. */
    public void press() {
        long current = number;
        pressed = true;
        watchers.execute(() -> stop(current));
    }

    private synchronized void stop(long search) {
        if (request != null && number == search) {
            request.run();
        }
    }
}
