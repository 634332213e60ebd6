package siemload.procedure;

import java.util.Locale;
import siemload.measure.StepRecord;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.scenario.CacheState;
import siemload.scenario.Procedure;
import siemload.scenario.Procedure.Counting;
import siemload.target.SearchException;

/** Reads results, search by search: the whole result or its first page, in a declared state of the caches. */
final class ReadSteps implements Runnable {
    private final Procedure.Read procedure;
    private final Workbench bench;
    private final AskedSearches searches;
    private final MeasuredSession session;

    ReadSteps(Procedure.Read procedure, Workbench bench) {
        this.procedure = procedure;
        this.bench = bench;
        this.searches = bench.searches(procedure.asking());
        this.session = new MeasuredSession(bench);
    }

    @Override
    public void run() {
        try (session) {
            for (SearchName name : procedure.asking().searches()) {
                Search search = searches.search(name, procedure.order(), procedure.page());
                for (int pass = 1; pass <= procedure.passes(); pass++) {
                    bench.interruption().check();
                    bench.progress()
                            .status(String.format(
                                    Locale.ROOT, "reading %s, pass %d of %d", name, pass, procedure.passes()));
                    bench.steps().add(read(search, pass));
                }
            }
        }
    }

    private StepRecord read(Search search, int pass) {
        Step step = new Step(search.name().name())
                .search(search)
                .caches(procedure.caches())
                .fact("pass", pass);
        if (search.name() == SearchName.OTHER1) {
            step.fact("listLength", procedure.asking().listLength());
        }
        try {
            prepare(search, pass);
            session.startCounting();
            TimedSearch timed = TimedSearch.read(search, session.get());
            session.countBlocks(step);
            step.timed(timed);
            double counting = procedure.counting() == Counting.EXACT ? count(search, step) : 0;
            step.figure("totalMicros", timed.lastEventMicros() + counting);
            bench.planShape(search).ifPresent(shape -> step.fact("planShape", shape));
        } catch (SearchException failure) {
            bench.interruption().check();
            step.failed(failure);
        }
        return step.done();
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
