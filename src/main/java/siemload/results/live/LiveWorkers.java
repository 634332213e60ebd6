package siemload.results.live;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The few threads that answer, none of which waits long for a client: one that neither sends its request nor takes its answer
 * is cut off, since an interrupt closes the channel that a thread waits for. Where all are busy, a request is refused at once,
 * and its connection closed. Thread-safe.
 */
final class LiveWorkers implements Executor, AutoCloseable {
    /** With the threads that accept, follow the run and watch these, no more than 32. */
    private static final int MOST_THREADS = 26;

    private static final long IDLE_SECONDS = 10;

    private final ThreadPoolExecutor threads = new ThreadPoolExecutor(
            0, MOST_THREADS, IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), named("siemload-live-"));
    private final Map<Thread, Long> waitingSince = new ConcurrentHashMap<>();
    private final long patienceNanos;

    /**
     * @param timer looks once a second for who has waited too long
     * @param patience how long a client may take to send its request, and again to take its answer
     */
    LiveWorkers(ScheduledExecutorService timer, Duration patience) {
        this.patienceNanos = patience.toNanos();
        ScheduledFuture<?> unused = timer.scheduleAtFixedRate(this::cutOffSlow, 1, 1, TimeUnit.SECONDS);
    }

    /** Takes a request, from its first byte on. */
    @Override
    public void execute(Runnable exchange) {
        threads.execute(() -> {
            waitForClient();
            try {
                exchange.run();
            } finally {
                goOn();
            }
        });
    }

    /** From now on this thread waits for its client. */
    void waitForClient() {
        waitingSince.put(Thread.currentThread(), System.nanoTime());
    }

    /** This thread has what it waited for. */
    void goOn() {
        waitingSince.remove(Thread.currentThread());
    }

    private void cutOffSlow() {
        long now = System.nanoTime();
        waitingSince.forEach((thread, since) -> {
            if (now - since > patienceNanos && waitingSince.remove(thread, since)) {
                thread.interrupt();
            }
        });
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }

    static ThreadFactory named(String name) {
        AtomicInteger number = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, name + number.getAndIncrement());
            thread.setDaemon(true);
            return thread;
        };
    }
}
