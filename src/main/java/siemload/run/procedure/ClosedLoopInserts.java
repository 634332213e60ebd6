package siemload.run.procedure;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import siemload.database.EventSink;
import siemload.event.SecurityEvent;
import siemload.scenario.Ingest.Writing;

/**
 * Inserts the whole data set batch by batch, as fast as some connections can: each takes the next batch when its last one was
 * acknowledged. The events are made meanwhile. Used once.
 */
final class ClosedLoopInserts {
    private static final int MOST_MILLIS_OF_WAIT = 100;

    private final ProcedureContext context;
    private final Writing writing;
    private final BlockingQueue<List<SecurityEvent>> ready;
    private final AtomicBoolean allRead = new AtomicBoolean();
    private final AtomicBoolean oneFailed = new AtomicBoolean();
    private final LongAdder bytes = new LongAdder();
    private final LatencySamples times = new LatencySamples();

    ClosedLoopInserts(ProcedureContext context, Writing writing) {
        this.context = context;
        this.writing = writing;
        this.ready = new ArrayBlockingQueue<>(2 * writing.connections());
    }

    /**
     * Inserts all events, and adds what that took to a step.
     *
     * @throws siemload.database.SearchException if a batch could not be stored
     */
    void insert(Step step) {
        List<EventSink> sinks = new ArrayList<>();
        try {
            for (int i = 0; i < writing.connections(); i++) {
                sinks.add(context.store().openSink());
            }
            List<Runnable> work = new ArrayList<>(List.of(this::read));
            sinks.forEach(sink -> work.add(() -> unlessOneFails(() -> write(sink))));
            long start = System.nanoTime();
            ParallelTasks.run("feeder", work);
            double seconds = Math.max(1, System.nanoTime() - start) / 1e9;
            long events = context.source().count();
            step.figure("seconds", seconds)
                    .figure("events", events)
                    .stored(events, bytes.sum(), seconds)
                    .figure("batchP50Micros", times.percentile(50))
                    .figure("batchP95Micros", times.percentile(95));
        } finally {
            sinks.forEach(EventSink::close);
        }
    }

    /** Where one connection has failed, what is left need not be made. */
    private void read() {
        try {
            unlessOneFails(() -> context.source().read(writing.batch(), this::put));
        } catch (CancellationException given) {
            // Whoever failed says why.
        } finally {
            allRead.set(true);
        }
    }

    private void unlessOneFails(Runnable work) {
        try {
            work.run();
        } catch (RuntimeException | Error failed) {
            oneFailed.set(true);
            throw failed;
        }
    }

    private void put(List<SecurityEvent> batch) {
        try {
            while (!ready.offer(batch, MOST_MILLIS_OF_WAIT, TimeUnit.MILLISECONDS)) {
                if (oneFailed.get()) {
                    throw new CancellationException("a connection has failed");
                }
            }
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
            throw (CancellationException) new CancellationException("interrupted").initCause(hurried);
        }
    }

    private void write(EventSink sink) {
        try {
            while (!oneFailed.get() && !(allRead.get() && ready.isEmpty())) {
                List<SecurityEvent> batch = ready.poll(MOST_MILLIS_OF_WAIT, TimeUnit.MILLISECONDS);
                if (batch != null) {
                    context.interruption().check();
                    long sent = System.nanoTime();
                    bytes.add(sink.write(batch));
                    times.add((System.nanoTime() - sent) / 1e3);
                }
            }
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }
}
