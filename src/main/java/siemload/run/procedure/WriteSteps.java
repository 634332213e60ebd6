package siemload.run.procedure;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import siemload.config.DaemonThread;
import siemload.database.Counters;
import siemload.database.SearchException;
import siemload.database.Store;
import siemload.database.Store.EventSink;
import siemload.database.Store.Maintenance;
import siemload.database.TargetException;
import siemload.dataset.FeedEvents;
import siemload.event.SecurityEvent;
import siemload.measure.monitor.SessionIo;
import siemload.run.procedure.StepLog.Step;
import siemload.scenario.AnalystGroup.WindowLength;
import siemload.scenario.Procedure.Asked;
import siemload.scenario.Procedure.Feed;
import siemload.scenario.Procedure.Load;
import siemload.scenario.Procedure.Load.Indexing;
import siemload.scenario.Procedure.Statistics;

/** Stores events as fast as possible, and determines what that costs the server. Used by one thread. */
record WriteSteps(ProcedureContext context) {
    private static final int BATCH = 1_000;

    /**
     * The result of storing events.
     *
     * @param bytes the size of the events as IDEA JSON
     * @param seconds how long it took until all events were durable
     * @param logBytes the bytes that the server wrote to its log only for these events; NaN if it does not report them
     */
    private record Written(long bytes, double seconds, double logBytes) {}

    /**
     * Inserts events that are newer than the whole data set, as fast as the connections can. The events are the same in every run, and
     * spread over the searched window or, without one, a millisecond apart.
     *
     * @return the first instant after all inserted events
     */
    Instant feed(Feed feed, Optional<Asked> asked) {
        Instant from = context.source().until();
        Duration span = asked.map(Asked::window).flatMap(WindowLength::length).orElse(Duration.ofMillis(feed.events()));
        context.status("inserting %,d events", feed.events());
        FeedEvents fed = context.source().feed();
        Store store = context.store();
        boolean isWholeLog = checkpoint(store);
        AtomicInteger next = new AtomicInteger();
        Step step = new Step("feed").fact("batch", feed.batch()).figure("rows", feed.events());
        context.steps().attempt(step, () -> {
            BiConsumer<Integer, Consumer<List<SecurityEvent>>> events =
                    (connection, sink) -> IntStream.generate(() -> next.getAndAdd(feed.batch()))
                            .takeWhile(first -> first < feed.events())
                            .mapToObj(first -> IntStream.range(first, Math.min(feed.events(), first + feed.batch()))
                                    .mapToObj(i -> fed.event(i, from.plusMillis(span.toMillis() * i / feed.events())))
                                    .toList())
                            .forEach(sink);
            measure(step, store, feed.events(), isWholeLog, () -> insert(step, store, feed.connections(), events));
            gatherStatistics(step, feed.statistics(), store);
        });
        return from.plus(span);
    }

    /**
     * Makes a checkpoint. The first change of a page after a checkpoint logs the whole page. With a checkpoint right before the inserts,
     * all pages are logged, whenever the last checkpoint was.
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
     * Makes each server load the data set into an empty store, delete it, and load it again: remains of earlier cycles in the store's files
     * affect later cycles.
     *
     * @param isRead whether the last load is read afterwards
     */
    void load(Load load, Servers servers, boolean isRead) {
        if (context.store().maintenance().isEmpty()) {
            throw new TargetException("this target stores nothing, so loading cannot be measured; choose another one");
        }
        for (int cycle = 1; cycle <= load.cycles(); cycle++) {
            int number = cycle;
            boolean isLast = number == load.cycles();
            servers.each(one -> cycle(load, one, number, !isLast || (load.indexing() == Indexing.BEFORE && !isRead)));
        }
    }

