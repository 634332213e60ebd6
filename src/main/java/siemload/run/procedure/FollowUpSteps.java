package siemload.run.procedure;

import java.util.List;
import java.util.Optional;
import siemload.config.Choices;
import siemload.database.SearchException;
import siemload.dataset.SeededRandom;
import siemload.query.Page;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.results.StepRecord;
import siemload.scenario.FollowUp;
import siemload.scenario.Procedure;
import siemload.scenario.Procedure.Change;

/**
 * Asks follow-ups: searches that differ a little from one before them. Each is asked first of all, the caches being in a
 * declared state, and again from that state on, after the search that it follows. Every second pass does both the other way
 * around, so that neither gains from being the later one.
 */
record FollowUpSteps(
        Procedure.FollowUps procedure, ProcedureContext context, ProcedureSearches searches, MeasuredSession session)
        implements Runnable {
    private static final String FIRST = "first";
    private static final String AFTERWARDS = "afterwards";

    /** A search and what is asked after it. */
    private record Pair(String name, Search before, Search after) {}

    @Override
    public void run() {
        try (session) {
            for (SearchName name : procedure.searchSet().searches()) {
                Search before = searches.search(name, procedure.order(), procedure.page());
                for (Change change : procedure.changes()) {
                    String called = name + " " + Choices.camelCase(change);
                    Optional<Search> after = after(before, change, called);
                    if (after.isPresent()) {
                        ask(new Pair(called, before, after.orElseThrow()));
                    }
                }
            }
        }
    }

    /** Where there is none, a step says so. */
    private Optional<Search> after(Search before, Change change, String called) {
        context.interruption().check();
        try {
            Optional<Search> after = switch (change) {
                case WINDOW -> Optional.of(FollowUp.earlier(before));
                case NARROWER ->
                    firstRow(before)
                            .flatMap(row -> new FollowUp(context.draw().catalog())
                                    .narrow(before, row, before.page(), SeededRandom.of(context.seed(), 0)));
            };
            if (after.isEmpty()) {
                context.steps()
                        .add(new Step(called)
                                .search(before)
                                .failed("no row was found that the search could be narrowed by")
                                .done());
            }
            return after;
        } catch (SearchException failure) {
            context.interruption().check();
            context.steps().add(new Step(called).search(before).failed(failure).done());
            return Optional.empty();
        }
    }

    private Optional<byte[]> firstRow(Search search) {
        byte[][] first = new byte[1][];
        session.get()
                .search(
                        search.with(new Page.Numbered(1, 1)),
                        row -> first[0] = row.idea().clone());
        return Optional.ofNullable(first[0]);
    }

    private void ask(Pair pair) {
        for (int pass = 1; pass <= procedure.passes(); pass++) {
            context.status("asking %s, pass %d of %d", pair.name(), pass, procedure.passes());
            for (String asked : pass % 2 == 1 ? List.of(FIRST, AFTERWARDS) : List.of(AFTERWARDS, FIRST)) {
                ask(pair, asked, pass);
            }
        }
    }

    private void ask(Pair pair, String asked, int pass) {
        context.interruption().check();
        session.prepare(procedure.caches());
        if (asked.equals(AFTERWARDS)) {
            context.steps().add(read(new Step(pair.name() + " before"), pair.before(), "before", pass));
        }
        context.interruption().check();
        context.steps().add(read(new Step(pair.name()), pair.after(), asked, pass));
    }

    private StepRecord read(Step step, Search search, String asked, int pass) {
        step.search(search).caches(procedure.caches()).fact("pass", pass).fact("asked", asked);
        return context.attempt(step, () -> session.read(search, step)).done();
    }
}
