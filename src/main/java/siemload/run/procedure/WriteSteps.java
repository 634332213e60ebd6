package siemload.run.procedure;

import static siemload.run.procedure.ProcedureContext.seconds;
import static siemload.run.procedure.ProcedureContext.secondsSince;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import siemload.database.Counters;
import siemload.database.Counters.CounterReading;
import siemload.database.Counters.Io;
import siemload.database.SearchException;
import siemload.database.Store;
import siemload.database.Store.BulkLoad;
import siemload.database.Store.EventSink;
import siemload.database.Store.Maintenance;
import siemload.database.Store.Maintenance.BuildStep;
import siemload.database.TargetException;
import siemload.event.SecurityEvent;
import siemload.measure.monitor.SessionIo;
import siemload.run.procedure.StepLog.Step;
import siemload.scenario.Procedure.Asked;
import siemload.scenario.Procedure.Feed;
import siemload.scenario.Procedure.Load;
import siemload.scenario.Procedure.Load.Indexing;
import siemload.scenario.Procedure.Load.Way;
import siemload.scenario.Procedure.Statistics;
import siemload.scenario.WindowLength;

/** Stores events as fast as it goes, and finds out what that costs the server. Used by one thread. */
record WriteSteps(ProcedureContext context) {
    private static final int BATCH = 1_000;

    /**
     * What came of it.
     *
     * @param bytes of the events as IDEA JSON
     * @param seconds until all were durable
     * @param logBytes what the server wrote to its log for these alone; empty where it does not tell
     */
    private record Written(long bytes, double seconds, OptionalDouble logBytes) {}

    /**
     * Inserts events that are newer than all of the data set as fast as some connections can: the same ones in every run. They lie all
     * over the window that is searched; without one, a millisecond apart.
     *
     * @return the first instant behind all of them
     */
    Instant feed(Feed feed, Optional<Asked> asked) {
        Instant from = context.source().until();
        Duration span = asked.map(Asked::window).flatMap(WindowLength::length).orElse(Duration.ofMillis(feed.events()));
        context.status("inserting %,d events", feed.events());
        Store store = context.store();
        boolean isWholeLog = checkpoint(store);
        AtomicInteger next = new AtomicInteger();
        Step step = new Step("feed").fact("batch", feed.batch()).figure("rows", feed.events());
        context.steps().attempt(step, () -> {
            BiConsumer<Integer, Consumer<List<SecurityEvent>>> events = (connection, sink) -> {
                for (int first = next.getAndAdd(feed.batch());
                        first < feed.events();
                        first = next.getAndAdd(feed.batch())) {
                    List<SecurityEvent> batch = new ArrayList<>(feed.batch());
                    for (int i = first; i < Math.min(feed.events(), first + feed.batch()); i++) {
                        Instant when = from.plusMillis(span.toMillis() * i / feed.events());
                        batch.add(context.source().feed().event(i, when));
                    }
                    sink.accept(batch);
                }
            };
            measure(step, store, feed.events(), isWholeLog, () -> insert(step, store, feed.connections(), events));
            gatherStatistics(step, feed.statistics(), store);
        });
        return from.plus(span);
    }

    /**
     * The log of the first change of a page holds the whole page, once after each checkpoint: a checkpoint right before lets all pages be
     * in it, whenever the last one was.
     */
    private boolean checkpoint(Store store) {
        try {
            store.maintenance().ifPresent(Maintenance::checkpoint);
            return true;
        } catch (TargetException refused) {
            context.progress().line("the log of inserts is not measured: " + refused.getMessage());
            return false;
        }
    }