    /** Loads the data set once on one server, with indexes, statistics and, if asked for, the deletion. */
    private void cycle(Load load, Servers.One server, int number, boolean isDeleted) {
        Store store = server.store;
        Maintenance maintenance = store.maintenance().orElseThrow();
        long all = context.source().count();
        String place = ProcedureContext.text("cycle %d of %d", number, load.cycles());
        boolean indexedBefore = load.indexing() == Indexing.BEFORE;
        Function<String, Step> step = name -> server.step(name)
                .fact("cycle", number)
                .fact("indexes", context.variant().indexes().label());
        double[] loading = {0};
        Step loaded = step.apply("load").fact("writing", load.writing());
        context.steps().attempt(loaded, () -> {
            if (indexedBefore && number == 1) {
                // Creating indexes is not measured: the store is empty.
                maintenance.indexes().forEach(index -> index.work().run());
            }
            Supplier<Written> writing = load.writing() == Load.Way.BULK
                    ? () -> bulk(maintenance, server, place)
                    : () -> inserted(load, loaded, server, place);
            measure(loaded.figure("events", all), store, all, true, writing);
            loading[0] = loaded.figure("seconds"); // a step that fails has no figures
            gatherStatistics(loaded.sized(store.relationBytes()), load.statistics(), store);
            long events = isDeleted ? all : store.events(); // The deletion counts them.
            if (events != all) {
                loaded.failed("of " + all + " events the server has " + events);
            }
        });
        double seconds = loading[0];
        for (Maintenance.BuildStep index : indexedBefore ? List.<Maintenance.BuildStep>of() : maintenance.indexes()) {
            context.steps().check();
            server.status("building " + index.name());
            Set<String> before = store.relationBytes().keySet();
            long start = System.nanoTime();
            index.work().run();
            double building = ProcedureContext.secondsSince(start);
            seconds += building;
            Map<String, Long> built = new HashMap<>(store.relationBytes());
            built.keySet().removeAll(before);
            context.steps()
                    .add(step.apply(index.name()).figure("seconds", building).sized(built));
        }
        context.steps().add(step.apply("load and indexes").events(all, seconds).sized(store.relationBytes()));
        if (isDeleted) {
            if (!indexedBefore) {
                maintenance.dropIndexes();
            }
            context.steps().check();
            server.status("deleting, " + place);
            long start = System.nanoTime();
            long deleted = maintenance.deleteAll();
            double deleting = ProcedureContext.secondsSince(start);
            if (deleted != all) {
                throw new TargetException("deleted " + deleted + " events, but " + all + " had been loaded");
            }
            context.steps().add(step.apply("delete").events(all, deleting).sized(store.relationBytes()));
        }
    }

    private Written bulk(Maintenance maintenance, Servers.One server, String place) {
        long start = System.nanoTime();
        long[] done = {0};
        try (Store.BulkLoad bulk = maintenance.openLoad()) {
            context.source().read(BATCH, bulk::prepare, prepared -> {
                context.steps().check();
                prepared.write();
                done[0] += prepared.events().size();
                server.status("loading, " + place + ": "
                        + done[0] * 100 / context.source().count() + " %");
            });
            return new Written(bulk.store(), ProcedureContext.secondsSince(start), Double.NaN);
        }
    }

    private Written inserted(Load load, Step step, Servers.One server, String place) {
        server.status("inserting, " + place);
        int connections = load.connections();
        BiConsumer<Integer, Consumer<List<SecurityEvent>>> events = (connection, sink) -> context.source()
                .readPart(load.batch() * connections, connection, connections, Function.identity(), sink);
        return insert(step.fact("batch", load.batch()), server.store, connections, events);
    }

    /** Stores events, and adds to a step the cost of storing them. @throws SearchException if they could not be stored */
    private static void measure(Step step, Store store, long events, boolean isWholeLog, Supplier<Written> work) {
        try (SessionIo counting = new SessionIo(store::openCounters)) {
            counting.start(Counters::readSettled);
            long diskBefore = Step.sum(store.relationBytes());
            Written written = work.get();
            Optional<Counters.CounterReading> counted = counting.sinceStart();
            step.figure("seconds", written.seconds())
                    .figure("rawBytesPerEvent", (double) written.bytes() / events)
                    .figure("eventsPerSecond", events / written.seconds())
                    .figure("kilobytesPerSecond", written.bytes() / written.seconds() / 1_000)
                    .readAndWritten(counted);
            double ofServer =
                    counted.map(all -> all.io(Counters.Io.REDO).writtenBytes()).orElse(0L);
            double log = Double.isNaN(written.logBytes()) ? ofServer : written.logBytes();
            if (log > 0 && isWholeLog) {
                step.figure("walBytesPerEvent", log / events);
            }
            if (diskBefore > 0) {
                step.figure("diskBytesPerEvent", (double) (Step.sum(store.relationBytes()) - diskBefore) / events);
            }
        }
    }

    /**
     * Inserts batches over some connections, each of which sends its next batch when its previous batch was acknowledged.
     *
     * @param events passes a connection its batches; the first connection has the number 0
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
                        return; // Another connection reports why.
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
            double before = logBytes(sinks);
            long start = System.nanoTime();
            DaemonThread.await(DaemonThread.start("siemload-feeder", work));
            double seconds = ProcedureContext.secondsSince(start);
            double after = logBytes(sinks);
            step.fact("connections", connections).percentiles("batchP", times, 50, 95);
            return new Written(bytes.sum(), seconds, after - before);
        } finally {
            // Connections publish their counts when they end.
            sinks.forEach(EventSink::close);
        }
    }

    /** Returns the bytes of log that all connections caused; NaN if one does not report them. */
    private static double logBytes(List<EventSink> sinks) {
        return sinks.stream()
                .map(EventSink::logBytes)
                .mapToDouble(told -> told.isPresent() ? told.getAsLong() : Double.NaN)
                .sum();
    }

    /** Gathers statistics: without statistics on its data, a server would choose other plans than in real use. */
    private static void gatherStatistics(Step step, Statistics wanted, Store store) {
        if (wanted == Statistics.FRESH) {
            long start = System.nanoTime();
            store.maintenance().ifPresent(Maintenance::gatherStatistics);
            step.figure("statisticsSeconds", ProcedureContext.secondsSince(start));
        }
    }
}
