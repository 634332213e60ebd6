package siemload.dataset;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import siemload.config.DaemonThread;

/** Makes numbered batches on some threads ahead of a taker, who gets them in order on its own thread. */
final class OrderedBatches {
    private OrderedBatches() {}

    /**
     * Hands over batches 0 to {@code count - 1}; at most two for each thread are waiting at any time.
     *
     * @throws CancellationException if this thread is interrupted; it stays interrupted
     */
    static <T> void run(long count, int threads, LongFunction<T> make, Consumer<T> take) {
        ExecutorService makers = Executors.newFixedThreadPool(threads, DaemonThread.named("siemload-generator"));
        try {
            Queue<Future<T>> ahead = new ArrayDeque<>();
            long next = 0;
            for (long taken = 0; taken < count; taken++) {
                while (next < count && ahead.size() < 2 * threads) {
                    long number = next++;
                    ahead.add(makers.submit(() -> make.apply(number)));
                }
                take.accept(await(ahead.remove()));
            }
        } finally {
            makers.shutdownNow();
        }
    }

    private static <T> T await(Future<T> batch) {
        try {
            return batch.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw (CancellationException) new CancellationException("interrupted while events were made").initCause(e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("a batch of events could not be made", e.getCause());
        }
    }
}
