package siemload.run.procedure;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.ObjLongConsumer;
import java.util.function.Supplier;
import java.util.stream.DoubleStream;
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
record PageSteps(
        Procedure procedure, Pages pages, Servers.One server, ProcedureContext context, ProcedureSearches searches) {

    void run() {
        for (SearchName name : searches.asked().searches()) {
            // What is summed up has no order of its own.
            boolean isSummary = context.draw().catalog().get(name).summary().isPresent();
            for (Order order : searches.asked().orders().each()) {
                boolean isFirst = order == searches.asked().order();
                for (int draw = 0; draw < pages.draws() && (isFirst || !isSummary); draw++) {
                    new Turned(
                                    searches.search(name, draw, order),
                                    name + (isFirst ? "" : " oldest first"),
                                    pages.draws() > 1 ? " values " + (draw + 1) : "")
                            .run();
                }
            }
        }
    }

    /** The pages of one search. */
    private final class Turned {
        private final Search search;
        private final boolean isSummary;
        private final String name;
        private final String values;
        private final Paging paging = context.variant().paging();
        private final int size = searches.asked().pageSize();
        /** With the numbers of their pages; 0 for what is none. */
        private final Map<Step, Long> steps = new LinkedHashMap<>();

        private final Map<Long, PageKey> keysBefore = new HashMap<>();
        /** Of the whole result; which of listed pages there are shows when they are read. */
        private long rows;

        Turned(Search search, String name, String values) {
            this.search = search;
            this.isSummary = search.summary().isPresent();
            this.name = name;
            this.values = values;
        }

        /** All passes; plans are read behind them, since that runs each page once more. */
        void run() {
            try {
                rows = pages.depths() instanceof Depths.Listed ? 0 : server.count(search);
                for (int pass = 1; pass <= procedure.passes(); pass++) {
                    context.steps().check();
                    context.status("turning the pages of %s, pass %d of %d", name, pass, procedure.passes());
                    if (pages.depths() instanceof Depths.Listed listed) {
                        listed(listed, pass);
                    } else if (pages.depths() == Walk.LAST) {
                        Search last = search.with(paging.lastPage(size, rows));
                        Step step = step("last page", pass).fact("depth", count());
                        single(step, pass, () -> server.read(last));
                        steps.put(step, count());
                    } else {
                        walk(pass);
                    }
                }
                // By key, pages from the far end are those of the result in the other order: no page by itself has
                // their plan. A cursor's page cannot be asked for by itself.
                boolean isFromFarEnd = pages.depths() == Walk.LAST_TO_FIRST || pages.depths() == Walk.LAST;
                if (!isSummary && (paging == Paging.OFFSET || (paging == Paging.KEYSET && !isFromFarEnd))) {
                    addPlans();
                }
            } catch (SearchException failure) {
                context.steps().check();
                steps.put(
                        new Step(name + " pages" + values).search(search).failed(String.valueOf(failure.getMessage())),
                        0L);
            } finally {
                steps.keySet().forEach(server::add);
            }
        }

        private Step step(String page, int pass) {
            return new Step(name + " " + page + values)
                    .search(search)
                    .caches(procedure.caches())
                    .fact("paging", paging.label())
                    .fact("pass", pass);
        }

        /** How many pages there are, 1 or more: an empty result has an empty page. */
        private long count() {
            return Paging.pages(size, rows);
        }

        private TimedSearch single(Step step, int pass, Supplier<TimedSearch> reading) {
            server.prepare(procedure.caches(), pass, reading);
            return server.measure(step, reading);
        }

        private void listed(Depths.Listed wanted, int pass) {
            long end = Long.MAX_VALUE;
            for (long number : wanted.numbers()) {
                Optional<Search> asked = number < end ? asked(number) : Optional.empty();
                if (asked.isPresent()) {
                    context.steps().check();
                    Step step = step("page " + number, pass).fact("depth", number);
                    TimedSearch page = single(step, pass, () -> page(number, asked.orElseThrow()));
                    boolean isThere = number == 1 || page.rows() > 0;
                    if (page.rows() < size || isSummary) {
                        end = isThere ? number + 1 : number;
                    }
                    if (isThere) {
                        steps.put(step, number);
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
                    .or(() -> server.read(search.with(new Page.Numbered(1, (number - 1) * size)))
                            .lastKey())
                    .map(key -> search.with(new Page.After(size, key)));
        }

        private TimedSearch page(long number, Search asked) {
            if (isSummary || paging != Paging.CURSOR) {
                return remembered(number, server.read(isSummary ? search : asked));
            }
            try (Opened cursor = new Opened(search)) {
                for (long before = 1; before < number; before++) {
                    cursor.next(size);
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
                return context.steps()
                        .counted(() -> TimedSearch.read(ordered, reader -> {
                            ResultCursor open =
                                    cursor.orElseGet(() -> server.session().open(ordered));
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
            Search whole = search.with(new Page.Whole());
            boolean readsWhole = pages.whole() == WholeResult.MEASURED;
            server.prepare(
                    procedure.caches(), pass, () -> readsWhole ? server.read(whole) : turnAll((page, number) -> {}));
            if (readsWhole) {
                // First, so that the pages find in memory what it found there, too.
                context.steps().check();
                TimedSearch read = server.read(whole);
                steps.put(
                        step("whole", pass).search(whole).timed(read).figure("totalMicros", read.lastEventMicros()),
                        0L);
            }
            double[] micros = new double[Math.toIntExact(count())];
            server.startCounting();
            long turned = turnAll((page, number) -> {
                steps.put(step("page " + number, pass).fact("depth", number).timed(page), number);
                micros[(int) number - 1] = page.lastEventMicros();
            });
            Step total = step("total", pass)
                    .figure("totalMicros", DoubleStream.of(micros).sum())
                    .figure("slopeMicrosPerPage", slope(micros))
                    .figure("pages", turned);
            steps.put(total, 0L);
            server.countBlocks(total);
        }

        /**
         * All pages from one end to the other. From the far end these are by key and by cursor the pages of the result in the other order,
         * the first of which has as many rows as the last page has.
         *
         * @return how many there were
         */
        private long turnAll(ObjLongConsumer<TimedSearch> listener) {
            boolean back = pages.depths() == Walk.LAST_TO_FIRST;
            boolean turned = back && paging != Paging.OFFSET;
            Search ordered = turned ? search.with(search.order().reversed()) : search;
            int firstSize = turned ? (int) Math.max(1, rows - (count() - 1) * size) : size;
            Page next = new Page.Numbered(firstSize, 1);
            try (Opened cursor = new Opened(ordered)) {
                for (long turn = 1; turn <= count(); turn++) {
                    long number = back ? count() - turn + 1 : turn;
                    TimedSearch page = switch (paging) {
                        case OFFSET -> server.read(isSummary ? search : search.with(new Page.Numbered(size, number)));
                        case KEYSET -> server.read(ordered.with(next));
                        case CURSOR -> cursor.next(turn == 1 ? firstSize : size);
                    };
                    context.steps().check();
                    listener.accept(turned ? page : remembered(number, page), number);
                    if (page.lastKey().isPresent()) {
                        next = new Page.After(size, page.lastKey().orElseThrow());
                    }
                }
            }
            return count();
        }

        private void addPlans() {
            Map<Long, String> shapes = new HashMap<>();
            steps.forEach((step, number) -> {
                if (number > 0) {
                    String shape = shapes.computeIfAbsent(
                            number,
                            known -> asked(known)
                                    .map(page -> server.session().explain(page).shape())
                                    .orElse(""));
                    if (!shape.isEmpty()) {
                        step.fact("planShape", shape);
                    }
                }
                context.steps().check();
            });
        }
    }

    /**
     * How the time of a page grows with its number: by the straight line with the least sum of squared distances; 0 for one page.
     *
     * @param micros of page 1 and all behind it
     */
    static double slope(double... micros) {
        double pages = micros.length;
        double products = 0;
        for (int i = 0; i < micros.length; i++) {
            products += (i - (pages - 1) / 2) * micros[i];
        }
        return pages > 1 ? products / (pages * (pages * pages - 1) / 12) : 0;
    }
}
