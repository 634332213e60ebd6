package siemload.run.procedure;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import siemload.database.Plan;
import siemload.database.SearchException;
import siemload.database.SearchSession;
import siemload.database.SearchSession.ResultCursor;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.PageKey;
import siemload.query.Paging;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.scenario.CacheState;
import siemload.scenario.Procedure;
import siemload.scenario.Procedure.Depths;
import siemload.scenario.Procedure.Pages;
import siemload.scenario.Procedure.WholeResult;

/** Turns the pages of results, by the run's way of paging: single ones, or all from one end to the other. */
record PageSteps(Procedure procedure, Pages pages, ProcedureContext context, ProcedureSearches searches)
        implements Runnable {
    @Override
    public void run() {
        try (MeasuredSession session = new MeasuredSession(context)) {
            for (SearchName name : searches.asked().searches()) {
                for (Order order : orders(name)) {
                    for (int draw = 0; draw < pages.draws(); draw++) {
                        new Turned(searches.search(name, draw, order), order, draw, session).run();
                    }
                }
            }
        }
    }

    /** What is summed up has no order of its own. */
    private List<Order> orders(SearchName name) {
        return context.draw().catalog().get(name).summary().isPresent()
                ? List.of(searches.asked().order())
                : searches.asked().orders();
    }

    /** The pages of one search. */
    private final class Turned {
        private final Search search;
        private final String name;
        private final String values;
        private final MeasuredSession session;
        private final List<Step> steps = new ArrayList<>();

        Turned(Search search, Order order, int draw, MeasuredSession session) {
            boolean isOtherOrder = order != searches.asked().order();
            this.search = search;
            this.name = search.name() + (isOtherOrder ? " oldest first" : "");
            this.values = pages.draws() > 1 ? " values " + (draw + 1) : "";
            this.session = session;
        }

        /** All passes; plans are read behind them, since that runs each page once more. */
        void run() {
            try {
                PageTurner turner = turner();
                for (int pass = 1; pass <= procedure.passes(); pass++) {
                    context.interruption().check();
                    context.status("turning the pages of %s, pass %d of %d", name, pass, procedure.passes());
                    turn(turner, pass);
                }
                if (!isFromFarEnd() && search.summary().isEmpty()) {
                    addPlans(turner);
                }
            } catch (SearchException failure) {
                context.interruption().check();
                steps.add(new Step(name + " pages" + values).search(search).failed(failure));
            } finally {
                steps.forEach(step -> context.steps().add(step.done()));
            }
        }

        /** Which of listed pages there are shows when they are read. */
        private PageTurner turner() {
            long rows =
                    pages.depths() instanceof Depths.Listed ? 0 : session.get().count(search);
            return new PageTurner(
                    search, context.variant().paging(), searches.asked().pageSize(), rows);
        }

        /** By key, pages from the far end are those of the result in the other order, and no page by itself has their plan. */
        private boolean isFromFarEnd() {
            return context.variant().paging() == Paging.KEYSET
                    && (pages.depths() instanceof Depths.LastToFirst || pages.depths() instanceof Depths.LastPage);
        }

        private void turn(PageTurner turner, int pass) {
            if (pages.depths() instanceof Depths.Listed listed) {
                listed(listed.numbers(), turner, pass);
            } else if (pages.depths() instanceof Depths.LastPage) {
                prepare(pass, () -> turner.readLast(session.get()));
                session.startCounting();
                Step step = add("last page", turner.pages(), turner.readLast(session.get()), pass);
                session.countBlocks(step);
            } else {
                walk(turner, pass);
            }
        }

        private void listed(List<Long> numbers, PageTurner turner, int pass) {
            turner.locate(numbers, session.get());
            long end = Long.MAX_VALUE;
            for (long number : numbers) {
                if (number < end && turner.isKnown(number)) {
                    context.interruption().check();
                    prepare(pass, () -> turner.read(number, session.get()));
                    session.startCounting();
                    TimedSearch page = turner.read(number, session.get());
                    boolean isThere = number == 1 || page.rows() > 0;
                    if (page.rows() < searches.asked().pageSize()
                            || search.summary().isPresent()) {
                        end = isThere ? number + 1 : number;
                    }
                    if (isThere) {
                        session.countBlocks(add("page " + number, number, page, pass));
                    }
                }
            }
        }

        private void walk(PageTurner turner, int pass) {
            prepare(pass, () -> {
                if (pages.whole() == WholeResult.NONE) {
                    turner.walk(
                            pages.depths(),
                            session.get(),
                            (number, page) -> context.interruption().check());
                } else {
                    TimedSearch unused = TimedSearch.read(search.with(new Page.Whole()), session.get());
                }
            });
            if (pages.whole() == WholeResult.MEASURED) {
                // First, so that the pages find in memory what it found there, too.
                Search all = search.with(new Page.Whole());
                context.interruption().check();
                TimedSearch read = TimedSearch.read(all, session.get());
                steps.add(step("whole", pass).search(all).timed(read).figure("totalMicros", read.lastEventMicros()));
            }
            List<Double> numbers = new ArrayList<>();
            List<Double> micros = new ArrayList<>();
            session.startCounting();
            turner.walk(pages.depths(), session.get(), (number, page) -> {
                context.interruption().check();
                Step unused = add("page " + number, number, page, pass);
                numbers.add((double) number);
                micros.add(page.lastEventMicros());
            });
            Step total = step("total", pass)
                    .figure("totalMicros", micros.size() * mean(micros))
                    .figure("slopeMicrosPerPage", slope(numbers, micros))
                    .figure("pages", micros.size());
            steps.add(total);
            session.countBlocks(total);
        }

        /** What is hot was read once before, which is not measured. */
        private void prepare(int pass, Runnable read) {
            session.prepare(procedure.caches());
            if (procedure.caches() == CacheState.HOT && pass == 1) {
                read.run();
            }
        }

        private Step add(String page, long depth, TimedSearch read, int pass) {
            Step step = step(page, pass).depth(depth).timed(read);
            steps.add(step);
            return step;
        }

        private Step step(String page, int pass) {
            return new Step(name + " " + page + values)
                    .search(search)
                    .caches(procedure.caches())
                    .fact("paging", context.variant().paging().label())
                    .fact("pass", pass);
        }

        private void addPlans(PageTurner turner) {
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

    /**
     * Turns the pages of one search in the run's way of paging. By offset any page can be asked for. By key a page needs the
     * last row of the one before it, and by cursor all pages before it must have been read: what it takes to get there is not
     * measured. Used by one thread.
     */
    private static final class PageTurner {
        private final Search search;
        private final Paging paging;
        private final int size;
        private final long pages;
        private final long rows;
        private final Map<Long, PageKey> keysBefore = new HashMap<>();

        /**
         * Gets ready to turn pages.
         *
         * @param size rows a page, 1 or more
         * @param rows how many the whole result has
         */
        PageTurner(Search search, Paging paging, int size, long rows) {
            this.search = search;
            this.paging = paging;
            this.size = size;
            this.pages = Paging.pages(size, rows);
            this.rows = rows;
        }

        /** How many pages there are, 1 or more: an empty result has an empty page. */
        long pages() {
            return pages;
        }

        /** What takes a page that was read. */
        @FunctionalInterface
        interface PageListener {
            /** Takes it; the number is 1 for the first page. */
            void read(long number, TimedSearch page);
        }

        /** Finds out what pages by key start after, by reading the result once; not needed for a page behind another one. */
        void locate(List<Long> numbers, SearchSession session) {
            boolean isKnown = numbers.stream().allMatch(number -> number == 1 || numbers.contains(number - 1));
            if (paging != Paging.KEYSET || isKnown) {
                return;
            }
            long[] row = {0};
            session.search(search.with(new Page.Whole()), read -> {
                row[0]++;
                long next = row[0] / size + 1;
                if (row[0] % size == 0 && numbers.contains(next)) {
                    keysBefore.put(next, read.key());
                }
            });
        }

        /**
         * Reads a page.
         *
         * @param number 1 to {@link #pages}; by key one that was located
         */
        TimedSearch read(long number, SearchSession session) {
            if (search.summary().isPresent()) {
                return TimedSearch.read(search, session);
            }
            return switch (paging) {
                case OFFSET, KEYSET -> remembered(number, TimedSearch.read(page(number), session));
                case CURSOR -> {
                    try (Opened cursor = new Opened(search, session)) {
                        for (long before = 1; before < number; before++) {
                            cursor.next(size);
                        }
                        yield cursor.next(size);
                    }
                }
            };
        }

        /** An open result; opening it counts to its first page. */
        private static final class Opened implements AutoCloseable {
            private final Search search;
            private final SearchSession session;
            private Optional<ResultCursor> cursor = Optional.empty();

            Opened(Search search, SearchSession session) {
                this.search = search;
                this.session = session;
            }

            TimedSearch next(int rows) {
                return TimedSearch.read(search, reader -> {
                    ResultCursor open = cursor.orElseGet(() -> session.open(search));
                    cursor = Optional.of(open);
                    open.next(rows, reader);
                });
            }

            @Override
            public void close() {
                cursor.ifPresent(ResultCursor::close);
            }
        }

        /** The last page alone: by key and by cursor from the far end. */
        TimedSearch readLast(SearchSession session) {
            return TimedSearch.read(search.with(paging.lastPage(size, rows)), session);
        }

        /**
         * All pages from one end to the other. From the far end these are by key and by cursor the pages of the result in the other order,
         * the first of which has as many rows as the last page has.
         */
        void walk(Depths depths, SearchSession session, PageListener listener) {
            boolean back = depths instanceof Depths.LastToFirst;
            boolean turned = back && paging != Paging.OFFSET;
            Search ordered = turned ? search.with(search.order().reversed()) : search;
            int firstSize = turned ? (int) Math.max(1, rows - (pages - 1) * size) : size;
            Page next = new Page.Numbered(firstSize, 1);
            try (Opened cursor = new Opened(ordered, session)) {
                for (long turn = 1; turn <= pages; turn++) {
                    long number = back ? pages - turn + 1 : turn;
                    TimedSearch page = switch (paging) {
                        case OFFSET -> read(number, session);
                        case KEYSET -> TimedSearch.read(ordered.with(next), session);
                        case CURSOR -> cursor.next(turn == 1 ? firstSize : size);
                    };
                    listener.read(number, turned ? page : remembered(number, page));
                    Page same = next;
                    next = page.lastKey()
                            .<Page>map(key -> new Page.After(size, key))
                            .orElse(same);
                }
            }
        }

        private TimedSearch remembered(long number, TimedSearch page) {
            page.lastKey().filter(last -> page.rows() == size).ifPresent(last -> keysBefore.put(number + 1, last));
            return page;
        }

        /** Whether a page can be asked for. */
        boolean isKnown(long number) {
            return paging != Paging.KEYSET || number == 1 || keysBefore.containsKey(number);
        }

        /** One whose key is unknown would be the first again. */
        private Search page(long number) {
            return search.with(paging.page(
                    size,
                    isKnown(number) ? number : 1,
                    () -> Optional.ofNullable(keysBefore.get(number)).orElseThrow()));
        }

        /** How the server goes about a page that can be asked for by itself; a cursor's cannot, nor one whose key is unknown. */
        Optional<Plan> plan(long number, SearchSession session) {
            boolean alone = paging != Paging.CURSOR && isKnown(number);
            return alone ? Optional.of(session.explain(page(number))) : Optional.empty();
        }
    }
}
