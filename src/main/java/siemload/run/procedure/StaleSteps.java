package siemload.run.procedure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import siemload.database.SearchException;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.scenario.Procedure;
import siemload.scenario.Procedure.Statistics;
import siemload.scenario.WindowLength;

/** Searches the newest events, of which the server's statistics know nothing unless they are gathered anew. */
record StaleSteps(Procedure.Stale procedure, ProcedureContext context, NewEvents events, ProcedureSearches searches)
        implements Runnable {
    private static final Duration SHORT = Duration.ofMinutes(5);

    static StaleSteps of(Procedure.Stale procedure, ProcedureContext context) {
        NewEvents events =
                new NewEvents(context.source(), span(procedure.searchSet().window()), procedure.events());
        return new StaleSteps(procedure, context, events, context.searches(procedure.searchSet(), events.until()));
    }

    private static Duration span(WindowLength window) {
        return window instanceof WindowLength.Last last ? last.length() : SHORT;
    }

    @Override
    public void run() {
        context.progress().status("inserting events that the statistics do not know");
        context.steps()
                .add(new Feeding(context, events, procedure.batch(), 1).feed().done());
        if (procedure.statistics() == Statistics.FRESH) {
            gather();
        }
        try (MeasuredSession session = new MeasuredSession(context)) {
            for (SearchName name : procedure.searchSet().searches()) {
                context.progress().status("reading " + name);
                read(name, session);
            }
        }
    }

    private void gather() {
        long start = System.nanoTime();
        context.store().maintenance().ifPresent(store -> store.gatherStatistics());
        context.steps()
                .add(new Step("statistics")
                        .figure("seconds", (System.nanoTime() - start) / 1e9)
                        .done());
    }

    private void read(SearchName name, MeasuredSession session) {
        Search search = searches.search(name, procedure.order(), procedure.page());
        List<Step> steps = new ArrayList<>();
        try {
            for (int pass = 1; pass <= procedure.passes(); pass++) {
                context.interruption().check();
                Step step = new Step(name.name())
                        .search(search)
                        .fact("pass", pass)
                        .fact("statistics", procedure.statistics() == Statistics.FRESH ? "fresh" : "stale");
                steps.add(step);
                session.read(search, step);
            }
            if (search.summary().isEmpty()) {
                String shape = session.get().explain(search).shape();
                steps.forEach(step -> step.fact("planShape", shape));
            }
        } catch (SearchException failure) {
            context.interruption().check();
            steps.get(steps.size() - 1).failed(failure);
        } finally {
            steps.forEach(step -> context.steps().add(step.done()));
        }
    }
}
