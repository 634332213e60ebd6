package siemload.run.procedure;

import siemload.query.Search;
import siemload.query.SearchName;
import siemload.results.StepRecord;
import siemload.scenario.CacheState;
import siemload.scenario.Procedure;
import siemload.scenario.Procedure.Counting;

/** Reads results, search by search: the whole result or its first page, in a declared state of the caches. */
record ReadSteps(
        Procedure.Read procedure, ProcedureContext context, ProcedureSearches searches, MeasuredSession session)
        implements Runnable {
    @Override
    public void run() {
        try (session) {
            for (SearchName name : procedure.searchSet().searches()) {
                Search search = searches.search(name, procedure.order(), procedure.page());
                for (int pass = 1; pass <= procedure.passes(); pass++) {
                    context.interruption().check();
                    context.status("reading %s, pass %d of %d", name, pass, procedure.passes());
                    context.steps().add(read(search, pass));
                }
            }
        }
    }

    private StepRecord read(Search search, int pass) {
        Step step = new Step(search.name().name())
                .search(search)
                .caches(procedure.caches())
                .fact("pass", pass);
        if (context.draw().catalog().get(search.name()).hasList()) {
            step.fact("listLength", procedure.searchSet().listLength());
        }
        return context.attempt(step, () -> read(search, pass, step)).done();
    }

    private void read(Search search, int pass, Step step) {
        prepare(search, pass);
        TimedSearch timed = session.read(search, step);
        double counting = procedure.counting() == Counting.EXACT ? count(search, step) : 0;
        step.figure("totalMicros", timed.lastEventMicros() + counting);
        if (procedure.counting() == Counting.EXACT) {
            step.figure("countFactor", (timed.lastEventMicros() + counting) / timed.lastEventMicros());
        }
        context.planShape(search).ifPresent(shape -> step.fact("planShape", shape));
    }

    /** What is hot was read once before; what is cold is made so before every pass. */
    private void prepare(Search search, int pass) {
        session.prepare(procedure.caches());
        if (procedure.caches() == CacheState.HOT && pass == 1) {
            TimedSearch.read(search, session.get());
        }
    }

    private double count(Search search, Step step) {
        long start = System.nanoTime();
        session.get().count(search);
        double micros = (System.nanoTime() - start) / 1e3;
        step.figure("countMicros", micros);
        return micros;
    }
}
