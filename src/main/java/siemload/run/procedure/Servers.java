package siemload.run.procedure;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import siemload.database.Store;
import siemload.results.StepRecord;
import siemload.scenario.Procedure;

/** The servers that a procedure works with. Used by one thread. */
final class Servers implements AutoCloseable {
    private final ProcedureContext context;
    private final List<One> all;

    Servers(Procedure procedure, ProcedureContext context) {
        this.context = context;
        this.all =
                IntStream.rangeClosed(1, procedure.servers()).mapToObj(One::new).toList();
    }

    /** A server, and what is done there. Used by one thread at a time. */
    final class One {
        private final int number;
        private final MeasuredSession session;
        private final List<StepRecord> done = new ArrayList<>();

        private One(int number) {
            this.number = number;
            this.session = new MeasuredSession(context, store());
        }

        Store store() {
            return context.stores().get(number - 1);
        }

        /** A connection that searches here. */
        MeasuredSession session() {
            return session;
        }

        /** A step that says which server it is done on, where there are several. */
        Step step(String name) {
            Step step = new Step(name);
            return all.size() == 1 ? step : step.fact("server", number).fact("servers", all.size());
        }

        /** Says what is going on here. */
        void status(String text) {
            context.progress().status(all.size() == 1 ? text : "server " + number + ": " + text);
        }

        /** Does what a step is about, and adds the step. */
        void attempt(Step step, Runnable work) {
            add(context.attempt(step, work));
        }

        /** Adds a step; those of several servers are told in the order of the servers. */
        void add(Step step) {
            if (all.size() == 1) {
                context.steps().add(step.done());
            } else {
                done.add(step.done());
            }
        }
    }

    /** Does something on each server, on all at the same time. Where one breaks down, the others come to the end of it. */
    void each(Consumer<One> work) {
        context.interruption().check();
        try {
            if (all.size() > 1) {
                ParallelTasks.run(
                        "server",
                        all.stream()
                                .<Runnable>map(one -> () -> work.accept(one))
                                .toList());
            } else {
                work.accept(all.get(0));
            }
        } finally {
            for (One one : all) {
                one.done.forEach(context.steps()::add);
                one.done.clear();
            }
        }
    }

    /** Closes the connections that search; they are opened again when they are needed. */
    @Override
    public void close() {
        all.forEach(one -> one.session.close());
    }
}