    /**
     * Has each server take the data set into an empty store, delete it, and take it again: what is left of earlier cycles in the store's
     * files shows in later ones.
     *
     * @param isRead whether what was loaded last is read afterwards
     */
    void load(Load load, Servers servers, boolean isRead) {
        Maintenance unused = maintenance(context.store());
        // Only makes the events, which a load does beside storing them: no load can be faster than this.
        context.status("making the events");
        double seconds = seconds(
                () -> context.source().read(BATCH, batch -> context.steps().check()));
        context.steps().add(new Step("generate").events(context.source().count(), seconds));
        for (int cycle = 1; cycle <= load.cycles(); cycle++) {
            int number = cycle;
            boolean isLast = number == load.cycles();
            servers.each(one -> cycle(load, one, number, !isLast || (load.indexing() == Indexing.BEFORE && !isRead)));
        }
    }

    private static Maintenance maintenance(Store store) {
        return store.maintenance()
                .orElseThrow(() -> new TargetException(
                        "this target stores nothing, so loading cannot be measured; choose another one"));
    }

    /** One load on one server, with what comes before and after it. */
    private void cycle(Load load, Servers.One server, int number, boolean isDeleted) {
        Store store = server.store();
        Maintenance maintenance = maintenance(store);
        long all = context.source().count();
        String place = String.format(Locale.ROOT, "cycle %d of %d", number, load.cycles());
        boolean indexedBefore = load.indexing() == Indexing.BEFORE;
        Function<String, Step> step = name -> server.step(name)
                .fact("cycle", number)
                .fact("indexes", context.variant().indexes().label());
        double[] loading = {0};
        Step loaded = step.apply("load").fact("writing", load.writing());
        context.steps().attempt(loaded, () -> {
            if (indexedBefore && number == 1) {
                // Nothing to measure: the store is empty.
                maintenance.indexes().forEach(index -> index.work().run());
            }
            Supplier<Written> writing = load.writing() == Way.BULK
                    ? () -> bulk(maintenance, server, place)
                    : () -> inserted(load, loaded, server, place);
            measure(loaded.figure("events", all), store, all, true, writing);
            loading[0] = loaded.figure("seconds"); // a step that fails has no figures
            gatherStatistics(loaded.sized(store), load.statistics(), store);
            long events = isDeleted ? all : store.events(); // The deletion counts them.
            if (events != all) {
                loaded.failed("of " + all + " events the server has " + events);
            }
        });
        double seconds = loading[0];
        for (BuildStep index : indexedBefore ? List.<BuildStep>of() : maintenance.indexes()) {
            context.steps().check();
            server.status("building " + index.name());
            Set<String> before = store.relationBytes().keySet();
            double building = seconds(index.work());
            seconds += building;
            Map<String, Long> built = new HashMap<>(store.relationBytes());
            built.keySet().removeAll(before);
            context.steps()
                    .add(step.apply(index.name()).figure("seconds", building).sized(built));
        }
        context.steps().add(step.apply("load and indexes").events(all, seconds).sized(store));
        store.relationBytes()
                .forEach((name, bytes) ->
                        context.steps().add(step.apply("size " + name).figure("bytes", bytes)));
        if (!indexedBefore && isDeleted) {
            maintenance.dropIndexes();
        }
        if (isDeleted) {
            context.steps().check();
            server.status("deleting, " + place);
            double deleting = seconds(() -> {
                long deleted = maintenance.deleteAll();
                if (deleted != all) {
                    throw new TargetException("deleted " + deleted + " events where " + all + " had been loaded");
                }
            });
            context.steps().add(step.apply("delete").events(all, deleting).sized(store));
        }
    }

    private Written bulk(Maintenance maintenance, Servers.One server, String place) {
        long start = System.nanoTime();
        long[] done = {0};
        try (BulkLoad bulk = maintenance.openLoad()) {
            context.source().read(BATCH, bulk::prepare, prepared -> {
                context.steps().check();
                prepared.write();
                done[0] += prepared.events().size();
                server.status("loading, " + place + ": "
                        + done[0] * 100 / context.source().count() + " %");
            });
            return new Written(bulk.store(), secondsSince(start), OptionalDouble.empty());
        }
    }

    private Written inserted(Load load, Step step, Servers.One server, String place) {
        server.status("inserting, " + place);
        int connections = load.connections();
        BiConsumer<Integer, Consumer<List<SecurityEvent>>> events = (connection, sink) -> context.source()
                .readPart(load.batch() * connections, connection, connections, Function.identity(), sink);
        return insert(step.fact("batch", load.batch()), server.store(), connections, events);
    }

