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

    /** Opens a whole result; its pages need not be refused after a failure. */
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

    private <T> T answered(Supplier<T> answer) {
        stop.arm(System.nanoTime(), stopping());
        try {
            return errors.answering(timeout, answer);
        } finally {
            stop.disarm();
        }
    }

    @Override
    public final ResultCursor open(Search search) {
        return cursor.open(() -> {
            number++;
            ResultCursor result = result(search);
            return new ResultCursor() {
                @Override
                public long next(int size, RowReader rows) {
                    return answered(() -> result.next(size, rows));
                }

                @Override
                public void close() {
                    result.close();
                }
            };
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
