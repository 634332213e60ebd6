package siemload.run.procedure;

import java.util.Locale;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import siemload.config.Choices;
import siemload.database.Store;
import siemload.database.Store.BulkLoad;
import siemload.database.Store.Maintenance;
import siemload.database.Store.Maintenance.BuildStep;
import siemload.database.TargetException;
import siemload.run.procedure.EventWrites.Written;
import siemload.scenario.Procedure.Deletion;
import siemload.scenario.Procedure.Indexing;
import siemload.scenario.Procedure.Load;
import siemload.scenario.Procedure.Way;

/**
 * Has each server take the data set into an empty store, delete it, and take it again: what is left of earlier cycles in the store's
 * files shows in later ones.
 */
record LoadSteps(Load load, Servers servers, ProcedureContext context) implements Runnable {
    private static final int BATCH = 1_000;

    @Override
    public void run() {
        Maintenance unused = maintenance(context);
        generate();
        for (int cycle = 1; cycle <= load.cycles(); cycle++) {
            int number = cycle;
            servers.each(one -> new Cycle(one, number).run());
        }
    }

    private static Maintenance maintenance(ProcedureContext context) {
        return context.store()
                .maintenance()
                .orElseThrow(() -> new TargetException(
                        "this target stores nothing, so that loading cannot be measured; choose another one"));
    }

    /** Only makes the events, which a load does beside storing them: no load can be faster than this. */
    private void generate() {
        context.progress().status("making the events");
        long start = System.nanoTime();
        context.source().read(BATCH, batch -> context.interruption().check());
        double seconds = EventWrites.secondsSince(start);
        context.steps().add(timed(new Step("generate"), seconds).done());
    }

    private Step timed(Step step, double seconds) {
        long events = context.source().count();
        return step.figure("seconds", seconds).figure("events", events).figure("eventsPerSecond", events / seconds);
    }

    /** One load on one server, with what comes before and after it. */
    private final class Cycle {
        private final Servers.One server;
        private final int number;
        private final Store store;
        private final String place;
        private final boolean indexedBefore = load.indexing() == Indexing.BEFORE;
        private double seconds;

        Cycle(Servers.One server, int number) {
            this.server = server;
            this.number = number;
            this.store = server.context().store();
            this.place = String.format(Locale.ROOT, "cycle %d of %d", number, load.cycles());
        }

        void run() {
            boolean isLast = number == load.cycles();
            boolean isDeleted = !isLast || load.deletion() == Deletion.ALWAYS;
            Step step = step("load");
            boolean stored = server.attempt(step, () -> {
                if (indexedBefore && number == 1) {
                    // Nothing to measure: the store is empty.
                    maintenance().indexes().forEach(index -> index.work().run());
                }
                take(step);
                if (!isDeleted) {
                    requireAll(step); // Otherwise the deletion counts them.
                }
            });
            if (!stored) {
                return;
            }
            if (!indexedBefore) {
                buildIndexes();
            }
            server.add(sized(timed(step("load and indexes"), seconds)));
            store.relationBytes()
                    .forEach((name, bytes) -> server.add(step("size " + name).figure("bytes", bytes)));
            if (!indexedBefore && !isLast) {
                maintenance().dropIndexes();
            }
            if (isDeleted) {
                delete();
            }
        }

        private Maintenance maintenance() {
            return LoadSteps.maintenance(server.context());
        }

        private Step step(String name) {
            return server.step(name)
                    .fact("cycle", number)
                    .fact("indexes", context.variant().indexes().label());
        }

        private Step sized(Step step) {
            long bytes = EventWrites.diskBytes(store);
            return bytes == 0 ? step : step.figure("bytes", bytes);
        }

        private void take(Step step) {
            long events = context.source().count();
            step.fact("writing", Choices.camelCase(load.writing().way())).figure("events", events);
            EventWrites.measure(step, store, events, () -> load.writing().way() == Way.BULK ? bulk() : inserted(step));
            sized(step);
            EventWrites.gatherStatistics(step, load.statistics(), store);
        }

        private Written bulk() {
            long start = System.nanoTime();
            long[] done = {0};
            long bytes;
            try (BulkLoad bulk = maintenance().openLoad()) {
                context.source().read(BATCH, bulk::prepare, prepared -> {
                    context.interruption().check();
                    prepared.write();
                    done[0] += prepared.events().size();
                    long percent = done[0] * 100 / context.source().count();
                    server.status("loading, " + place + ": " + percent + " %");
                });
                bytes = bulk.store();
            }
            seconds = EventWrites.secondsSince(start);
            return new Written(bytes, seconds, OptionalDouble.empty());
        }

        private Written inserted(Step step) {
            server.status("inserting, " + place);
            int batch = load.writing().batch();
            int connections = load.writing().connections();
            Written written = EventWrites.insert(
                    step.fact("batch", batch),
                    server.context(),
                    connections,
                    (connection, batches) -> context.source()
                            .readPart(batch * connections, connection, connections, Function.identity(), batches));
            seconds = written.seconds();
            return written;
        }

        private void requireAll(Step step) {
            long events = store.events();
            if (events != context.source().count()) {
                step.failed("of " + context.source().count() + " events the server has " + events);
            }
        }

        /** Each key and index of the run's index set is a step. */
        private void buildIndexes() {
            for (BuildStep index : maintenance().indexes()) {
                context.interruption().check();
                server.status("building " + index.name());
                SortedMap<String, Long> before = store.relationBytes();
                long start = System.nanoTime();
                index.work().run();
                double building = EventWrites.secondsSince(start);
                seconds += building;
                Step step = step(index.name()).figure("seconds", building);
                SortedMap<String, Long> built = new TreeMap<>(store.relationBytes());
                built.keySet().removeAll(before.keySet());
                if (!built.isEmpty()) {
                    step.figure(
                            "bytes",
                            built.values().stream().mapToLong(Long::longValue).sum());
                }
                server.add(step);
            }
        }

        /** Deletes all events, one by one. */
        private void delete() {
            context.interruption().check();
            server.status("deleting, " + place);
            long start = System.nanoTime();
            long deleted = maintenance().deleteAll();
            double deleting = EventWrites.secondsSince(start);
            if (deleted != context.source().count()) {
                throw new TargetException("deleted " + deleted + " events where "
                        + context.source().count() + " had been loaded");
            }
            server.add(sized(timed(step("delete"), deleting)));
        }
    }
}
