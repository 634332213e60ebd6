package siemload.run.procedure;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import siemload.config.DaemonThread;
import siemload.database.Counters.CounterReading;
import siemload.database.SearchSession;
import siemload.database.Store;
import siemload.measure.monitor.SessionIo;
import siemload.query.PageKey;
import siemload.query.Search;
import siemload.query.Summary;
import siemload.run.answers.RowSum;
import siemload.run.procedure.StepLog.Step;
import siemload.scenario.Procedure;
import siemload.scenario.Procedure.CacheState;

/** The servers of a procedure, and searches that run there one by one. Used by one thread. */
final class Servers implements AutoCloseable {
    private final Procedure procedure;
    private final ProcedureContext context;
    private final List<One> all;

    Servers(Procedure procedure, ProcedureContext context) {
        this.procedure = procedure;
        this.context = context;
        this.all =
                IntStream.rangeClosed(1, procedure.servers()).mapToObj(One::new).toList();
    }

    List<One> all() {
        return all;
    }

    /** The work of a pass of a step. */
    interface Pass {
        void measure(One server, int pass, Step step);
    }

    /** Performs a step on each server, as often as the procedure says. */
    void eachPass(String name, Pass work) {
        for (int pass = 1; pass <= procedure.passes(); pass++) {
            int now = pass;
            each(server -> {
                server.status("reading " + name + ", pass " + now + " of " + procedure.passes());
                Step step = server.step(name).fact("pass", now);
                context.steps().attempt(step, () -> work.measure(server, now, step));
            });
        }
    }

    /** Performs work on all servers at the same time. If one server breaks down, the others complete the work. */
    void each(Consumer<One> work) {
        context.steps().check();
        DaemonThread.await(DaemonThread.start(
                "siemload-server",
                all.stream().<Runnable>map(one -> () -> work.accept(one)).toList()));
    }

    /** Closes the connections for searches; they are opened again when they are needed. */
    @Override
    public void close() {
        all.forEach(One::close);
    }

    /** A server, its connections for searches, its counters, and the current work. Used by one thread at a time. */
    final class One {
        private final int number;
        final Store store;
        /** Counts what the server reads and writes only for these connections. */
        final SessionIo io;

        private final List<SearchSession> sessions = new ArrayList<>();
        /** The state of the caches that no read has verified yet. */
        private CacheState unproven = CacheState.AS_FOUND;

        private One(int number) {
            this.number = number;
            this.store = context.stores().get(number - 1);
            this.io = new SessionIo(store::openCounters);
            context.steps().onInterrupt(this::cancel);
        }

        /** Returns a step that names its server, if there are several servers. */
        Step step(String name) {
            Step step = new Step(name);
            return all.size() == 1 ? step : step.fact("server", number).fact("servers", all.size());
        }

        void status(String text) {
            context.progress().status(all.size() == 1 ? text : "server " + number + ": " + text);
        }

        /** Returns the first connection, which is the only one unless several work at once. */
        SearchSession session() {
            return sessions(1).get(0);
        }

        /** Returns at least this many connections; missing connections are opened. */
        synchronized List<SearchSession> sessions(int count) {
            while (sessions.size() < count) {
                sessions.add(store.openSession());
            }
            return List.copyOf(sessions);
        }

        /**
         * Brings the caches into the state of the procedure. If the caches are emptied, connections are closed and opened again, since the
         * server may have been restarted.
         */
        void prepare() {
            context.steps().check();
            if (procedure.caches() == CacheState.COLD || procedure.caches() == CacheState.LUKEWARM) {
                close();
            }
            context.caches().prepare(procedure.caches());
            unproven = procedure.caches();
            session();
        }

        /** Prepares the caches before a pass; hot caches are filled by an unmeasured read before the first pass. */
        void prepare(int pass, Supplier<?> unmeasured) {
            prepare();
            if (procedure.caches() == CacheState.HOT && pass == 1) {
                Object unused = unmeasured.get();
            }
        }

