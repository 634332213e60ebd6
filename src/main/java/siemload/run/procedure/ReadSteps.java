package siemload.run.procedure;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import org.HdrHistogram.Histogram;
import siemload.config.Choices;
import siemload.database.SearchException;
import siemload.database.SearchSession.ResultCursor;
import siemload.dataset.Popularity;
import siemload.dataset.SeededRandom;
import siemload.query.CriterionKey;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.Paging;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.query.Window;
import siemload.results.SearchKey;
import siemload.run.answers.AnswerCheck;
import siemload.run.procedure.ProcedureContext.Searches;
import siemload.run.procedure.Servers.TimedSearch;
import siemload.run.procedure.StepLog.Step;
import siemload.scenario.SearchDraw.DrawRule;
import siemload.scenario.FollowUp;
import siemload.scenario.Procedure;
import siemload.scenario.Procedure.Counting;
import siemload.scenario.Procedure.Depths;
import siemload.scenario.Procedure.Depths.Walk;
import siemload.scenario.Procedure.Pages;
import siemload.scenario.Procedure.Pages.WholeResult;
import siemload.scenario.Procedure.Read;
import siemload.scenario.Procedure.Read.Change;
import siemload.scenario.Procedure.Read.Match;
import siemload.scenario.Procedure.Read.Passes;

/**
 * Reads results, search by search, in a declared state of the caches: the whole result, its first page, or page by page.
 *
 * @param changed whether what the store holds is other than when plans were read
 */
record ReadSteps(Procedure procedure, Servers servers, ProcedureContext context, boolean changed) {
    private static final double MILLION = 1e6;
    /** Of each popularity, to choose values from; one in three hot addresses of the shipped data sets is sparse. */
    private static final int DRAWS = 24;
    /** More than are drawn of one search. */
    private static final long MOST_DRAWS = 1_000;

    /** @param searches nothing but for what is chosen by how many events it finds */
    void read(Read read, Optional<Searches> searches) {
        if (!read.matching().isEmpty()) {
            match(read.matching());
            return;
        }
        Searches drawn = searches.orElseThrow();
        for (SearchName name : drawn.asked().searches()) {
            Search search = drawn.search(name, 0);
            if (!read.changes().isEmpty()) {
                read.changes().forEach(change -> follow(search, change));
            } else if (read.values() == Passes.OTHER_VALUES) {
                servers.each(one -> readOthers(drawn, name, one));
            } else {
                servers.eachPass(name.name(), (server, pass, step) -> {
                    TimedSearch unused = read(search, read.count(), pass, asked(step, search), server);
                });
            }
        }
    }

    private Step asked(Step step, Search search) {
        step.search(search).fact("caches", procedure.caches());
        return context.draw().catalog().get(search.name()).draws(CriterionKey.ADDRESSES)
                ? step.fact("listLength", procedure.asked().orElseThrow().listLength())
                : step;
    }

    private TimedSearch read(Search search, Counting counting, int pass, Step step, Servers.One server) {
        TimedSearch timed = server.measure(pass, step, () -> server.read(search));
        double total = timed.lastEventMicros();
        if (counting == Counting.EXACT) {
            long start = System.nanoTime();
            step.figure("matchingEvents", server.count(search));
            double micros = (System.nanoTime() - start) / 1e3;
            total += micros;
            step.figure("countMicros", micros).figure("countFactor", total / timed.lastEventMicros());
        }
        step.figure("totalMicros", total).plan(shape(search, server));
        return timed;
    }

    /** As it was read before all steps, unless the store holds something else by now. */
    private String shape(Search search, Servers.One server) {
        return changed
                ? server.session().expect(search).shape()
                : context.planShapes().getOrDefault(SearchKey.of(search), "");
    }

    /** All passes are one step. */
    private void readOthers(Searches drawn, SearchName name, Servers.One server) {
        server.status("reading " + name);
        Search first = drawn.search(name, 0);
        Step step = asked(server.step(name.name()), first).fact("passes", procedure.passes());
        context.steps().attempt(step, () -> {
            Histogram times = new Histogram(3);
            long rows = 0;
            for (int pass = 0; pass < procedure.passes(); pass++) {
                context.steps().check();
                server.prepare();
                TimedSearch timed = server.read(drawn.search(name, pass));
                times.recordValue(Math.round(timed.lastEventMicros()));
                rows += timed.rows();
            }
            step.percentiles("p", times, 50, 95).figure("rows", rows).plan(shape(first, server));
        });
    }

