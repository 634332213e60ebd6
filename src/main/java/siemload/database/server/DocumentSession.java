package siemload.database.server;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Supplier;
import siemload.database.SearchSession;
import siemload.query.PageClass;
import siemload.query.Search;

/**
 * A session on documents: searches run one at a time, each can be stopped, and the server counts them all together.
 *
 * @param <E> what the database's client throws
 */
public abstract class DocumentSession<E extends RuntimeException> implements SearchSession {
    /** Stops the search that is running. */
    protected final Canceller stop;

    private final ServerErrors<E> errors;
    private final Duration timeout;
    private final String counted;
    private final PageCursor cursor = new PageCursor();
    private long number;

    /**
     * For searches that may take so long.
     *
     * @param stopped as of {@link Canceller}
     * @param counted what the server's counters call all that searches do
     */
    protected DocumentSession(
            ServerErrors<E> errors,
            Duration timeout,
            ScheduledExecutorService watchers,
            String stopped,
            String counted) {
        this.errors = errors;
        this.timeout = timeout;
        this.counted = counted;
        this.stop = new Canceller(watchers, timeout, stopped);
    }

    /** What stops the search that begins now: as for {@link Canceller#arm}. */
    protected abstract Runnable stopping();

    /** Opens a whole result, each page of which is {@link #page one}; they need not be refused after a failure. */
    protected abstract ResultCursor result(Search search);

    /** Tells the search that is running from those before it; all pages of a cursor are one. */
    protected final long number() {
        return number;
    }

    /** Runs a search, in place of a cursor that is open. */
    protected final <T> T run(Supplier<T> answer) {
        cursor.close();
        number++;
        return answered(answer);
    }

    /** Reads a page of a cursor; no server watches over its timeout. */
    protected final long page(Supplier<Long> rows) {
        return answered(() -> {
            stop.scheduleDeadline();
            return rows.get();
        });
    }

    private <T> T answered(Supplier<T> answer) {
        stop.arm(System.nanoTime(), stopping());
        try {
            return errors.answering(timeout, answer::get);
        } finally {
            stop.disarm();
        }
    }

    @Override
    public final ResultCursor open(Search search) {
        return cursor.open(() -> {
            number++;
            return result(search);
        });
    }

    @Override
    public final Optional<String> statement(Search search, PageClass page) {
        return statementOfCursors();
    }

    @Override
    public final Optional<String> statementOfCursors() {
        return Optional.of(counted);
    }

    @Override
    public final void cancel() {
        stop.press();
    }

    @Override
    public final void close() {
        cursor.close();
    }
}
