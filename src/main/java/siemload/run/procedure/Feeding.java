package siemload.run.procedure;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import siemload.database.Counters;
import siemload.database.Counters.CounterReading;
import siemload.database.Counters.CounterReading.Category;
import siemload.database.Counters.CounterReading.Io;
import siemload.database.Store.EventSink;

/** Inserts events as fast as some connections can, and finds out what that costs the server. Used by one thread. */
record Feeding(ProcedureContext context, NewEvents events, int batch, int connections) {
    /**
     * Inserts all events.
     *
     * @return the figures {@code eventsPerSecond}, {@code kilobytesPerSecond}, {@code seconds}, {@code rows},
     *     {@code batchP50Micros} and {@code batchP95Micros}; {@code walBytesPerEvent} and {@code diskBytesPerEvent} where the server tells
     * @throws siemload.database.SearchException if a batch could not be stored
     */
    Step feed() {
        long diskBefore = diskBytes();
        List<EventSink> sinks = new ArrayList<>();
        Optional<Counters> counters = context.store().openCounters();
        try {
            for (int i = 0; i < connections; i++) {
                sinks.add(context.store().openSink());
            }
            OptionalLong logBefore = logBytes(sinks);
            CounterReading before = counters.map(Counters::read).orElse(CounterReading.NONE);
            LatencySamples batches = new LatencySamples();
            long start = System.nanoTime();
            long bytes = feed(sinks, batches);
            Step step = step(batches, bytes, (System.nanoTime() - start) / 1e9);
            logOf(sinks, logBefore, counters, before).ifPresent(log -> step.figure("walBytesPerEvent", log / all()));
            // What they counted is handed in when they end.
            sinks.forEach(EventSink::close);
            counters.ifPresent(open -> step.readAndWritten(open.readSettled().since(before)));
            if (diskBefore > 0) {
                step.figure("diskBytesPerEvent", (diskBytes() - diskBefore) / all());
            }
            return step;
        } finally {
            sinks.forEach(EventSink::close);
            counters.ifPresent(Counters::close);
        }
    }

    /**
     * Inserts all events over one connection.
     *
     * @return what the server wrote to its log for that alone, for each event; empty where it does not tell
     * @throws siemload.database.SearchException if a batch could not be stored
     */
    OptionalDouble logBytesPerEvent() {
        try (EventSink sink = context.store().openSink()) {
            OptionalLong before = sink.logBytes();
            long unused = feed(List.of(sink), new LatencySamples());
            OptionalLong after = sink.logBytes();
            return before.isPresent() && after.isPresent()
                    ? OptionalDouble.of((after.getAsLong() - before.getAsLong()) / all())
                    : OptionalDouble.empty();
        }
    }

    private double all() {
        return events.count();
    }

    private Step step(LatencySamples batches, long bytes, double seconds) {
        return new Step("feed")
                .fact("batch", batch)
                .fact("connections", connections)
                .figure("seconds", seconds)
                .figure("rows", events.count())
                .stored(events.count(), bytes, seconds)
                .figure("batchP50Micros", batches.percentile(50))
                .figure("batchP95Micros", batches.percentile(95));
    }

    /** Each connection takes the next batch that is not taken. @return the size of all as IDEA JSON, in bytes */
    private long feed(List<EventSink> sinks, LatencySamples batches) {
        AtomicInteger next = new AtomicInteger();
        int last = events.batches(batch);
        LongAdder bytes = new LongAdder();
        List<Runnable> feeders = new ArrayList<>();
        for (EventSink sink : sinks) {
            feeders.add(() -> {
                for (int number = next.getAndIncrement(); number < last; number = next.getAndIncrement()) {
                    context.interruption().check();
                    long sent = System.nanoTime();
                    bytes.add(sink.write(events.batch(number, batch)));
                    batches.add((System.nanoTime() - sent) / 1e3);
                }
            });
        }
        ParallelTasks.run("feeder", feeders);
        return bytes.sum();
    }

    private long diskBytes() {
        return context.store().relationBytes().values().stream()
                .mapToLong(Long::longValue)
                .sum();
    }

    /** What the server wrote to its log for the sinks; where it does not tell, what it wrote in all meanwhile. */
    private static OptionalDouble logOf(
            List<EventSink> sinks, OptionalLong before, Optional<Counters> counters, CounterReading countedBefore) {
        OptionalLong after = logBytes(sinks);
        if (before.isPresent() && after.isPresent()) {
            return OptionalDouble.of((double) (after.getAsLong() - before.getAsLong()));
        }
        if (counters.isEmpty()) {
            return OptionalDouble.empty();
        }
        CounterReading meanwhile = counters.orElseThrow().read().since(countedBefore);
        Io redo = meanwhile.io().getOrDefault(Category.REDO, Io.NONE);
        return OptionalDouble.of((double) redo.writtenBytes());
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