    /**
     * A search that differs a little from one before it, on the only server. It is asked first of all, and again from the same state of the
     * caches on, after the search that it follows. Every second pass does both the other way around, so that neither gains from being the
     * later one.
     */
    private void follow(Search before, Change change) {
        Servers.One server = servers.first();
        String name = before.name() + " " + Choices.camelCase(change);
        List<Search> found = new ArrayList<>();
        Step none = server.step(name).search(before).failed("no row was found that the search could be narrowed by");
        context.steps().tried(none, () -> after(before, change, server).ifPresent(found::add));
        if (found.isEmpty()) {
            context.steps().add(none);
        }
        for (int turn = 0; turn < 2 * procedure.passes() && !found.isEmpty(); turn++) {
            int pass = turn / 2 + 1;
            boolean isFirst = (turn + pass) % 2 == 1;
            server.status("asking " + name + ", pass " + pass + " of " + procedure.passes());
            context.steps().check();
            server.prepare();
            if (!isFirst) {
                ask(name + " before", before, "before", pass, server);
            }
            ask(name, found.get(0), isFirst ? "first" : "afterwards", pass, server);
        }
    }

    private Optional<Search> after(Search before, Change change, Servers.One server) {
        if (change == Change.WINDOW) {
            return Optional.of(FollowUp.earlier(before));
        }
        List<byte[]> first = new ArrayList<>();
        Search one = before.with(new Page.Numbered(1, 1));
        server.session().search(one, row -> first.add(row.idea().clone()));
        SeededRandom random = SeededRandom.of(context.seed(), 0);
        FollowUp narrowing = new FollowUp(context.draw().catalog());
        return first.stream().findFirst().flatMap(row -> narrowing.narrow(before, row, before.page(), random));
    }

    private void ask(String name, Search search, String asked, int pass, Servers.One server) {
        context.steps().check();
        Step step = asked(server.step(name), search).fact("pass", pass).fact("asked", asked);
        context.steps().attempt(step, () -> {
            TimedSearch unused = server.measure(step, () -> server.read(search));
        });
    }

    /** Whole results of searches that are chosen by how many events they find. */
    private void match(SortedMap<String, Match> matching) {
        context.status("choosing values by how many events have them");
        List<Found> tried = tried(matching.values().stream().map(Match::search).collect(Collectors.toSet()));
        long events = context.source().count();
        matching.forEach((name, wanted) -> {
            List<Found> of = tried.stream()
                    .filter(found -> found.search().name().equals(wanted.search()))
                    .toList();
            List<Found> inClass = of.stream()
                    .filter(found -> wanted.holds(found.matching(), events))
                    .toList();
            servers.eachPass(name, (server, pass, step) -> {
                step.fact("class", name).fact("search", wanted.search());
                if (inClass.isEmpty()) {
                    String give = " (give it another search below matching, or take a larger data set)";
                    List<Long> numbers =
                            of.stream().map(Found::matching).distinct().toList();
                    step.failed("no " + wanted.search() + " that was tried is " + name + ": of " + events
                            + " events they find " + numbers + give);
                } else {
                    readMatched(inClass.get(inClass.size() / 2), pass, step, server);
                }
            });
        });
    }

    private void readMatched(Found found, int pass, Step step, Servers.One server) {
        Search search = found.search();
        TimedSearch timed = read(search, Counting.EXACT, pass, step.search(search), server);
        long counted = (long) step.figure("matchingEvents");
        step.figure("matchesPerMillion", MILLION * counted / context.source().count())
                .figure("matchingEventsPerSecond", timed.rows() / timed.lastEventMicros() * MILLION);
        if (counted != found.matching() || timed.rows() != counted) {
            step.failed(String.format(
                    Locale.ROOT,
                    "%s has %,d matching events in the data set, the server counts %,d and gave %,d rows",
                    search.name(),
                    found.matching(),
                    counted,
                    timed.rows()));
        }
    }

    /** A search, and how many events of the data set it finds. */
    private record Found(Search search, long matching) {}

    /**
     * Searches with values of every popularity, those that find the fewest events first: the events that have them are counted one by one,
     * in one pass over the data set. Every run with the same data set and seed tries the same ones.
     */
    private List<Found> tried(Set<SearchName> names) {
        Window window = new Window(context.draw().dataFirst(), context.source().until());
        Set<Search> searches = new LinkedHashSet<>();
        for (SearchName name : names) {
            long number = name.name().hashCode() * MOST_DRAWS;
            for (Popularity popularity : List.of(Popularity.HOT, Popularity.TYPICAL, Popularity.RARE)) {
                for (int draw = 0; draw < DRAWS; draw++) {
                    DrawRule rule = new DrawRule(popularity, 1, SeededRandom.of(context.seed(), number++));
                    searches.add(context.draw().search(name, rule, window, Order.NEWEST_FIRST, new Page.Whole()));
                }
            }
        }
        Iterator<Long> matching = AnswerCheck.matches(List.copyOf(searches), context.source(), () -> {
                    context.steps().check();
                    return false;
                })
                .iterator();
        return searches.stream()
                .map(search -> new Found(search, matching.next()))
                .sorted(Comparator.comparingLong(Found::matching))
                .toList();
    }

