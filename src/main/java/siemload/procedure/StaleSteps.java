package siemload.procedure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import siemload.query.Page;
import siemload.query.Search;
import siemload.query.SearchCatalog;
import siemload.query.SearchName;
import siemload.scenario.Procedure;
import siemload.scenario.Procedure.Statistics;
import siemload.scenario.WindowLength;
import siemload.target.SearchException;

/** Searches the newest events, of which the server's statistics know nothing unless they are gathered anew. */
final class StaleSteps implements Runnable {
    private static final Duration SHORT = Duration.ofMinutes(5);

    private final Procedure.Stale procedure;
    private final Workbench bench;
    private final NewEvents events;
    private final AskedSearches searches;

    StaleSteps(Procedure.Stale procedure, Workbench bench) {
        this.procedure = procedure;
        this.bench = bench;
        this.events = new NewEvents(bench.source(), span(procedure.asking().window()), procedure.events());
        this.searches = bench.searches(procedure.asking(), events.until());
    }

    private static Duration span(WindowLength window) {
        return window instanceof WindowLength.Last last ? last.length() : SHORT;
    }

    @Override
    public void run() {
        bench.progress().status("inserting events that the statistics do not know");
        bench.steps()
                .add(new Feeding(bench, events, procedure.batch(), 1).feed().done());
        if (procedure.statistics() == Statistics.FRESH) {
            gather();
        }
        try (MeasuredSession session = new MeasuredSession(bench)) {
            for (SearchName name : procedure.asking().searches()) {
                bench.progress().status("reading " + name);
                read(name, session);
            }
        }
    }

    private void gather() {
        long start = System.nanoTime();
        bench.store().maintenance().ifPresent(store -> store.gatherStatistics());
        bench.steps()
                .add(new Step("statistics")
                        .figure("seconds", (System.nanoTime() - start) / 1e9)
                        .done());
    }

    private void read(SearchName name, MeasuredSession session) {
        Search search = searches.search(name, procedure.order(), new Page.Numbered(procedure.pageSize(), 1));
        List<Step> steps = new ArrayList<>();
        try {
            for (int pass = 1; pass <= procedure.passes(); pass++) {
                bench.interruption().check();
                Step step = new Step(name.name())
                        .search(search)
                        .fact("pass", pass)
                        .fact("statistics", procedure.statistics() == Statistics.FRESH ? "fresh" : "stale");
                steps.add(step);
                session.startCounting();
                step.timed(TimedSearch.read(search, session.get()));
                session.countBlocks(step);
            }
            if (SearchCatalog.summary(name).isEmpty()) {
                String shape = session.get().explain(search).shape();
                steps.forEach(step -> step.fact("planShape", shape));
            }
        } catch (SearchException failure) {
            bench.interruption().check();
            steps.get(steps.size() - 1).failed(failure);
        } finally {
            steps.forEach(step -> bench.steps().add(step.done()));
        }
    }
}
