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
 * Cancels a session's running search, on request or at its deadline. A request to cancel holds a lock while in progress, so that it cannot
 * cancel a later search. Used by the session's thread, except for {@link #press}.
 */
public final class Canceller {
    /** Two threads, so that one request to an unreachable server does not delay all others. */
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
     * Creates the canceller of one session.
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
     * Notes that a search starts, or continues with its next page.
     *
     * @param startNanos the start of the search or page, on {@link System#nanoTime}
     * @param stop asks the server to cancel the search; returns soon even if the server does not answer, and throws nothing
     */
    public synchronized void arm(long startNanos, Runnable stop) {
        number = number + 1;
        pressed = false;
        request = stop;
        deadlineNanos = startNanos + timeout.toNanos();
    }

    /** Schedules the cancellation of the search at its deadline, for servers that do not stop by themselves. */
    public synchronized void scheduleDeadline() {
        long current = number;
        alarm = watchers.schedule(() -> stop(current), deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
    }

    /** Notes that the search has ended; waits for a cancellation request in progress. */
    public synchronized void disarm() {
        request = null;
        if (alarm != null) {
            alarm.cancel(false);
            alarm = null;
        }
    }

    /** Throws an exception if the search was cancelled or its time is over; called between rows, when an idle server would not notice. */
    public void check() {
        if (pressed) {
            throw new SearchException(Kind.CANCELLED, code, "the search was cancelled");
        }
        if (System.nanoTime() - deadlineNanos >= 0) {
            throw new SearchException(Kind.TIMEOUT, code, "the rows took longer than " + timeout.toMillis() + " ms");
        }
    }

    /** Wraps a reader so that {@link #check} is called before each row. */
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
