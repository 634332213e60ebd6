package siemload.run.procedure;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import siemload.database.TargetException;
import siemload.results.StepRecord;
import siemload.scenario.Procedure;

/** The servers that a procedure works with. Where one of several breaks down, the others go on. Used by one thread. */
final class Servers {
    private final ProcedureContext context;
    private final List<One> all;

    Servers(Procedure procedure, ProcedureContext context) {
        this.context = context;
        this.all = IntStream.rangeClosed(1, procedure.servers())
                .mapToObj(number -> new One(number, context.onServer(number)))
                .toList();
    }

    /** A server, and what is done there. Used by one thread at a time. */
    final class One {
        private final int number;
        private final ProcedureContext context;
        private final MeasuredSession session;
        private final List<StepRecord> done = new ArrayList<>();
        private Optional<TargetException> broken = Optional.empty();

        private One(int number, ProcedureContext context) {
            this.number = number;
            this.context = context;
            this.session = new MeasuredSession(context);
        }

        /** A connection that searches here. */
        MeasuredSession session() {
            return session;
        }

        /** What there is to work with on this server alone. */
        ProcedureContext context() {
            return context;
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

        /** Does what a step is about, and adds the step. @return whether this server can go on */
        boolean attempt(Step step, Runnable work) {
            try {
                context.attempt(step, work);
            } catch (TargetException failed) {
                if (all.size() == 1) {
                    throw failed;
                }
                context.interruption().check();
                broken = Optional.of(failed);
                step.failed(String.valueOf(failed.getMessage()));
            }
            add(step);
            return broken.isEmpty();
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

    /** Does something on each server that has not broken down, on all at the same time. */
    void each(Consumer<One> work) {
        context.interruption().check();
        List<Runnable> tasks = all.stream()
                .filter(one -> one.broken.isEmpty())
                .<Runnable>map(one -> () -> work.accept(one))
                .toList();
        try {
            if (tasks.size() > 1) {
                ParallelTasks.run("server", tasks);
            } else {
                tasks.forEach(Runnable::run);
            }
        } finally {
            for (One one : all) {
                one.done.forEach(context.steps()::add);
                one.done.clear();
            }
        }
    }

    /** Closes the connections that search; they are opened again when they are needed. */
    void closeSessions() {
        all.forEach(one -> one.session.close());
    }

    /** Ends a procedure of which a server has broken down. @throws TargetException that of the first one */
    void throwIfBroken() {
        all.stream().flatMap(one -> one.broken.stream()).findFirst().ifPresent(broken -> {
            throw broken;
        });
    }
}