        /** Makes a read with the caches in the procedure's state, and adds the read's times and blocks to a step. */
        TimedSearch measure(int pass, Step step, Supplier<TimedSearch> reading) {
            prepare(pass, reading);
            return measure(step, reading);
        }

        /** Reads with unchanged caches; adds times and blocks to a step. @throws siemload.database.SearchException if the read failed */
        TimedSearch measure(Step step, Supplier<TimedSearch> reading) {
            Consumer<Step> blocks = countBlocks();
            TimedSearch timed = reading.get();
            blocks.accept(step);
            step.timed(timed);
            return timed;
        }

        /** Reads a search to its last row, unless the procedure should end. */
        TimedSearch read(Search search) {
            context.steps().check();
            return TimedSearch.read(search, session());
        }

        /**
         * Begins to count. The returned consumer adds to a step what the server has read and written since, if it counts that, and throws a
         * {@link siemload.database.TargetException} if the counts show that the caches were not in the procedure's state.
         */
        Consumer<Step> countBlocks() {
            io.start(List.of(session()));
            Consumer<OptionalLong> watch = context.caches().watch(unproven);
            unproven = CacheState.AS_FOUND;
            return step -> {
                Optional<CounterReading> counted = io.sinceStart();
                step.counted(counted);
                watch.accept(counted.stream()
                        .mapToLong(all -> all.tablesAndIndexes().reads())
                        .findFirst());
            };
        }

        private synchronized void cancel() {
            sessions.forEach(SearchSession::cancel);
        }

        private synchronized void close() {
            sessions.forEach(SearchSession::close);
            sessions.clear();
            io.close();
        }
    }

    /**
     * One search, read to its last row and timed. Times are microseconds since the search was sent. Immutable.
     *
     * @param firstEventMicros the time until the first row arrived; the time of the whole search if no row arrived
     * @param lastEventMicros the time until the last row was read
     * @param bytes the bytes of the events read, without the overhead of the wire protocol
     * @param answersHash equal for the same events in the same order, and almost certainly different otherwise
     * @param lastKey the last row
     */
    record TimedSearch(
            double firstEventMicros,
            double lastEventMicros,
            long rows,
            long bytes,
            String answersHash,
            Optional<PageKey> lastKey) {

        /** Executes a search and reads every row. @throws siemload.database.SearchException if the search failed */
        static TimedSearch read(Search search, SearchSession session) {
            if (search.summary().isEmpty()) {
                return read(search, rows -> session.search(search, rows));
            }
            RowSum hash = new RowSum();
            Summary summary = search.summary().orElseThrow();
            long start = System.nanoTime();
            List<Summary.Line> lines = session.summarize(search, summary);
            double micros = (System.nanoTime() - start) / 1e3;
            lines.forEach(line -> hash.add(line.toString(), search.order()));
            return new TimedSearch(micros, micros, lines.size(), 0, hash.hex(), Optional.empty());
        }

        /** Reads the rows of a search in the given way, and times the read. */
        static TimedSearch read(Search search, Consumer<SearchSession.RowReader> reading) {
            class Rows implements SearchSession.RowReader {
                private final RowSum hash = new RowSum();
                private long firstNanos;
                private long count;
                private long bytes;
                private Optional<PageKey> last = Optional.empty();

                @Override
                public void row(Row row) {
                    if (count++ == 0) {
                        firstNanos = System.nanoTime();
                    }
                    bytes += row.idea().length;
                    PageKey key = row.key();
                    hash.add(key.id(), search.order());
                    last = Optional.of(key);
                }
            }
            Rows rows = new Rows();
            long start = System.nanoTime();
            reading.accept(rows);
            long end = System.nanoTime();
            double first = ((rows.count == 0 ? end : rows.firstNanos) - start) / 1e3;
            return new TimedSearch(first, (end - start) / 1e3, rows.count, rows.bytes, rows.hash.hex(), rows.last);
        }
    }
}
