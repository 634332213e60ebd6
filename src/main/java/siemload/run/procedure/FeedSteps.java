package siemload.run.procedure;

import siemload.database.SearchException;
import siemload.query.Page;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.scenario.Procedure;

/** Inserts events as fast as it goes, then reads first pages: what indexes cost, and what they give. */
record FeedSteps(Procedure.Feed procedure, ProcedureContext context, NewEvents events, ProcedureSearches searches)
        implements Runnable {
    static FeedSteps of(Procedure.Feed procedure, ProcedureContext context) {
        NewEvents events = NewEvents.everyMillisecond(context.source(), procedure.events());
        return new FeedSteps(procedure, context, events, context.searches(procedure.searchSet(), events.until()));
    }

    @Override
    public void run() {
        context.status("inserting %,d events", procedure.events());
        try {
            Step fed = new Feeding(context, events, procedure.batch(), procedure.connections()).feed();
            context.steps().add(fed.done());
        } catch (SearchException failure) {
            context.interruption().check();
            context.steps().add(new Step("feed").failed(failure).done());
        }
        try (MeasuredSession session = new MeasuredSession(context)) {
            for (SearchName name : procedure.searchSet().searches()) {
                context.interruption().check();
                context.progress().status("reading " + name);
                read(name, session);
            }
        }
    }

    /** Each pass looks for other values, as users do. */
    private void read(SearchName name, MeasuredSession session) {
        Page page = procedure.page();
        Search first = searches.search(name, procedure.order(), page);
        Step step = new Step(name.name()).search(first).fact("passes", procedure.passes());
        context.attempt(step, () -> {
            LatencySamples times = new LatencySamples();
            long rows = 0;
            for (int pass = 0; pass < procedure.passes(); pass++) {
                context.interruption().check();
                Search search = searches.search(name, pass, procedure.order(), page);
                TimedSearch read = TimedSearch.read(search, session.get());
                times.add(read.lastEventMicros());
                rows += read.rows();
            }
            step.figure("p50Micros", times.percentile(50))
                    .figure("p95Micros", times.percentile(95))
                    .figure("rows", rows);
            context.planShape(first).ifPresent(shape -> step.fact("planShape", shape));
        });
        context.steps().add(step.done());
    }
}