    /** Adds what it takes to store events to a step. @throws SearchException if they could not be stored */
    private static void measure(Step step, Store store, long events, boolean isWholeLog, Supplier<Written> work) {
        try (SessionIo counting = new SessionIo(store::openCounters)) {
            counting.start(Counters::readSettled);
            long diskBefore = Step.sum(store.relationBytes());
            Written written = work.get();
            Optional<CounterReading> counted = counting.sinceStart();
            step.figure("seconds", written.seconds())
                    .figure("rawBytesPerEvent", (double) written.bytes() / events)
                    .figure("eventsPerSecond", events / written.seconds())
                    .figure("kilobytesPerSecond", written.bytes() / written.seconds() / 1_000)
                    .readAndWritten(counted);
            double log = written.logBytes()
                    .orElse(counted.map(all -> all.io(Io.REDO).writtenBytes()).orElse(0L));
            if (log > 0 && isWholeLog) {
                step.figure("walBytesPerEvent", log / events);
            }
            if (diskBefore > 0) {
                step.figure("diskBytesPerEvent", (double) (Step.sum(store.relationBytes()) - diskBefore) / events);
            }
        }
    }

    /**
     * Inserts batches by some connections, each of which sends the next one when its last one was acknowledged.
     *
     * @param events hands a connection the batches that it is to insert, the first connection being 0
     * @throws SearchException if a batch could not be stored
     */
    private Written insert(
            Step step, Store store, int connections, BiConsumer<Integer, Consumer<List<SecurityEvent>>> events) {
        List<EventSink> sinks = new ArrayList<>();
        try {
            LongAdder bytes = new LongAdder();
            Histogram times = new ConcurrentHistogram(3);
            AtomicBoolean failed = new AtomicBoolean();
            List<Runnable> work = new ArrayList<>();
            for (int i = 0; i < connections; i++) {
                int number = i;
                EventSink sink = store.openSink();
                sinks.add(sink);
                work.add(() -> events.accept(number, batch -> {
                    context.steps().check();
                    if (failed.get()) {
                        return; // Another connection says why.
                    }
                    long sent = System.nanoTime();
                    try {
                        bytes.add(sink.write(batch));
                    } catch (SearchException | TargetException refused) {
                        failed.set(true);
                        throw refused;
                    }
                    times.recordValue((System.nanoTime() - sent) / 1_000);
                }));
            }
            OptionalDouble before = logBytes(sinks);
            long start = System.nanoTime();
            Servers.await(Servers.start("feeder", work));
            double seconds = secondsSince(start);
            OptionalDouble after = logBytes(sinks);
            step.fact("connections", connections).percentiles("batchP", times, 50, 95);
            boolean isTold = before.isPresent() && after.isPresent();
            return new Written(
                    bytes.sum(),
                    seconds,
                    isTold ? OptionalDouble.of(after.getAsDouble() - before.getAsDouble()) : OptionalDouble.empty());
        } finally {
            // What they counted is handed in when they end.
            sinks.forEach(EventSink::close);
        }
    }

    /** Of all of them; empty where one does not tell. */
    private static OptionalDouble logBytes(List<EventSink> sinks) {
        List<OptionalLong> told = sinks.stream().map(EventSink::logBytes).toList();
        return told.stream().allMatch(OptionalLong::isPresent)
                ? OptionalDouble.of(
                        told.stream().mapToDouble(OptionalLong::getAsLong).sum())
                : OptionalDouble.empty();
    }

    /** A server that knew nothing of the distribution of its data would go another way than it does in use. */
    private static void gatherStatistics(Step step, Statistics wanted, Store store) {
        if (wanted == Statistics.FRESH) {
            step.figure(
                    "statisticsSeconds", seconds(() -> store.maintenance().ifPresent(Maintenance::gatherStatistics)));
        }
    }
}
