package siemload.run.procedure;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
import siemload.config.Choices;
import siemload.config.DaemonThread;
import siemload.database.SearchException;
import siemload.database.SearchSession;
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
import siemload.run.answers.RowSum;
import siemload.run.procedure.ProcedureContext.Searches;
import siemload.run.procedure.Servers.TimedSearch;
import siemload.run.procedure.StepLog.Step;
import siemload.scenario.Procedure;
import siemload.scenario.Procedure.Depths;
import siemload.scenario.Procedure.Pages;
import siemload.scenario.Procedure.Read;
import siemload.scenario.SearchDraw.FollowUp;
import siemload.scenario.SearchDraw.SamplingRule;

/**
 * Reads results in a declared state of the caches: the whole result of each search, its first page, or page by page; or jobs of many
 * searches.
 *
 * @param changed whether the contents of the store have changed since plans were read
 */
record ReadSteps(Procedure procedure, Servers servers, ProcedureContext context, boolean changed) {
    /** The number of values of each popularity to choose from; one in three hot addresses of the shipped data sets is sparse. */
    private static final int DRAWS = 24;
    /** The distance between the first random numbers of two searches: more than one search draws. */
    private static final long MOST_DRAWS = 1_000;

    /** @param searches required, unless searches are chosen by their number of events */
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
            } else if (read.values() == Read.Passes.OTHER_VALUES) {
                servers.each(one -> readOthers(drawn, name, one));
            } else {
                servers.eachPass(
                        name.name(),
                        (server, pass, step) -> read(search, read.count(), pass, asked(step, search), server));
            }
        }
    }

    private Step asked(Step step, Search search) {
        step.search(search).fact("caches", procedure.caches());
        return context.draw().catalog().get(search.name()).draws(CriterionKey.ADDRESSES)
                ? step.fact("listLength", procedure.asked().orElseThrow().listLength())
                : step;
    }

    private TimedSearch read(Search search, Procedure.Counting counting, int pass, Step step, Servers.One server) {
        TimedSearch timed = server.measure(pass, step, () -> server.read(search));
        double total = timed.lastEventMicros();
        if (counting == Procedure.Counting.EXACT) {
            long start = System.nanoTime();
            step.figure("matchingEvents", server.session().count(search));
            double micros = (System.nanoTime() - start) / 1e3;
            total += micros;
            step.figure("countMicros", micros).figure("countFactor", total / timed.lastEventMicros());
        }
        step.figure("totalMicros", total).plan(shape(search, server));
        return timed;
    }

    /** Returns the plan read before all steps or, if the contents of the store have changed, the current plan. */
    private String shape(Search search, Servers.One server) {
        return changed
                ? server.session().expect(search).shape()
                : context.planShapes().getOrDefault(SearchKey.of(search), "");
    }

    /** Reads a search with other values in each pass; all passes are one step. */
    private void readOthers(Searches drawn, SearchName name, Servers.One server) {
        server.status("reading " + name);
        Search first = drawn.search(name, 0);
        Step step = asked(server.step(name.name()), first).fact("passes", procedure.passes());
        context.steps().attempt(step, () -> {
            Histogram times = new Histogram(3);
            long rows = 0;
            for (int pass = 0; pass < procedure.passes(); pass++) {
                server.prepare();
                TimedSearch timed = server.read(drawn.search(name, pass));
                times.recordValue(Math.round(timed.lastEventMicros()));
                rows += timed.rows();
            }
            step.percentiles("p", times, 50, 95).figure("rows", rows).plan(shape(first, server));
        });
    }

    /**
     * Measures a search that differs a little from the search before, on the only server. It runs once without that search and once right
     * after it, each time from the same state of the caches. Every second pass swaps these two, so that neither gains from being later.
     */
    private void follow(Search before, Read.Change change) {
        Servers.One server = servers.all().get(0);
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
            server.prepare();
            if (!isFirst) {
                ask(name + " before", before, "before", pass, server);
            }
            ask(name, found.get(0), isFirst ? "first" : "afterwards", pass, server);
        }
    }

    private Optional<Search> after(Search before, Read.Change change, Servers.One server) {
        if (change == Read.Change.WINDOW) {
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
        Step step = asked(server.step(name), search).fact("pass", pass).fact("asked", asked);
        context.steps().attempt(step, () -> server.measure(step, () -> server.read(search)));
    }

    /** Reads whole results of searches that are chosen by their number of events. */
    private void match(SortedMap<String, Read.Match> matching) {
        context.status("choosing values by how many events have them");
        List<Found> tried =
                tried(matching.values().stream().map(Read.Match::search).collect(Collectors.toSet()));
        long events = context.source().count();
        matching.forEach((name, wanted) -> {
            List<Found> of = new ArrayList<>(tried);
            of.removeIf(found -> !found.search().name().equals(wanted.search()));
            List<Found> inClass = new ArrayList<>(of);
            inClass.removeIf(found -> !wanted.holds(found.matching(), events));
            servers.eachPass(name, (server, pass, step) -> {
                step.fact("class", name).fact("search", wanted.search());
                if (inClass.isEmpty()) {
                    Set<Long> numbers = of.stream().map(Found::matching).collect(Collectors.toCollection(TreeSet::new));
                    step.failed("none of the " + wanted.search() + " searches tried is " + name + ": of " + events
                            + " events they find " + numbers
                            + " (give it another search below matching, or take a larger data set)");
                } else {
                    readMatched(inClass.get(inClass.size() / 2), pass, step, server);
                }
            });
        });
    }

    private void readMatched(Found found, int pass, Step step, Servers.One server) {
        Search search = found.search();
        TimedSearch timed = read(search, Procedure.Counting.EXACT, pass, step.search(search), server);
        long counted = (long) step.figure("matchingEvents");
        step.figure("matchingEventsPerSecond", timed.rows() / timed.lastEventMicros() * 1e6);
        if (counted != found.matching() || timed.rows() != counted) {
            step.failed(search.name() + " has " + found.matching() + " matching events in the data set, but"
                    + " the server counted " + counted + " and returned " + timed.rows() + " rows");
        }
    }

    /** A search, and how many events of the data set it finds. */
    private record Found(Search search, long matching) {}

    /**
     * Returns searches with hot, typical and rare values, those with the fewest events first: their events are counted one by one, in one
     * pass over the data set. Every run with the same data set and seed tries the same searches.
     */
    private List<Found> tried(Set<SearchName> names) {
        Window window = new Window(context.draw().dataFirst(), context.source().until());
        Set<Search> searches = new LinkedHashSet<>();
        for (SearchName name : names) {
            long number = name.name().hashCode() * MOST_DRAWS;
            for (Popularity popularity : List.of(Popularity.HOT, Popularity.TYPICAL, Popularity.RARE)) {
                for (int draw = 0; draw < DRAWS; draw++) {
                    SamplingRule rule = new SamplingRule(popularity, 1, SeededRandom.of(context.seed(), number++));
                    searches.add(context.draw().search(name, rule, window, Order.NEWEST_FIRST, new Page.Whole()));
                }
            }
        }
        List<Search> all = List.copyOf(searches);
        List<Long> matching = AnswerCheck.matches(all, context.source(), context.steps()::isInterrupted);
        return IntStream.range(0, all.size())
                .mapToObj(search -> new Found(all.get(search), matching.get(search)))
                .sorted(Comparator.comparingLong(Found::matching))
                .toList();
    }

    /** A processed item: its times in seconds since its job began, and the failure of its first failed search. */
    private record Item(
            int number, double start, double end, int failed, long rows, String hash, Optional<String> failure) {}

    /** Submits jobs of many items one after the other; the sessions of all servers process the items. */
    void work(Procedure.Items items, Searches searches) {
        // All sessions are open before the first job, so that its time does not include connecting.
        servers.all().forEach(server -> server.sessions(items.inFlight()));
        int jobs = procedure.passes() * items.levels().size();
        for (int number = 1; number <= jobs; number++) {
            context.steps().check();
            int level = items.levels().get((number - 1) % items.levels().size());
            int places = procedure.servers() * items.inFlight();
            context.status("job %d of %d, of size %,d, at most %d items at once", number, jobs, level, places);
            Step step = new Step("job of " + level + (level == 1 ? " item" : " items"));
            step.fact("job", number).fact("pass", (number - 1) / items.levels().size() + 1);
            submit(items, searches, level, step);
        }
    }

    private void submit(Procedure.Items items, Searches searches, int level, Step step) {
        servers.all().forEach(server -> server.io.start(server.sessions(items.inFlight())));
        OptionalLong cpuBefore = context.cpu().get();
        Queue<Item> done = new ConcurrentLinkedQueue<>();
        AtomicInteger next = new AtomicInteger(1);
        long start = System.nanoTime();
        List<Runnable> work = new ArrayList<>();
        // The first session of each server comes before any second session, so that servers share small jobs as well.
        for (int place = 0; place < items.inFlight(); place++) {
            for (Servers.One server : servers.all()) {
                SearchSession session = server.sessions(items.inFlight()).get(place);
                work.add(() -> IntStream.generate(next::getAndIncrement)
                        .takeWhile(item -> item <= level && !context.steps().isInterrupted())
                        .forEach(item -> done.add(work(items, searches, item, session, start))));
            }
        }
        DaemonThread.await(DaemonThread.start("siemload-job", work));
        OptionalLong cpuAfter = context.cpu().get();
        if (cpuBefore.isPresent() && cpuAfter.isPresent()) {
            double seconds = Math.max(0, cpuAfter.getAsLong() - cpuBefore.getAsLong()) / 1e9;
            step.figure("databaseCpuSeconds", seconds)
                    .figure("databaseCpuSecondsPerServer", seconds / procedure.servers());
        }
        tell(items, step, level, done);
        if (context.steps().isInterrupted()) {
            long good = done.stream().filter(item -> item.failed() == 0).count();
            step.fact("interrupted", "after " + good + " of " + level + " items");
        } else {
            // The counts are the sum of all servers; empty unless all of them report counts.
            step.readAndWritten(servers.all().stream()
                    .map(server -> server.io.sinceStart())
                    .reduce((some, others) -> some.flatMap(one -> others.map(one::plus)))
                    .orElseThrow());
        }
        context.steps().add(step);
        context.steps().check();
    }

    /**
     * Processes an item. An item has the same searches in every run and at every level; the kinds of searches take turns. A failed search
     * does not stop the next ones: an auditor wants every answer that is available.
     */
    private Item work(Procedure.Items items, Searches searches, int item, SearchSession session, long jobStart) {
        List<SearchName> names = searches.asked().searches();
        RowSum hash = new RowSum();
        Optional<String> failure = Optional.empty();
        int ok = 0;
        long rows = 0;
        double start = (System.nanoTime() - jobStart) / 1e9;
        for (int one = 0; one < items.itemSearches() && !context.steps().isInterrupted(); one++) {
            try {
                int draw = (item - 1) * items.itemSearches() + one;
                Search search = searches.search(names.get(one % names.size()), draw);
                TimedSearch read = TimedSearch.read(search, session);
                hash.add(read.answersHash(), Order.NEWEST_FIRST);
                rows += read.rows();
                ok++;
            } catch (SearchException thrown) {
                failure = failure.or(() -> Optional.of(String.valueOf(thrown.getMessage())));
            }
        }
        double end = (System.nanoTime() - jobStart) / 1e9;
        return new Item(item, start, end, items.itemSearches() - ok, rows, hash.hex(), failure);
    }

    /**
     * Adds the measurements of a job. Failed items make the run not valid; if all items failed, nothing was measured. Answers can be
     * compared only without failures. The job's steady part begins when all places are taken, and ends when the last item is started: in
     * between, the next item takes the place of each item that ends. Items that are only partly within this time count in proportion:
     * otherwise a job would seem slower because of its last items.
     */
    private void tell(Procedure.Items items, Step step, int level, Collection<Item> done) {
        double[] starts = done.stream().mapToDouble(Item::start).sorted().toArray();
        double[] ends = done.stream().mapToDouble(Item::end).sorted().toArray();
        double seconds = done.isEmpty() ? 0 : ends[ends.length - 1];
        double lastStart = done.isEmpty() ? 0 : starts[starts.length - 1];
        double from = lastStart;
        int most = 0;
        for (int i = 0, ended = 0; i < starts.length; i++) {
            while (ended < i && ends[ended] <= starts[i]) {
                ended++;
            }
            most = Math.max(most, i + 1 - ended);
            from = i + 1 - ended == procedure.servers() * items.inFlight() ? Math.min(from, starts[i]) : from;
        }
        Histogram times = new Histogram(3);
        RowSum answers = new RowSum();
        done.forEach(item -> times.recordValue(Math.round((item.end() - item.start()) * 1e6)));
        done.forEach(item -> answers.add(item.number() + " " + item.hash(), Order.UNSORTED));
        long failed = done.stream().mapToLong(Item::failed).sum();
        long failedItems = done.stream().filter(item -> item.failed() > 0).count();
        double answered = (double) done.size() * items.itemSearches() - failed;
        step.fact("level", level)
                .fact("servers", procedure.servers())
                .fact("inFlight", items.inFlight())
                .fact("itemSearches", items.itemSearches())
                .figure("seconds", seconds)
                .figure("rampUpSeconds", from)
                .figure("tailSeconds", Math.max(0, seconds - lastStart))
                .figure("items", done.size())
                .figure("itemsPerMinute", seconds == 0 ? 0 : done.size() / seconds * 60)
                .figure("searchesPerSecond", seconds == 0 ? 0 : answered / seconds)
                .figure("rows", done.stream().mapToLong(Item::rows).sum())
                .percentiles("itemP", times, 50, 95)
                .figure("mostInFlight", most)
                .figure("failedItems", failedItems)
                .figure("failedSearches", failed);
        double steady = lastStart - from;
        if (steady > 0) {
            double begin = from;
            double within = done.stream()
                    .filter(item -> item.end() > begin && item.start() < lastStart)
                    .mapToDouble(item -> (Math.min(lastStart, item.end()) - Math.max(begin, item.start()))
                            / (item.end() - item.start()))
                    .sum();
            step.figure("steadySeconds", steady).figure("steadyItemsPerMinute", within / steady * 60);
        }
        Optional<String> first =
                done.stream().flatMap(item -> item.failure().stream()).findFirst();
        first.ifPresent(why -> step.fact("firstFailure", why));
        if (failedItems == level) {
            step.failed("all " + level + " items failed, the first one with: " + first.orElse("its end"));
        } else if (failedItems == 0 && done.size() == level) {
            step.fact("answersHash", answers.hex());
        }
    }

    /** Turns the pages of each search, in each order and with each draw of values. */
    void turn(Pages pages, Searches searches) {
        for (SearchName name : searches.asked().searches()) {
            // A summary has no order of its own.
            boolean isSummary = context.draw().catalog().get(name).summary().isPresent();
            for (Order order : searches.asked().orders()) {
                boolean isFirst = order == searches.asked().order();
                for (int draw = 0; draw < pages.draws() && (isFirst || !isSummary); draw++) {
                    String words = order.name().toLowerCase(Locale.ROOT).replace('_', ' ');
                    String title = name + (isFirst ? " %s" : " " + words + " %s");
                    String values = pages.draws() > 1 ? " values " + (draw + 1) : "";
                    new Turned(pages, searches.search(name, draw, order), title + values).run();
                }
            }
        }
    }

    /**
     * The pages of one search, read by the run's way of paging: single pages, or all from one end to the other. Paging by offset can read
     * any page. Paging by key needs the last row of the previous page, paging by cursor all previous pages: reading these is not measured.
     */
    private final class Turned {
        private final Servers.One server = servers.all().get(0);
        private final Pages pages;
        private final Search search;
        private final boolean isSummary;
        /** The title of the steps, with a place for the part that is read. */
        private final String title;

        private final Paging paging = context.variant().paging();
        private final int size = procedure.asked().orElseThrow().pageSize();
        /** The steps, each with the search whose plan is read; empty if no single search has the step's plan. */
        private final Map<Step, Optional<Search>> steps = new LinkedHashMap<>();
        /** The listed pages by their numbers; a page that does not exist is empty. */
        private final Map<Long, Optional<Search>> asked = new HashMap<>();
        /** The number of rows of the whole result; 0 for listed pages, since reading them shows which pages exist. */
        private long rows;

        Turned(Pages pages, Search search, String title) {
            this.pages = pages;
            this.search = search;
            this.isSummary = search.summary().isPresent();
            this.title = title;
        }

        /** Makes all passes. Plans are read after the passes, since reading a plan executes its page once more. */
        void run() {
            try {
                rows = pages.depths() instanceof Depths.Listed
                        ? 0
                        : server.session().count(search);
                for (int pass = 1; pass <= procedure.passes(); pass++) {
                    context.steps().check();
                    context.status("turning " + title + ", pass %d of %d", "pages", pass, procedure.passes());
                    if (pages.depths() instanceof Depths.Listed listed) {
                        listed(listed, pass);
                    } else if (pages.depths() == Depths.Walk.LAST) {
                        Search last = search.with(paging.lastPage(size, rows));
                        Step step = step("last page", pass).fact("depth", Paging.pages(size, rows));
                        server.measure(pass, step, () -> server.read(last));
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
                Step failed = new Step(title.replace("%s", "pages")).search(search);
                steps.put(failed.failed(String.valueOf(failure.getMessage())), Optional.empty());
            } finally {
                steps.keySet().forEach(context.steps()::add);
            }
        }

        private Step step(String page, int pass) {
            return new Step(title.replace("%s", page))
                    .search(search)
                    .fact("caches", procedure.caches())
                    .fact("paging", paging.label())
                    .fact("pass", pass);
        }

        /**
         * Adds a page with its search. With paging by key, pages from the far end are those of the result in the other order, and a single
         * page has another plan. With paging by cursor, a page has no search of its own.
         */
        private void add(Step step, Search page) {
            boolean isFromFarEnd = pages.depths() == Depths.Walk.LAST_TO_FIRST || pages.depths() == Depths.Walk.LAST;
            boolean hasPlan = paging == Paging.OFFSET || (paging == Paging.KEYSET && !isFromFarEnd);
            steps.put(step, hasPlan && !isSummary ? Optional.of(page) : Optional.empty());
        }

        private void listed(Depths.Listed wanted, int pass) {
            long end = Long.MAX_VALUE;
            for (long number : wanted.numbers()) {
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

        /** Returns a single page; with paging by key it starts after the last row of the previous page, and needs that row to exist. */
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
            List<SearchSession.ResultCursor> open = new ArrayList<>();
            try {
                for (long before = 1; before < number; before++) {
                    next(search, size, open);
                }
                return next(search, size, open);
            } finally {
                open.forEach(SearchSession.ResultCursor::close);
            }
        }

        /** Reads the next page by a cursor; opening the cursor counts as part of the first page. */
        private TimedSearch next(Search ordered, int most, List<SearchSession.ResultCursor> open) {
            return TimedSearch.read(ordered, reader -> {
                if (open.isEmpty()) {
                    open.add(server.session().open(ordered));
                }
                open.get(0).next(most, reader);
            });
        }

        private void walk(int pass) {
            Search whole = search.with(new Page.Whole());
            boolean readsWhole = pages.whole() == Pages.WholeResult.MEASURED;
            server.prepare(pass, () -> readsWhole ? server.read(whole) : turnAll(0));
            if (readsWhole) {
                // The whole result is read first, so that the pages of each pass find the same data in memory.
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
         * Reads all pages from one end to the other. From the far end, paging by key or cursor reads the result in the other order, and the
         * first page read has as many rows as the last page.
         *
         * @param pass 0 for a pass that is not measured
         * @return the time of each page, in microseconds, by its number
         */
        private double[] turnAll(int pass) {
            boolean back = pages.depths() == Depths.Walk.LAST_TO_FIRST;
            boolean turned = back && paging != Paging.OFFSET;
            Search ordered = turned ? search.with(search.order().reversed()) : search;
            // There is at least 1 page: an empty result has an empty page.
            double[] micros = new double[Math.toIntExact(Paging.pages(size, rows))];
            int firstSize = turned ? (int) Math.max(1, rows - (micros.length - 1L) * size) : size;
            Page next = new Page.Numbered(firstSize, 1);
            List<SearchSession.ResultCursor> open = new ArrayList<>();
            try {
                for (int turn = 1; turn <= micros.length; turn++) {
                    int number = back ? micros.length - turn + 1 : turn;
                    Page wanted = paging == Paging.OFFSET ? new Page.Numbered(size, number) : next;
                    Search one = isSummary ? search : ordered.with(wanted);
                    TimedSearch page = paging == Paging.CURSOR
                            ? next(ordered, turn == 1 ? firstSize : size, open)
                            : server.read(one);
                    context.steps().check();
                    micros[number - 1] = page.lastEventMicros();
                    if (pass > 0) {
                        add(step("page " + number, pass).fact("depth", number).timed(page), one);
                    }
                    next = page.lastKey()
                            .<Page>map(key -> new Page.After(size, key))
                            .orElse(next);
                }
            } finally {
                open.forEach(SearchSession.ResultCursor::close);
            }
            return micros;
        }
    }

    /**
     * Returns how the time of a page grows with its number: the slope of the least-squares line; 0 for one page.
     *
     * @param micros the times of page 1 and the following pages
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
