package siemload.dataset;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import siemload.config.DaemonThread;

/**
 * Makes or prepares batches on some threads ahead of a taker, who gets them in order on its own thread, the one that uses
 * this.
 */
final class OrderedBatches<T> implements AutoCloseable {
    private static final int MOST_THREADS = 4;

    private final int threads;
    private final Consumer<T> take;
    private final ExecutorService makers;
    private final Queue<Future<T>> ahead = new ArrayDeque<>();

    /** @param threads 1 or more; at most two batches for each are being made, or wait for the taker, at any time */
    OrderedBatches(int threads, Consumer<T> take) {
        this.threads = threads;
        this.take = take;
        makers = Executors.newFixedThreadPool(threads, DaemonThread.named("siemload-generator"));
    }

    /** As many threads as there are other processors, up to 4. */
    static int usualThreads() {
        return Math.max(1, Math.min(MOST_THREADS, Runtime.getRuntime().availableProcessors() - 1));
    }

    /**
     * Has a batch made; the taker gets the oldest one first where too many are waiting.
     *
     * @throws CancellationException if this thread is interrupted; it stays interrupted
     * @throws RuntimeException what making a batch threw, or its taker
     */
    void add(Callable<T> make) {
        while (ahead.size() >= 2 * threads) {
            takeOne();
        }
        ahead.add(makers.submit(make));
    }

    /** Hands the rest over. @throws CancellationException as {@link #add} does */
    void finish() {
        while (!ahead.isEmpty()) {
            takeOne();
        }
    }

    private void takeOne() {
        take.accept(await(ahead.remove()));
    }

    /** Gives up what is still being made, without waiting until that is noticed. */
    @Override
    public void close() {
        makers.shutdownNow();
    }

    private static <T> T await(Future<T> batch) {
        try {
            return batch.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw (CancellationException) new CancellationException("interrupted while events were made").initCause(e);
        } catch (ExecutionException e) {
            Throwable cause = e.getCause();
            if (cause instanceof RuntimeException known) {
                throw known;
            }
            if (cause instanceof Error error) {
                throw error;
            }
            throw new IllegalStateException("a batch of events could not be made", cause);
        }
    }
}
