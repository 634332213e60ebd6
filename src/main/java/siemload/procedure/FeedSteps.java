package siemload.procedure;

import java.util.Locale;
import siemload.query.Page;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.scenario.Procedure;
import siemload.target.SearchException;

/** Inserts events as fast as it goes, then reads first pages: what indexes cost, and what they give. */
final class FeedSteps implements Runnable {
    private final Procedure.Feed procedure;
    private final Workbench bench;
    private final NewEvents events;
    private final AskedSearches searches;

    FeedSteps(Procedure.Feed procedure, Workbench bench) {
        this.procedure = procedure;
        this.bench = bench;
        this.events = NewEvents.everyMillisecond(bench.source(), procedure.events());
        this.searches = bench.searches(procedure.asking(), events.until());
    }

    @Override
    public void run() {
        bench.progress().status(String.format(Locale.ROOT, "inserting %,d events", procedure.events()));
        try {
            Step fed = new Feeding(bench, events, procedure.batch(), procedure.connections()).feed();
            bench.steps().add(fed.done());
        } catch (SearchException failure) {
            bench.interruption().check();
            bench.steps().add(new Step("feed").failed(failure).done());
        }
        try (MeasuredSession session = new MeasuredSession(bench)) {
            for (SearchName name : procedure.asking().searches()) {
                bench.interruption().check();
                bench.progress().status("reading " + name);
                read(name, session);
            }
        }
    }

    /** Each pass looks for other values, as users do. */
    private void read(SearchName name, MeasuredSession session) {
        Page page = new Page.Numbered(procedure.pageSize(), 1);
        Search first = searches.search(name, procedure.order(), page);
        Step step = new Step(name.name()).search(first).fact("passes", procedure.passes());
        try {
            Durations times = new Durations();
            long rows = 0;
            for (int pass = 0; pass < procedure.passes(); pass++) {
                bench.interruption().check();
                Search search = searches.search(name, pass, procedure.order(), page);
                TimedSearch read = TimedSearch.read(search, session.get());
                times.add(read.lastEventMicros());
                rows += read.rows();
            }
            step.figure("p50Micros", times.percentile(50))
                    .figure("p95Micros", times.percentile(95))
                    .figure("rows", rows);
            bench.planShape(first).ifPresent(shape -> step.fact("planShape", shape));
        } catch (SearchException failure) {
            bench.interruption().check();
            step.failed(failure);
        }
        bench.steps().add(step.done());
    }
}
