package siemload.run.procedure;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import siemload.database.Counters.CounterReading;
import siemload.database.SearchSession;
import siemload.database.Store;
import siemload.measure.monitor.SessionIo;
import siemload.query.Search;
import siemload.scenario.CacheState;

/** The servers that a procedure works with. Used by one thread. */
final class Servers implements AutoCloseable {
    private final ProcedureContext context;
    private final List<One> all;

    Servers(int servers, ProcedureContext context) {
        this.context = context;
        this.all = IntStream.rangeClosed(1, servers).mapToObj(One::new).toList();
    }

    List<One> all() {
        return all;
    }

    /** The only one, unless a procedure works with several. */
    One first() {
        return all.get(0);
    }

    /** What is done in a pass of a step. */
    @FunctionalInterface
    interface Pass {
        void measure(One server, int pass, Step step);
    }

    void eachPass(int passes, String name, String status, Pass work) {
        for (int pass = 1; pass <= passes; pass++) {
            int now = pass;
            each(server -> {
                server.status(status + ", pass " + now + " of " + passes);
                Step step = server.step(name).fact("pass", now);
                server.attempt(step, () -> work.measure(server, now, step));
            });
        }
    }

    /** Does something on each server, on all at the same time. Where one breaks down, the others come to the end of it. */
    void each(Consumer<One> work) {
        context.steps().check();
        if (all.size() == 1) {
            work.accept(first());
        } else {
            ParallelTasks.run(
                    "server",
                    all.stream().<Runnable>map(one -> () -> work.accept(one)).toList());
        }
    }

    /** Closes the connections that search; they are opened again when they are needed. */
    @Override
    public void close() {
        all.forEach(One::close);
    }

    /** A server, the connections that search there, what the server counts meanwhile, and what is done there. Used by one thread at a time. */
    final class One {
        private final int number;
        private final SessionIo io;
        private final List<SearchSession> sessions = new ArrayList<>();
        private Consumer<OptionalLong> watch = blocksRead -> {};

        private One(int number) {
            this.number = number;
            this.io = new SessionIo(store()::openCounters);
            context.steps().onInterrupt(this::cancel);
        }

        Store store() {
            return context.stores().get(number - 1);
        }

        /** A step that says which server it is done on, where there are several. */
        Step step(String name) {
            Step step = new Step(name);
            return all.size() == 1 ? step : step.fact("server", number).fact("servers", all.size());
        }

        void status(String text) {
            context.progress().status(all.size() == 1 ? text : "server " + number + ": " + text);
        }

        void attempt(Step step, Runnable work) {
            add(context.attempt(step, work));
        }

        /** Those of several servers come in the order in which they end. */
        void add(Step step) {
            context.steps().add(step.done());
        }

        /** The only connection, unless several work at once. */
        SearchSession session() {
            return sessions(1).get(0);
        }

        /** So many connections; those are opened that are not yet. */
        synchronized List<SearchSession> sessions(int count) {
            while (sessions.size() < count) {
                sessions.add(store().openSession());
            }
            return List.copyOf(sessions);
        }

        /** What the server reads and writes for its connections alone. */
        SessionIo io() {
            return io;
        }

        /**
         * Brings the caches into a state. Where they are emptied the connection is another one then, since the server may have
         * been started anew.
         */
        void prepare(CacheState state) {
            if (state == CacheState.COLD || state == CacheState.LUKEWARM) {
                close();
            }
            context.caches().prepare(state);
            SearchSession unused = session();
        }

        /** The same before a pass; what is hot was read once before the first one, which is not measured. */
        void prepare(CacheState state, int pass, Supplier<?> unmeasured) {
            prepare(state);
            if (state == CacheState.HOT && pass == 1) {
                Object unused = unmeasured.get();
            }
        }

        /**
         * Reads something, and adds its times and the blocks that it took to a step.
         *
         * @throws siemload.database.SearchException if it failed
         * @throws siemload.database.TargetException if the blocks show that the caches were not in their state
         */
        TimedSearch measure(Step step, Supplier<TimedSearch> reading) {
            startCounting();
            TimedSearch timed = reading.get();
            countBlocks(step);
            step.timed(timed);
            return timed;
        }

        /** Reads a search to its last row. */
        TimedSearch read(Search search) {
            return context.steps().counted(() -> TimedSearch.read(search, session()));
        }

        long count(Search search) {
            return context.steps().counted(() -> session().count(search));
        }

        void startCounting() {
            io.start(List.of(session()));
            watch = context.caches().watch();
        }

        /**
         * Adds what the server read and wrote since then to a step, where it counts that.
         *
         * @throws siemload.database.TargetException if that shows that the caches were not in their state
         */
        void countBlocks(Step step) {
            Optional<CounterReading> counted = io.sinceStart();
            counted.ifPresent(step::counted);
            watch.accept(
                    counted.map(all -> OptionalLong.of(all.tablesAndIndexes().reads()))
                            .orElse(OptionalLong.empty()));
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
}
