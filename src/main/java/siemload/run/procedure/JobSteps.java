package siemload.run.procedure;

import java.util.ArrayList;
import java.util.List;
import siemload.database.SearchSession;
import siemload.database.Store;
import siemload.results.JobItem;
import siemload.scenario.Procedure;

/** Submits jobs of many items one after the other, and has their items worked on by the sessions of all servers. */
final class JobSteps implements Runnable {
    private final Procedure.Jobs procedure;
    private final ProcedureContext context;
    private final List<ItemSession> sessions = new ArrayList<>();
    private final ServersIo io = new ServersIo();

    JobSteps(Procedure.Jobs procedure, ProcedureContext context) {
        this.procedure = procedure;
        this.context = context;
    }

    /** All sessions are open before the first job: what a job takes has no connecting in it. */
    @Override
    public void run() {
        try {
            openSessions();
            int number = 0;
            for (int pass = 1; pass <= procedure.passes(); pass++) {
                for (int level : procedure.levels()) {
                    number++;
                    context.interruption().check();
                    submit(number, pass, level);
                }
            }
        } finally {
            io.close();
            sessions.forEach(ItemSession::close);
        }
    }

    /** The first one of each server before the second one of any, so that small jobs are shared as well. */
    private void openSessions() {
        ItemSearches searches = new ItemSearches(procedure, context.searches(procedure.searchSet()));
        List<Store> stores = context.stores();
        for (int session = 1; session <= procedure.inFlight(); session++) {
            for (int server = 1; server <= procedure.servers(); server++) {
                ItemSession opened = new ItemSession(
                        new JobItem.Slot(server, session),
                        stores.get(server - 1).openSession(),
                        searches,
                        context.interruption());
                sessions.add(opened);
                context.interruption().onAsk(opened::cancel);
            }
        }
        for (int server = 1; server <= procedure.servers(); server++) {
            io.add(stores.get(server - 1), sessionsOn(server));
        }
    }

    private List<SearchSession> sessionsOn(int server) {
        return sessions.stream()
                .filter(session -> session.slot().server() == server)
                .map(ItemSession::session)
                .toList();
    }

    private void submit(int number, int pass, int level) {
        context.status(
                "job %d of %d, of size %,d, at most %d items at once",
                number, procedure.passes() * procedure.levels().size(), level, sessions.size());
        io.start();
        Job job = new Job(number, level, context.steps().items());
        job.submit();
        ParallelTasks.run(
                "job", sessions.stream().map(session -> job.workOf(session)).toList());
        Step step = job.step(procedure).fact("pass", pass);
        if (context.interruption().isAsked()) {
            step.fact("interrupted", "after " + job.ended() + " of " + level + " items");
        } else {
            io.addTo(step);
        }
        context.steps().add(step.done());
        context.interruption().check();
    }
}
