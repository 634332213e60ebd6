package siemload.run.procedure;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import siemload.database.Store.EventSink;
import siemload.database.Store.Maintenance;
import siemload.database.TargetException;
import siemload.event.SecurityEvent;
import siemload.query.MatchClass;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.results.StepRecord;
import siemload.scenario.Ingest;
import siemload.scenario.Ingest.Writing;

/** One of the servers that take the data set each, and are searched then. Used by one thread at a time. */
final class IngestServer {
    private static final double MICROS = 1e6;
    private static final double MILLION = 1e6;

    private final int number;
    private final Ingest procedure;
    private final ProcedureContext context;
    private Optional<TargetException> broken = Optional.empty();

    /**
     * A server with an empty store.
     *
     * @param number 1 for the first
     * @param context of this server alone
     */
    IngestServer(int number, Ingest procedure, ProcedureContext context) {
        this.number = number;
        this.procedure = procedure;
        this.context = context;
    }

    /** What it broke down with; it is left alone from then on. */
    Optional<TargetException> broken() {
        return broken;
    }

    /** Takes the whole data set. What is done between that and the first search is a figure of its own. */
    StepRecord ingest() {
        Step step = step("ingest")
                .fact("writing", procedure.writing().way().name().toLowerCase(Locale.ROOT))
                .fact("indexes", context.variant().indexes().label());
        return attempt(step, () -> {
            WholeStore store = WholeStore.of(context);
            store.prepareIndexes();
            switch (procedure.writing().way()) {
                case BULK -> store.load(step, "server " + number + ": loading");
                case INSERTS -> insert(step, store);
            }
            gatherStatistics(step, store.maintenance());
            long events = context.store().events();
            if (events != context.source().count()) {
                step.failed("of " + context.source().count() + " events the server has " + events);
            }
        });
    }

    private void insert(Step step, WholeStore store) {
        context.progress().status("server " + number + ": inserting");
        step.fact("batch", procedure.writing().batch());
        step.fact("connections", procedure.writing().connections());
        new ClosedLoopInserts(context, procedure.writing()).insert(step);
        store.sized(step);
    }

    /** A server that knows nothing of the distribution of its data would go another way than it does in use. */
    private static void gatherStatistics(Step step, Maintenance maintenance) {
        long start = System.nanoTime();
        maintenance.gatherStatistics();
        step.figure("statisticsSeconds", (System.nanoTime() - start) / 1e9);
    }

    /** Reads a search of a class to its end, and then has the server count what it finds: a wrong number makes the step a failed one. */
    StepRecord search(MatchClass one, SearchName name, MatchedSearches searches, int pass) {
        Step step = step(one.label())
                .fact("class", one.label())
                .fact("search", name)
                .fact("pass", pass);
        Optional<MatchedSearches.Matched> chosen =
                Optional.ofNullable(searches.byClass().get(one));
        if (chosen.isEmpty()) {
            return step.failed(searches.missing(one, name)).done();
        }
        context.status("server %d: %s, pass %d", number, one.label(), pass);
        return attempt(step, () -> read(step, one, chosen.orElseThrow()));
    }

    private void read(Step step, MatchClass one, MatchedSearches.Matched chosen) {
        Search search = chosen.search();
        try (MeasuredSession session = new MeasuredSession(context)) {
            session.get();
            TimedSearch timed = TimedSearch.read(search, session.get());
            long matching = session.get().count(search);
            step.search(search)
                    .timed(timed)
                    .figure("matchingEvents", matching)
                    .figure(
                            "matchesPerMillion",
                            MILLION * matching / context.source().count())
                    .figure("matchingEventsPerSecond", timed.rows() / timed.lastEventMicros() * MICROS);
            fault(one, chosen, matching, timed.rows()).ifPresent(step::failed);
            String shape = session.get().expect(search).shape();
            if (!shape.isEmpty()) {
                step.fact("planShape", shape);
            }
        }
    }

    private Optional<String> fault(MatchClass one, MatchedSearches.Matched chosen, long matching, long rows) {
        long events = context.source().count();
        if (!one.holds(matching, events)) {
            return Optional.of(String.format(
                    Locale.ROOT,
                    "%s found %,d of %,d events (%.4f %%), which is not %s (%s)",
                    chosen.search().name(),
                    matching,
                    events,
                    100.0 * matching / events,
                    one.label(),
                    one.words()));
        }
        return matching == chosen.matching() && rows == matching
                ? Optional.empty()
                : Optional.of(String.format(
                        Locale.ROOT,
                        "%s has %,d matching events in the data set, the server counts %,d and gave %,d rows",
                        chosen.search().name(),
                        chosen.matching(),
                        matching,
                        rows));
    }

    private Step step(String name) {
        return new Step(name).fact("server", number).fact("servers", procedure.servers());
    }

    /** Where one server breaks down, the others go on. */
    private StepRecord attempt(Step step, Runnable work) {
        try {
            context.attempt(step, work);
        } catch (TargetException failed) {
            context.interruption().check();
            broken = Optional.of(failed);
            step.failed(String.valueOf(failed.getMessage()));
        }
        return step.done();
    }

    /**
     * Inserts the whole data set batch by batch, as fast as some connections can: each takes the next batch when its last one was
     * acknowledged. The events are made meanwhile. Used once.
     */
    private static final class ClosedLoopInserts {
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
}