    /** Turns the pages of each search, in each order and with so many values. */
    void turn(Pages pages, Searches searches) {
        for (SearchName name : searches.asked().searches()) {
            // What is summed up has no order of its own.
            boolean isSummary = context.draw().catalog().get(name).summary().isPresent();
            for (Order order : searches.asked().orders().each()) {
                boolean isFirst = order == searches.asked().order();
                for (int draw = 0; draw < pages.draws() && (isFirst || !isSummary); draw++) {
                    String values = pages.draws() > 1 ? " values " + (draw + 1) : "";
                    String title = name + (isFirst ? "" : " oldest first");
                    new Turned(pages, searches.search(name, draw, order), title, values).run();
                }
            }
        }
    }

    /**
     * The pages of one search, by the run's way of paging: single ones, or all from one end to the other. By offset any page can be asked
     * for. By key a page needs the last row of the one before it, and by cursor all pages before it must have been read: what it takes to
     * get there is not measured.
     */
    private final class Turned {
        private final Servers.One server = servers.first();
        private final Pages pages;
        private final Search search;
        private final boolean isSummary;
        private final String name;
        private final String values;
        private final Paging paging = context.variant().paging();
        private final int size = procedure.asked().orElseThrow().pageSize();
        /** With what can be asked for by itself; empty for what is no single page. */
        private final Map<Step, Optional<Search>> steps = new LinkedHashMap<>();
        /** Pages by their numbers; empty where there is none. */
        private final Map<Long, Optional<Search>> asked = new HashMap<>();
        /** Of the whole result; which of listed pages there are shows when they are read. */
        private long rows;

        Turned(Pages pages, Search search, String name, String values) {
            this.pages = pages;
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
                steps.forEach((step, page) -> page.ifPresent(one -> {
                    context.steps().check();
                    step.plan(shapes.computeIfAbsent(
                            one, unread -> server.session().explain(unread).shape()));
                }));
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
                context.steps().check();
                Optional<Search> known = number < end ? asked.computeIfAbsent(number, this::asked) : Optional.empty();
                if (known.isPresent()) {
                    Step step = step("page " + number, pass).fact("depth", number);
                    TimedSearch page = server.measure(pass, step, () -> page(number, known.orElseThrow()));
                    boolean isThere = number == 1 || page.rows() > 0;
                    if (page.rows() < size || isSummary) {
                        end = isThere ? number + 1 : number;
                    }
                    if (isThere) {
                        add(step, known.orElseThrow());
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
                return TimedSearch.read(ordered, reader -> {
                    ResultCursor open = cursor.orElseGet(() -> server.session().open(ordered));
                    cursor = Optional.of(open);
                    open.next(most, reader);
                });
            }

            @Override
            public void close() {
                cursor.ifPresent(ResultCursor::close);
            }
        }

        private void walk(int pass) {
            Search whole = search.with(new Page.Whole());
            boolean readsWhole = pages.whole() == WholeResult.MEASURED;
            server.prepare(pass, () -> readsWhole ? server.read(whole) : turnAll(0));
            if (readsWhole) {
                // First, so that the pages find in memory what it found there, too.
                context.steps().check();
                TimedSearch read = server.read(whole);
                Step step = step("whole", pass).search(whole).timed(read);
                steps.put(step.figure("totalMicros", read.lastEventMicros()), Optional.empty());
            }
            Consumer<Step> blocks = server.countBlocks();
            double[] micros = turnAll(pass);
            Step total = step("total", pass)
                    .figure("totalMicros", DoubleStream.of(micros).sum())
                    .figure("slopeMicrosPerPage", slope(micros))
                    .figure("pages", micros.length);
            steps.put(total, Optional.empty());
            blocks.accept(total);
        }

        /**
         * All pages from one end to the other. From the far end these are by key and by cursor the pages of the result in the other order,
         * the first of which has as many rows as the last page has.
         *
         * @param pass 0 for one of which nothing is added
         * @return the time of each page, in microseconds, by its number
         */
        private double[] turnAll(int pass) {
            boolean back = pages.depths() == Walk.LAST_TO_FIRST;
            boolean turned = back && paging != Paging.OFFSET;
            Search ordered = turned ? search.with(search.order().reversed()) : search;
            int firstSize = turned ? (int) Math.max(1, rows - (count() - 1) * size) : size;
            Page next = new Page.Numbered(firstSize, 1);
            double[] micros = new double[Math.toIntExact(count())];
            try (Opened cursor = new Opened(ordered)) {
                for (int turn = 1; turn <= micros.length; turn++) {
                    int number = back ? micros.length - turn + 1 : turn;
                    Page wanted = paging == Paging.OFFSET ? new Page.Numbered(size, number) : next;
                    Search one = isSummary ? search : ordered.with(wanted);
                    TimedSearch page =
                            paging == Paging.CURSOR ? cursor.next(turn == 1 ? firstSize : size) : server.read(one);
                    context.steps().check();
                    micros[number - 1] = page.lastEventMicros();
                    if (pass > 0) {
                        add(step("page " + number, pass).fact("depth", number).timed(page), one);
                    }
                    next = page.lastKey()
                            .<Page>map(key -> new Page.After(size, key))
                            .orElse(next);
                }
            }
            return micros;
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
