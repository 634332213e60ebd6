package siemload.run.procedure;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ObjLongConsumer;
import java.util.function.Supplier;
import siemload.database.SearchException;
import siemload.database.SearchSession.ResultCursor;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.PageKey;
import siemload.query.Paging;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.scenario.Procedure;
import siemload.scenario.Procedure.Depths;
import siemload.scenario.Procedure.Depths.Walk;
import siemload.scenario.Procedure.Pages;
import siemload.scenario.Procedure.Pages.WholeResult;

/**
 * Turns the pages of results, by the run's way of paging: single ones, or all from one end to the other. By offset any page can be asked
 * for. By key a page needs the last row of the one before it, and by cursor all pages before it must have been read: what it takes to get
 * there is not measured.
 */
record PageSteps(Procedure procedure, Pages pages, ProcedureContext context, ProcedureSearches searches) {

    void run() {
        try (MeasuredSession session = new MeasuredSession(context, context.store())) {
            for (SearchName name : searches.asked().searches()) {
                // What is summed up has no order of its own.
                boolean isSummary = context.draw().catalog().get(name).summary().isPresent();
                Order first = searches.asked().order();
                for (Order order :
                        isSummary ? List.of(first) : searches.asked().orders().each()) {
                    for (int draw = 0; draw < pages.draws(); draw++) {
                        new Turned(searches.search(name, draw, order), order != first, draw, session).run();
                    }
                }
            }
        }
    }

    /** The pages of one search. */
    private final class Turned {
        private final Search search;
        private final Search whole;
        private final String name;
        private final String values;
        private final MeasuredSession session;
        private final Paging paging = context.variant().paging();
        private final int size = searches.asked().pageSize();
        private final List<Step> steps = new ArrayList<>();
        private final Map<Step, Long> numbers = new HashMap<>();
        private final Map<Long, PageKey> keysBefore = new HashMap<>();
        /** Of the whole result; which of listed pages there are shows when they are read. */
        private long rows;

        Turned(Search search, boolean isOtherOrder, int draw, MeasuredSession session) {
            this.search = search;
            this.whole = search.with(new Page.Whole());
            this.name = search.name() + (isOtherOrder ? " oldest first" : "");
            this.values = pages.draws() > 1 ? " values " + (draw + 1) : "";
            this.session = session;
        }

        /** All passes; plans are read behind them, since that runs each page once more. */
        void run() {
            try {
                rows = pages.depths() instanceof Depths.Listed ? 0 : session.count(search);
                for (int pass = 1; pass <= procedure.passes(); pass++) {
                    context.interruption().check();
                    context.status("turning the pages of %s, pass %d of %d", name, pass, procedure.passes());
                    if (pages.depths() instanceof Depths.Listed listed) {
                        listed(listed.numbers(), pass);
                    } else if (pages.depths() == Walk.LAST) {
                        Step step = step("last page", pass).fact("depth", count());
                        TimedSearch unused = single(step, pass, () -> read(search.with(paging.lastPage(size, rows))));
                        add(step, count());
                    } else {
                        walk(pass);
                    }
                }
                // By key, pages from the far end are those of the result in the other order: no page by itself has
                // their plan.
                boolean isFromFarEnd = pages.depths() == Walk.LAST_TO_FIRST || pages.depths() == Walk.LAST;
                if (search.summary().isEmpty() && !(paging == Paging.KEYSET && isFromFarEnd)) {
                    addPlans();
                }
            } catch (SearchException failure) {
                context.interruption().check();
                steps.add(new Step(name + " pages" + values).search(search).failed(failure));
            } finally {
                steps.forEach(step -> context.steps().add(step.done()));
            }
        }

        private Step step(String page, int pass) {
            return new Step(name + " " + page + values)
                    .search(search)
                    .caches(procedure.caches())
                    .fact("paging", paging.label())
                    .fact("pass", pass);
        }

        private void add(Step step, long number) {
            steps.add(step);
            numbers.put(step, number);
        }

        /** How many pages there are, 1 or more: an empty result has an empty page. */
        private long count() {
            return Paging.pages(size, rows);
        }

        private TimedSearch read(Search asked) {
            return session.read(asked);
        }

        private TimedSearch single(Step step, int pass, Supplier<TimedSearch> reading) {
            session.prepare(procedure.caches(), pass, () -> {
                TimedSearch unused = reading.get();
            });
            return session.measure(step, reading);
        }

        private void listed(List<Long> wanted, int pass) {
            long end = Long.MAX_VALUE;
            for (long number : wanted) {
                Optional<Search> asked = number < end ? asked(number) : Optional.empty();
                if (asked.isPresent()) {
                    context.interruption().check();
                    Step step = step("page " + number, pass).fact("depth", number);
                    TimedSearch page = single(step, pass, () -> page(number, asked.orElseThrow()));
                    boolean isThere = number == 1 || page.rows() > 0;
                    if (page.rows() < size || search.summary().isPresent()) {
                        end = isThere ? number + 1 : number;
                    }
                    if (isThere) {
                        add(step, number);
                    }
                }
            }
        }

