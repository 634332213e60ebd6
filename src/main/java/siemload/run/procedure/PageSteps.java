package siemload.run.procedure;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.DoubleStream;
import siemload.database.SearchException;
import siemload.database.SearchSession.ResultCursor;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.Paging;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.run.procedure.StepLog.Step;
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
        Procedure procedure, Pages pages, Servers.One server, ProcedureContext context, Procedures.Searches searches) {

    void run() {
        for (SearchName name : searches.asked().searches()) {
            // What is summed up has no order of its own.
            boolean isSummary = context.draw().catalog().get(name).summary().isPresent();
            for (Order order : searches.asked().orders().each()) {
                boolean isFirst = order == searches.asked().order();
                for (int draw = 0; draw < pages.draws() && (isFirst || !isSummary); draw++) {
                    String values = pages.draws() > 1 ? " values " + (draw + 1) : "";
                    new Turned(searches.search(name, draw, order), name + (isFirst ? "" : " oldest first"), values)
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
        /** With what can be asked for by itself; empty for what is no single page. */
        private final Map<Step, Optional<Search>> steps = new LinkedHashMap<>();
        /** Pages by their numbers; empty where there is none. */
        private final Map<Long, Optional<Search>> asked = new HashMap<>();
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
                        TimedSearch unused = server.measure(pass, step, () -> server.read(last));
                        add(step, last);
                    } else {
                        walk(pass);
                    }
                }
                Map<Search, String> shapes = new HashMap<>();
                steps.forEach((step, page) -> {
                    context.steps().check();
                    page.ifPresent(one -> step.plan(shapes.computeIfAbsent(
                            one, unread -> server.session().explain(unread).shape())));
                });
            } catch (SearchException failure) {
                context.steps().check();
                Step failed = new Step(name + " pages" + values).search(search);
                steps.put(failed.failed(String.valueOf(failure.getMessage())), Optional.empty());
            } finally {
                steps.keySet().forEach(context.steps()::add);
            }
        }

        private Step step(String page, int pass) {
            return new Step(name + " " + page + values)
                    .search(search)
                    .fact("caches", procedure.caches())
                    .fact("paging", paging.label())
                    .fact("pass", pass);
        }

        /**
         * Adds a page with what it asks. By key, pages from the far end are those of the result in the other order: no page by itself has
         * their plan. A cursor's page cannot be asked for by itself.
         */
        private void add(Step step, Search page) {
            boolean isFromFarEnd = pages.depths() == Walk.LAST_TO_FIRST || pages.depths() == Walk.LAST;
            boolean hasPlan = paging == Paging.OFFSET || (paging == Paging.KEYSET && !isFromFarEnd);
            steps.put(step, hasPlan && !isSummary ? Optional.of(page) : Optional.empty());
        }

        /** How many pages there are, 1 or more: an empty result has an empty page. */
        private long count() {
            return Paging.pages(size, rows);
        }

        private void listed(Depths.Listed wanted, int pass) {
            long end = Long.MAX_VALUE;
            for (long number : wanted.numbers()) {
                Optional<Search> known = number < end ? asked.computeIfAbsent(number, this::asked) : Optional.empty();
                if (known.isPresent()) {
                    context.steps().check();
                    Search one = known.orElseThrow();
                    Step step = step("page " + number, pass).fact("depth", number);
                    TimedSearch page = server.measure(pass, step, () -> page(number, one));
                    boolean isThere = number == 1 || page.rows() > 0;
                    if (page.rows() < size || isSummary) {
                        end = isThere ? number + 1 : number;
                    }
                    if (isThere) {
                        add(step, one);
                    }
                }
            }
        }

        /** A page by itself; by key it starts after the last row of the one before it, and is not there where that is not. */
        private Optional<Search> asked(long number) {
            return isSummary || paging != Paging.KEYSET || number == 1
                    ? Optional.of(isSummary ? search : search.with(new Page.Numbered(size, number)))
                    : server.read(search.with(new Page.Numbered(1, (number - 1) * size)))
                            .lastKey()
                            .map(key -> search.with(new Page.After(size, key)));
        }

        private TimedSearch page(long number, Search page) {
            if (isSummary || paging != Paging.CURSOR) {
                return server.read(page);
            }
            try (Opened cursor = new Opened(search)) {
                for (long before = 1; before < number; before++) {
                    cursor.next(size);
                }
                return cursor.next(size);
            }
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
            server.prepare(pass, () -> readsWhole ? server.read(whole) : turnAll((number, asked, page) -> {}));
            if (readsWhole) {
                // First, so that the pages find in memory what it found there, too.
                context.steps().check();
                TimedSearch read = server.read(whole);
                Step step = step("whole", pass).search(whole).timed(read);
                steps.put(step.figure("totalMicros", read.lastEventMicros()), Optional.empty());
            }
            double[] micros = new double[Math.toIntExact(count())];
            Consumer<Step> blocks = server.countBlocks();
            long turned = turnAll((number, asked, page) -> {
                add(step("page " + number, pass).fact("depth", number).timed(page), asked);
                micros[(int) number - 1] = page.lastEventMicros();
            });
            Step total = step("total", pass)
                    .figure("totalMicros", DoubleStream.of(micros).sum())
                    .figure("slopeMicrosPerPage", slope(micros))
                    .figure("pages", turned);
            steps.put(total, Optional.empty());
            blocks.accept(total);
        }

        /**
         * All pages from one end to the other. From the far end these are by key and by cursor the pages of the result in the other order,
         * the first of which has as many rows as the last page has.
         *
         * @return how many there were
         */
        private long turnAll(PageListener listener) {
            boolean back = pages.depths() == Walk.LAST_TO_FIRST;
            boolean turned = back && paging != Paging.OFFSET;
            Search ordered = turned ? search.with(search.order().reversed()) : search;
            int firstSize = turned ? (int) Math.max(1, rows - (count() - 1) * size) : size;
            Page next = new Page.Numbered(firstSize, 1);
            try (Opened cursor = new Opened(ordered)) {
                for (long turn = 1; turn <= count(); turn++) {
                    long number = back ? count() - turn + 1 : turn;
                    Search asked = isSummary
                            ? search
                            : ordered.with(paging == Paging.OFFSET ? new Page.Numbered(size, number) : next);
                    TimedSearch page =
                            paging == Paging.CURSOR ? cursor.next(turn == 1 ? firstSize : size) : server.read(asked);
                    context.steps().check();
                    listener.turned(number, asked, page);
                    if (page.lastKey().isPresent()) {
                        next = new Page.After(size, page.lastKey().orElseThrow());
                    }
                }
            }
            return count();
        }
    }

    @FunctionalInterface
    private interface PageListener {
        void turned(long number, Search asked, TimedSearch page);
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
