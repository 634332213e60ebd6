package siemload.run.procedure;

import java.util.SortedMap;
import java.util.TreeMap;
import siemload.database.Counters;
import siemload.database.Counters.CounterReading;
import siemload.database.Counters.CounterReading.Category;
import siemload.database.Counters.CounterReading.Io;
import siemload.database.Store;
import siemload.database.Store.BulkLoad;
import siemload.database.Store.Maintenance;
import siemload.database.TargetException;

/** The run's store, which is loaded, emptied and indexed as a whole, and measured meanwhile. Used by one thread. */
record WholeStore(ProcedureContext context, Maintenance maintenance, long events) {
    private static final int BATCH = 1_000;
    private static final double NANOS_PER_SECOND = 1e9;

    static WholeStore of(ProcedureContext context) {
        Maintenance maintenance = context.store()
                .maintenance()
                .orElseThrow(() -> new TargetException(
                        "this target stores nothing, so that loading cannot be measured; choose another one"));
        return new WholeStore(context, maintenance, context.source().count());
    }

    /**
     * What the server has counted once the sessions have ended that worked on the store; some seconds are waited for them at most.
     *
     * @throws siemload.database.SearchException if the counters cannot be read
     * @throws TargetException if the server does not let us open them
     */
    static CounterReading settledCounters(Store store) {
        return store.openCounters()
                .map(counters -> {
                    try (Counters open = counters) {
                        return open.readSettled();
                    }
                })
                .orElse(CounterReading.NONE);
    }

    /** Only makes the events, which a load does beside storing them: no load can be faster than this. */
    void generate() {
        long start = System.nanoTime();
        context.source().read(BATCH, batch -> context.interruption().check());
        add(timed(new Step("generate"), secondsSince(start)));
    }

    /** Loads all events. @return how many seconds it took until they were durable */
    double load(int cycle, String what) {
        Step step = inCycle("load", cycle);
        double seconds = load(step, what);
        add(step);
        return seconds;
    }

    /** Loads all events, and adds what that took to a step. @return how many seconds it took until they were durable */
    double load(Step step, String what) {
        CounterReading before = settledCounters(context.store());
        long start = System.nanoTime();
        long[] done = {0};
        long bytes;
        try (BulkLoad load = maintenance.openLoad()) {
            context.source().read(BATCH, load::prepare, prepared -> {
                context.interruption().check();
                prepared.write();
                done[0] += prepared.events().size();
                context.status("%s: %d %%", what, done[0] * 100 / events);
            });
            bytes = load.store();
        }
        double seconds = secondsSince(start);
        sized(timed(step, seconds)).stored(events, bytes, seconds);
        CounterReading counted = settledCounters(context.store()).since(before);
        step.readAndWritten(counted);
        Io redo = counted.io().getOrDefault(Category.REDO, Io.NONE);
        if (redo.writtenBytes() > 0) {
            step.figure("walBytesPerEvent", redo.writtenBytes() / (double) events);
        }
        return seconds;
    }

    /** Deletes all events, one by one. */
    void delete(int cycle, String what) {
        context.interruption().check();
        context.progress().status(what);
        long start = System.nanoTime();
        long deleted = maintenance.deleteAll();
        double seconds = secondsSince(start);
        if (deleted != events) {
            throw new TargetException("deleted " + deleted + " events where " + events + " had been loaded");
        }
        add(sized(timed(inCycle("delete", cycle), seconds)));
    }

    /** Builds all keys and indexes of the run's index set; each is a step. @return how many seconds it took */
    double buildIndexes(int cycle) {
        double sum = 0;
        for (String name : maintenance.indexSteps()) {
            context.interruption().check();
            context.progress().status("building " + name);
            SortedMap<String, Long> before = context.store().relationBytes();
            long start = System.nanoTime();
            maintenance.build(name);
            double seconds = secondsSince(start);
            sum += seconds;
            Step step = inCycle(name, cycle).figure("seconds", seconds);
            SortedMap<String, Long> built = new TreeMap<>(context.store().relationBytes());
            built.keySet().removeAll(before.keySet());
            if (!built.isEmpty()) {
                step.figure("bytes", sum(built));
            }
            add(step);
        }
        return sum;
    }

    /** Builds them where there is nothing to measure: the store is empty. */
    void prepareIndexes() {
        maintenance.indexSteps().forEach(maintenance::build);
    }

    void dropIndexes() {
        maintenance.dropIndexes();
    }

    /** Adds how long loading and indexing took together, in whichever order. */
    void total(int cycle, double seconds) {
        add(sized(timed(inCycle("load and indexes", cycle), seconds)));
    }

    /** Adds the size of each table and index. */
    void sizes(int cycle) {
        context.store()
                .relationBytes()
                .forEach((name, bytes) -> add(inCycle("size " + name, cycle).figure("bytes", bytes)));
    }

    private Step inCycle(String name, int cycle) {
        return new Step(name)
                .fact("cycle", cycle)
                .fact("indexes", context.variant().indexes().label());
    }

    private Step timed(Step step, double seconds) {
        return step.figure("seconds", seconds).figure("events", events).figure("eventsPerSecond", events / seconds);
    }

    /** Adds the size of all tables and indexes, where the server tells. */
    Step sized(Step step) {
        SortedMap<String, Long> sizes = context.store().relationBytes();
        return sizes.isEmpty() ? step : step.figure("bytes", sum(sizes));
    }

    private void add(Step step) {
        context.steps().add(step.done());
    }

    private static double sum(SortedMap<String, Long> bytes) {
        return bytes.values().stream().mapToDouble(Long::doubleValue).sum();
    }

    private static double secondsSince(long startNanos) {
        return Math.max(1, System.nanoTime() - startNanos) / NANOS_PER_SECOND;
    }
}