        /** A page by itself; by key it starts after the last row of the one before it, and is not there where that is not. */
        private Optional<Search> asked(long number) {
            if (paging != Paging.KEYSET || number == 1) {
                return Optional.of(search.with(new Page.Numbered(size, number)));
            }
            return Optional.ofNullable(keysBefore.get(number))
                    .or(() -> read(search.with(new Page.Numbered(1, (number - 1) * size)))
                            .lastKey())
                    .map(key -> search.with(new Page.After(size, key)));
        }

        private TimedSearch page(long number, Search asked) {
            if (search.summary().isPresent()) {
                return read(search);
            }
            if (paging != Paging.CURSOR) {
                return remembered(number, read(asked));
            }
            try (Opened cursor = new Opened(search)) {
                for (long before = 1; before < number; before++) {
                    TimedSearch unused = cursor.next(size);
                }
                return cursor.next(size);
            }
        }

        private TimedSearch remembered(long number, TimedSearch page) {
            page.lastKey().filter(last -> page.rows() == size).ifPresent(last -> keysBefore.put(number + 1, last));
            return page;
        }

        /** An open result; opening it counts to its first page. */
        private final class Opened implements AutoCloseable {
            private final Search ordered;
            private Optional<ResultCursor> cursor = Optional.empty();

            Opened(Search ordered) {
                this.ordered = ordered;
            }

            TimedSearch next(int most) {
                return context.operations()
                        .counted(() -> TimedSearch.read(ordered, reader -> {
                            ResultCursor open =
                                    cursor.orElseGet(() -> session.get().open(ordered));
                            cursor = Optional.of(open);
                            open.next(most, reader);
                        }));
            }

            @Override
            public void close() {
                cursor.ifPresent(ResultCursor::close);
            }
        }

        private void walk(int pass) {
            session.prepare(procedure.caches(), pass, () -> {
                if (pages.whole() == WholeResult.NONE) {
                    turnAll((page, number) -> context.interruption().check());
                } else {
                    TimedSearch unused = read(whole);
                }
            });
            if (pages.whole() == WholeResult.MEASURED) {
                // First, so that the pages find in memory what it found there, too.
                context.interruption().check();
                TimedSearch read = read(whole);
                steps.add(step("whole", pass).search(whole).timed(read).figure("totalMicros", read.lastEventMicros()));
            }
            List<Double> depths = new ArrayList<>();
            List<Double> micros = new ArrayList<>();
            session.startCounting();
            turnAll((page, number) -> {
                context.interruption().check();
                add(step("page " + number, pass).fact("depth", number).timed(page), number);
                depths.add((double) number);
                micros.add(page.lastEventMicros());
            });
            Step total = step("total", pass)
                    .figure("totalMicros", micros.size() * mean(micros))
                    .figure("slopeMicrosPerPage", slope(depths, micros))
                    .figure("pages", micros.size());
            steps.add(total);
            session.countBlocks(total);
        }

        /**
         * All pages from one end to the other. From the far end these are by key and by cursor the pages of the result in the other order,
         * the first of which has as many rows as the last page has.
         */
        private void turnAll(ObjLongConsumer<TimedSearch> listener) {
            boolean back = pages.depths() == Walk.LAST_TO_FIRST;
            boolean turned = back && paging != Paging.OFFSET;
            Search ordered = turned ? search.with(search.order().reversed()) : search;
            int firstSize = turned ? (int) Math.max(1, rows - (count() - 1) * size) : size;
            Page next = new Page.Numbered(firstSize, 1);
            try (Opened cursor = new Opened(ordered)) {
                for (long turn = 1; turn <= count(); turn++) {
                    long number = back ? count() - turn + 1 : turn;
                    TimedSearch page = switch (paging) {
                        case OFFSET -> page(number, search.with(new Page.Numbered(size, number)));
                        case KEYSET -> read(ordered.with(next));
                        case CURSOR -> cursor.next(turn == 1 ? firstSize : size);
                    };
                    listener.accept(turned ? page : remembered(number, page), number);
                    Page same = next;
                    next = page.lastKey()
                            .<Page>map(key -> new Page.After(size, key))
                            .orElse(same);
                }
            }
        }

        /** A cursor's page cannot be asked for by itself. */
        private void addPlans() {
            Map<Long, String> shapes = new HashMap<>();
            for (Step step : steps) {
                Optional.ofNullable(numbers.get(step))
                        .filter(number -> paging != Paging.CURSOR)
                        .map(known -> shapes.computeIfAbsent(
                                known,
                                number -> asked(number)
                                        .map(page -> session.get().explain(page).shape())
                                        .orElse("")))
                        .filter(shape -> !shape.isEmpty())
                        .ifPresent(shape -> step.fact("planShape", shape));
                context.interruption().check();
            }
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
