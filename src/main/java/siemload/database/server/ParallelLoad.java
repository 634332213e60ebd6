package siemload.database.server;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import siemload.config.DaemonThread;
import siemload.database.Store.BulkLoad;
import siemload.database.Store.EventSink;
import siemload.database.Store.PreparedEvents;
import siemload.database.TargetException;
import siemload.event.SecurityEvent;

/** Inserts batches over several connections at once; while all are busy, whoever brings the next batch waits. */
public final class ParallelLoad implements BulkLoad {
    private final String label;
    private final List<EventSink> writers = new ArrayList<>();
    private final BlockingQueue<EventSink> idle = new LinkedBlockingQueue<>();
    private final LongAdder bytes = new LongAdder();
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private final ExecutorService threads = Executors.newCachedThreadPool(DaemonThread.named("siemload-load"));

    private Runnable ending = () -> {};

    private ParallelLoad(String label) {
        this.label = label;
    }

    /**
     * Begins to load.
     *
     * @param label what is loaded, for messages: {@code the data set 'smoke'}
     * @param opening opens a sink, of which every call throws a {@link TargetException} if the server refuses
     */
    public static ParallelLoad start(String label, int writers, Supplier<EventSink> opening) {
        ParallelLoad load = new ParallelLoad(label);
        try {
            for (int i = 0; i < writers; i++) {
                load.writers.add(opening.get());
            }
        } catch (TargetException e) {
            load.close();
            throw e;
        }
        load.idle.addAll(load.writers);
        return load;
    }

    /** Has this done once all is stored. */
    public ParallelLoad endingWith(Runnable work) {
        ending = work;
        return this;
    }

    @Override
    public PreparedEvents prepare(List<SecurityEvent> events) {
        return new PreparedEvents(events, this::insert);
    }

    private void insert(List<SecurityEvent> batch) {
        EventSink writer = waitForOne();
        threads.execute(() -> {
            try {
                bytes.add(writer.write(batch));
            } catch (RuntimeException | Error e) {
                failure.compareAndSet(null, e);
            } finally {
                idle.add(writer);
            }
        });
    }

    @Override
    public long store() {
        for (int stored = 0; stored < writers.size(); stored++) {
            EventSink unused = waitForOne();
        }
        ending.run();
        idle.addAll(writers);
        return bytes.sum();
    }

    @Override
    public void close() {
        threads.shutdownNow();
        writers.forEach(EventSink::close);
        try {
            // An insert that goes on for longer is left to its own timeout.
            boolean unused = threads.awaitTermination(1, TimeUnit.MINUTES);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** One that has stored what it was given. @throws TargetException if that failed, or another one has */
    private EventSink waitForOne() {
        try {
            EventSink one = idle.take();
            Throwable failed = failure.get();
            if (failed == null) {
                return one;
            }
            throw failed instanceof TargetException known
                    ? known
                    : new TargetException("cannot load " + label + ": " + failed, failed);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TargetException("the load of " + label + " was interrupted", e);
        }
    }
}
