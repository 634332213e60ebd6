package siemload.run.procedure;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import siemload.config.DaemonThread;
import siemload.database.Counters.CounterReading;
import siemload.database.SearchSession;
import siemload.database.Store;
import siemload.measure.monitor.SessionIo;
import siemload.query.Search;
import siemload.run.procedure.StepLog.Step;
import siemload.scenario.CacheState;
import siemload.scenario.Procedure;

/** The servers that a procedure works with. Used by one thread. */
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

    /** The only one, unless a procedure works with several. */
    One first() {
        return all.get(0);
    }

    /** What is done in a pass of a step. */
    @FunctionalInterface
    interface Pass {
        void measure(One server, int pass, Step step);
    }

    /** Does a step on each server, as often as the procedure says. */
    void eachPass(String name, String status, Pass work) {
        for (int pass = 1; pass <= procedure.passes(); pass++) {
            int now = pass;
            each(server -> {
                server.status(status + ", pass " + now + " of " + procedure.passes());
                Step step = server.step(name).fact("pass", now);
                context.steps().attempt(step, () -> work.measure(server, now, step));
            });
        }
    }

    /** Does something on each server, on all at the same time. Where one breaks down, the others come to the end of it. */
    void each(Consumer<One> work) {
        context.steps().check();
        if (all.size() == 1) {
            work.accept(first());
        } else {
            await(start(
                    "server",
                    all.stream().<Runnable>map(one -> () -> work.accept(one)).toList()));
        }
    }

    /** Begins to do all of it at the same time, each by a thread of its own. */
    static CompletableFuture<Void> start(String name, List<? extends Runnable> work) {
        return CompletableFuture.allOf(work.stream()
                .map(one -> CompletableFuture.runAsync(one, task -> DaemonThread.start("siemload-" + name, task)))
                .toArray(CompletableFuture<?>[]::new));
    }

    /** Waits for the end of all of it, also where one has failed. @throws RuntimeException what the first of those failed with */
    static void await(CompletableFuture<Void> work) {
        try {
            work.join();
        } catch (CompletionException failed) {
            throw failed.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(failed);
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
         * Brings the caches into the state of the procedure. Where they are emptied the connection is another one then, since the server may
         * have been started anew.
         */
        void prepare() {
            if (procedure.caches() == CacheState.COLD || procedure.caches() == CacheState.LUKEWARM) {
                close();
            }
            context.caches().prepare(procedure.caches());
            SearchSession unused = session();
        }

        /** The same before a pass; what is hot was read once before the first one, which is not measured. */
        void prepare(int pass, Supplier<?> unmeasured) {
            prepare();
            if (procedure.caches() == CacheState.HOT && pass == 1) {
                Object unused = unmeasured.get();
            }
        }

        /** Reads something from the caches as they are to be, and adds its times and the blocks that it took to a step. */
        TimedSearch measure(int pass, Step step, Supplier<TimedSearch> reading) {
            prepare(pass, reading);
            return measure(step, reading);
        }

        /** The same from the caches as they are. @throws siemload.database.SearchException if it failed */
        TimedSearch measure(Step step, Supplier<TimedSearch> reading) {
            Consumer<Step> blocks = countBlocks();
            TimedSearch timed = reading.get();
            blocks.accept(step);
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

        /**
         * Begins to count. What comes back adds what the server has read and written since to a step, where it counts that; it throws a {@link
         * siemload.database.TargetException} if that shows that the caches were not in their state.
         */
        Consumer<Step> countBlocks() {
            io.start(List.of(session()));
            Consumer<OptionalLong> watch = context.caches().watch();
            return step -> {
                Optional<CounterReading> counted = io.sinceStart();
                counted.ifPresent(step::counted);
                watch.accept(counted.map(
                                all -> OptionalLong.of(all.tablesAndIndexes().reads()))
                        .orElse(OptionalLong.empty()));
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
}
