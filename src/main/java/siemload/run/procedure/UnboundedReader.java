package siemload.run.procedure;

import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import siemload.config.DaemonThread;
import siemload.database.SearchException;
import siemload.database.SearchSession;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.query.Window;

/**
 * One search for every event there is, in time order and without an end to its window; asked again where it comes to its
 * end before it is cancelled. Used by one thread beside its own.
 */
final class UnboundedReader implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 60;
    private static final Search EVERYTHING =
            new Search(SearchName.MENTAT, Window.ALWAYS, List.of(), Order.NEWEST_FIRST, new Page.Whole());

    private final ProcedureContext context;
    private final SearchSession session;
    private final AtomicLong rows = new AtomicLong();
    private final AtomicLong asked = new AtomicLong();
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile long cancelledNanos;
    private volatile long endedNanos;
    private volatile boolean cancelled;
    private volatile String failure = "";

    private UnboundedReader(ProcedureContext context) {
        this.context = context;
        this.session = context.store().openSession();
    }

    /** Begins to search. */
    static UnboundedReader start(ProcedureContext context) {
        UnboundedReader noise = new UnboundedReader(context);
        Thread thread = DaemonThread.of("siemload-noise", noise::search);
        context.interruption().onAsk(noise::cancel);
        thread.start();
        return noise;
    }

    private void search() {
        try (session) {
            while (!cancelled) {
                asked.incrementAndGet();
                session.search(EVERYTHING, row -> rows.incrementAndGet());
            }
        } catch (SearchException end) {
            failure = cancelled ? "" : String.valueOf(end.getMessage());
        } finally {
            endedNanos = System.nanoTime();
            ended.countDown();
        }
    }

    /** Asks the server to give the search up; returns at once. */
    void cancel() {
        if (!cancelled) {
            cancelledNanos = System.nanoTime();
            cancelled = true;
            session.cancel();
        }
    }

    /**
     * What became of it, some time after it was cancelled: {@code cancelMicros} until the client was free again, and
     * {@code stillRunning} statements that the server has worked on since before.
     */
    Step step() {
        Step step = new Step("noise").figure("rows", rows.get()).figure("searches", asked.get());
        if (!failure.isEmpty()) {
            return step.failed(failure);
        }
        Duration since = Duration.ofNanos(System.nanoTime() - cancelledNanos);
        OptionalLong running = context.store().runningFor(since);
        running.ifPresent(statements -> step.figure("stillRunning", statements));
        return awaitEnd()
                ? step.figure("cancelMicros", Math.max(0, endedNanos - cancelledNanos) / 1e3)
                : step.failed("the search had not ended " + PATIENCE_SECONDS + " s after it was cancelled");
    }

    private boolean awaitEnd() {
        try {
            return ended.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Override
    public void close() {
        cancel();
        awaitEnd();
    }
}
