package siemload.run.procedure;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import siemload.database.Plan;
import siemload.database.SearchException;
import siemload.query.Page;
import siemload.query.Paging;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.scenario.CacheState;
import siemload.scenario.Procedure;
import siemload.scenario.Procedure.Depths;
import siemload.scenario.Procedure.WholeResult;

/** Turns the pages of results, by the run's way of paging: single ones, or all from one end to the other. */
record DepthSteps(
        Procedure.Depth procedure, ProcedureContext context, ProcedureSearches searches, MeasuredSession session)
        implements Runnable {
    @Override
    public void run() {
        try (session) {
            for (SearchName name : procedure.searchSet().searches()) {
                turn(searches.search(name, procedure.order(), procedure.page()));
            }
        }
    }

    /** All passes of one search; plans are read behind them, since that runs each page once more. */
    private void turn(Search search) {
        List<Step> steps = new ArrayList<>();
        try {
            PageTurner turner = turner(search);
            for (int pass = 1; pass <= procedure.passes(); pass++) {
                context.interruption().check();
                context.status("turning the pages of %s, pass %d of %d", search.name(), pass, procedure.passes());
                new DepthPass(search, turner, pass, steps).run();
            }
            if (!isFromFarEnd()) {
                addPlans(turner, steps);
            }
        } catch (SearchException failure) {
            context.interruption().check();
            steps.add(new Step(search.name() + " pages").search(search).failed(failure));
        } finally {
            steps.forEach(step -> context.steps().add(step.done()));
        }
    }

    /** By key, pages from the far end are those of the result in the other order, and no page by itself has their plan. */
    private boolean isFromFarEnd() {
        return context.variant().paging() == Paging.KEYSET
                && (procedure.depths() instanceof Depths.LastToFirst || procedure.depths() instanceof Depths.LastPage);
    }

    private PageTurner turner(Search search) {
        long rows = session.get().count(search);
        return new PageTurner(search, context.variant().paging(), procedure.pageSize(), rows);
    }

    private void addPlans(PageTurner turner, List<Step> steps) {
        Map<Long, String> shapes = new HashMap<>();
        for (Step step : steps) {
            step.depth().ifPresent(depth -> {
                String shape = shapes.computeIfAbsent(
                        depth,
                        number -> turner.plan(number, session.get())
                                .map(Plan::shape)
                                .orElse(""));
                if (!shape.isEmpty()) {
                    step.fact("planShape", shape);
                }
            });
            context.interruption().check();
        }
    }

    /** One pass through the pages of one search. */
    private final class DepthPass {
        private final Search search;
        private final PageTurner turner;
        private final int pass;
        private final List<Step> steps;
        private final List<Double> walkedNumbers = new ArrayList<>();
        private final List<Double> walkedMicros = new ArrayList<>();

        DepthPass(Search search, PageTurner turner, int pass, List<Step> steps) {
            this.search = search;
            this.turner = turner;
            this.pass = pass;
            this.steps = steps;
        }

        void run() {
            if (procedure.depths() instanceof Depths.Pages listed) {
                List<Long> there = listed.numbers().stream()
                        .filter(number -> number <= turner.pages())
                        .toList();
                turner.locate(there, session.get());
                there.forEach(this::page);
            } else if (procedure.depths() instanceof Depths.LastPage) {
                last();
            } else {
                walk();
            }
        }

        private void page(long number) {
            context.interruption().check();
            session.prepare(procedure.caches());
            if (warmsUp()) {
                turner.read(number, session.get());
            }
            session.startCounting();
            Step step = add("page " + number, number, turner.read(number, session.get()));
            session.countBlocks(step);
        }

        private void last() {
            session.prepare(procedure.caches());
            if (warmsUp()) {
                turner.readLast(session.get());
            }
            session.startCounting();
            Step step = add("last page", turner.pages(), turner.readLast(session.get()));
            session.countBlocks(step);
        }

        /** What is measured of it comes first, so that the pages find in memory what it found there, too. */
        private void whole() {
            Search all = search.with(new Page.Whole());
            if (warmsUp()) {
                TimedSearch.read(all, session.get());
            }
            context.interruption().check();
            TimedSearch read = TimedSearch.read(all, session.get());
            steps.add(step("whole").search(all).timed(read).figure("totalMicros", read.lastEventMicros()));
        }

        private void walk() {
            session.prepare(procedure.caches());
            if (procedure.whole() == WholeResult.MEASURED) {
                whole();
            } else if (warmsUp()) {
                walk((number, page) -> context.interruption().check());
            }
            session.startCounting();
            walk((number, page) -> {
                context.interruption().check();
                add("page " + number, number, page);
                walkedNumbers.add((double) number);
                walkedMicros.add(page.lastEventMicros());
            });
            Step total = step("total")
                    .figure("totalMicros", walkedMicros.size() * mean(walkedMicros))
                    .figure("slopeMicrosPerPage", slope(walkedNumbers, walkedMicros))
                    .figure("pages", walkedMicros.size());
            steps.add(total);
            session.countBlocks(total);
        }

        private void walk(PageTurner.PageListener listener) {
            if (procedure.depths() instanceof Depths.LastToFirst) {
                turner.walkBack(session.get(), listener);
            } else {
                turner.walk(session.get(), listener);
            }
        }

        private boolean warmsUp() {
            return procedure.caches() == CacheState.HOT && pass == 1;
        }

        private Step add(String name, long depth, TimedSearch page) {
            Step step = step(name).depth(depth).timed(page);
            steps.add(step);
            return step;
        }

        private Step step(String name) {
            return new Step(search.name() + " " + name)
                    .search(search)
                    .caches(procedure.caches())
                    .fact("paging", context.variant().paging().label())
                    .fact("pass", pass);
        }
    }

    /** How the time of a page grows with its number: by the straight line with the least sum of squared distances; 0 for one page. */
    static double slope(List<Double> numbers, List<Double> micros) {
        double meanNumber = mean(numbers);
        double meanMicros = mean(micros);
        double squares = 0;
        double products = 0;
        for (int i = 0; i < numbers.size(); i++) {
            double fromMean = numbers.get(i) - meanNumber;
            squares += fromMean * fromMean;
            products += fromMean * (micros.get(i) - meanMicros);
        }
        return squares == 0 ? 0 : products / squares;
    }

    private static double mean(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).average().orElse(0);
    }
}
