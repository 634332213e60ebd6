package siemload.run.procedure;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.Supplier;
import siemload.database.Counters;
import siemload.database.Counters.CounterReading;
import siemload.database.Counters.Io;
import siemload.database.SearchException;
import siemload.database.Store;
import siemload.database.Store.EventSink;
import siemload.database.TargetException;
import siemload.event.SecurityEvent;
import siemload.scenario.Procedure.Statistics;

/** Stores events as fast as it goes, and finds out what that costs the server. Stateless. */
final class EventWrites {
    private EventWrites() {}

    /**
     * What came of it.
     *
     * @param bytes of the events as IDEA JSON
     * @param seconds until all were durable
     * @param logBytes what the server wrote to its log for these alone; empty where it does not tell
     */
    record Written(long bytes, double seconds, OptionalDouble logBytes) {}

    /** Hands a connection the batches that it is to insert, the first connection being 0. */
    @FunctionalInterface
    interface Batches {
        void read(int connection, Consumer<List<SecurityEvent>> batches);
    }

    /**
     * Adds what it takes to store events to a step.
     *
     * @throws siemload.database.SearchException if they could not be stored, or the counters cannot be read
     */
    static void measure(Step step, Store store, long events, Supplier<Written> work) {
        CounterReading before = settled(store);
        long diskBefore = diskBytes(store);
        Written written = work.get();
        step.figure("seconds", written.seconds()).stored(events, written.bytes(), written.seconds());
        CounterReading counted = settled(store).since(before);
        step.readAndWritten(counted);
        double logged = counted.io(Io.REDO).writtenBytes();
        double log = written.logBytes().orElse(logged);
        if (log > 0) {
            step.figure("walBytesPerEvent", log / events);
        }
        if (diskBefore > 0) {
            step.figure("diskBytesPerEvent", (diskBytes(store) - diskBefore) / (double) events);
        }
    }

    /**
     * Inserts batches by some connections, each of which sends the next one when its last one was acknowledged.
     *
     * @throws siemload.database.SearchException if a batch could not be stored
     */
    static Written insert(Step step, ProcedureContext context, int connections, Batches events) {
        List<EventSink> sinks = new ArrayList<>();
        try {
            for (int i = 0; i < connections; i++) {
                sinks.add(context.store().openSink());
            }
            LongAdder bytes = new LongAdder();
            LatencySamples times = new LatencySamples();
            AtomicBoolean failed = new AtomicBoolean();
            List<Runnable> work = new ArrayList<>();
            for (int i = 0; i < connections; i++) {
                int number = i;
                work.add(() -> events.read(number, batch -> {
                    context.interruption().check();
                    if (failed.get()) {
                        return; // Another connection says why.
                    }
                    long sent = System.nanoTime();
                    try {
                        bytes.add(sinks.get(number).write(batch));
                    } catch (SearchException | TargetException refused) {
                        failed.set(true);
                        throw refused;
                    }
                    times.add((System.nanoTime() - sent) / 1e3);
                }));
            }
            OptionalLong logBefore = logBytes(sinks);
            long start = System.nanoTime();
            ParallelTasks.run("feeder", work);
            double seconds = secondsSince(start);
            OptionalLong logAfter = logBytes(sinks);
            step.fact("connections", connections)
                    .figure("batchP50Micros", times.percentile(50))
                    .figure("batchP95Micros", times.percentile(95));
            return new Written(
                    bytes.sum(),
                    seconds,
                    logBefore.isPresent() && logAfter.isPresent()
                            ? OptionalDouble.of((double) (logAfter.getAsLong() - logBefore.getAsLong()))
                            : OptionalDouble.empty());
        } finally {
            // What they counted is handed in when they end.
            sinks.forEach(EventSink::close);
        }
    }

    /** A server that knows nothing of the distribution of its data would go another way than it does in use. */
    static void gatherStatistics(Step step, Statistics wanted, Store store) {
        if (wanted == Statistics.FRESH) {
            long start = System.nanoTime();
            store.maintenance().ifPresent(Store.Maintenance::gatherStatistics);
            step.figure("statisticsSeconds", (System.nanoTime() - start) / 1e9);
        }
    }

    /**
     * What the server has counted once the sessions have ended that worked on the store; some seconds are waited for them at most.
     *
     * @throws siemload.database.SearchException if the counters cannot be read
     * @throws siemload.database.TargetException if the server does not let us open them
     */
    static CounterReading settled(Store store) {
        Optional<Counters> counters = store.openCounters();
        try {
            return counters.map(Counters::readSettled).orElse(CounterReading.NONE);
        } finally {
            counters.ifPresent(Counters::close);
        }
    }

    /** The size of all tables and indexes; 0 where the server does not tell. */
    static long diskBytes(Store store) {
        return store.relationBytes().values().stream()
                .mapToLong(Long::longValue)
                .sum();
    }

    /** Above 0. */
    static double secondsSince(long startNanos) {
        return Math.max(1, System.nanoTime() - startNanos) / 1e9;
    }

    private static OptionalLong logBytes(List<EventSink> sinks) {
        long sum = 0;
        for (EventSink sink : sinks) {
            OptionalLong bytes = sink.logBytes();
            if (bytes.isEmpty()) {
                return bytes;
            }
            sum += bytes.getAsLong();
        }
        return OptionalLong.of(sum);
    }
}
