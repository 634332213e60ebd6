package siemload.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import siemload.config.ConfigException;
import siemload.config.Property;
import siemload.database.Counters.Io;
import siemload.database.Hint;
import siemload.database.Plan;
import siemload.database.SearchException;
import siemload.database.SearchSession;
import siemload.database.TargetException;
import siemload.dataset.SeededRandom;
import siemload.measure.monitor.SessionIo;
import siemload.query.Criterion;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.PageClass;
import siemload.query.PageKey;
import siemload.query.Paging;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.query.Window;
import siemload.results.RunResult;
import siemload.results.SearchKey;
import siemload.scenario.AnalystGroup;
import siemload.scenario.DrawRule;
import siemload.scenario.ResultReading;
import siemload.scenario.SearchDraw;
import siemload.scenario.Weights;

/**
 * How the server goes about each kind of search of a run, read before the load and again after it, and whether it follows the hint. The
 * full plans are files in {@code plans/}. Used by one thread at a time.
 */
final class ProvenPlans {
    private static final int SHOWN = 3;

    private final RunSetup setup;
    private final Path directory;
    private final Hint hint;
    private final Map<SearchKey, Entry> entries = new TreeMap<>();
    private final Map<SearchKey, Set<String>> statements = new TreeMap<>();

    ProvenPlans(RunSetup setup) {
        this.setup = setup;
        this.directory = setup.path().resolve("plans");
        this.hint = setup.plan().variant().hint();
    }

    /**
     * What is known of one kind of search.
     *
     * @param before its plan; empty if the search failed
     * @param failure why there is none; empty if there is one
     * @param io what the server read and wrote for it, by purpose; empty where it does not tell
     */
    private record Entry(Search example, Optional<Plan> before, String failure, Path file, List<Io> io) {
        /** The plan, reduced to what can be compared. */
        String shape() {
            return before.map(Plan::shape).orElse("");
        }
    }

    /**
     * Reads how the server goes about the searches, and makes sure that it follows the hint of the run.
     *
     * @param examples one search of each kind
     * @param various several searches of each kind, to learn their statements
     * @throws ConfigException if the hint takes no effect
     */
    void prove(Map<SearchKey, Search> examples, Map<SearchKey, List<Search>> various) {
        setup.host().status("reading the plans of " + examples.size() + " kinds of search");
        try (SearchSession session = setup.bench().store().openSession();
                SessionIo io = new SessionIo(() -> setup.bench().store().openCounters())) {
            for (Map.Entry<SearchKey, Search> kind : examples.entrySet()) {
                entries.put(kind.getKey(), read(kind.getKey(), kind.getValue(), session, io));
            }
            various.forEach((kind, searches) -> nameStatements(kind, searches, session));
        } catch (IOException unwritten) {
            throw new ConfigException(
                    setup.origin(Property.RESULTS),
                    "the plans cannot be written to " + setup.path() + ": " + unwritten);
        }
        setup.host().status("");
        if (hint != Hint.NONE) {
            requireHint();
        }
    }

    /**
     * Reads a plan before the load, and what the server reads and writes meanwhile: nobody else works with the run's tables. A server that
     * does not let us see its counters, which the monitor of the run says, answers searches all the same.
     */
    private Entry read(SearchKey key, Search example, SearchSession session, SessionIo io) throws IOException {
        try {
            io.start(List.of(session));
            Plan plan = session.explain(example);
            List<Io> counted = new ArrayList<>();
            io.sinceStart().ifPresent(told -> counted.addAll(told.io().values()));
            return new Entry(example, Optional.of(plan), "", write(key, plan, ""), counted);
        } catch (SearchException failed) {
            return new Entry(example, Optional.empty(), String.valueOf(failed.getMessage()), directory, List.of());
        }
    }

    private Path write(SearchKey key, Plan plan, String suffix) throws IOException {
        Files.createDirectories(directory);
        String name = key.search() + "-" + key.page().label() + "-" + key.order();
        String file = name.toLowerCase(Locale.ROOT).replace('_', '-') + suffix + "."
                + plan.extension();
        return Files.writeString(directory.resolve(file), plan.text());
    }

    /** Of the searches on which the hint took no effect, or whose plan does not show whether it did, the first few stand for all. */
    private void requireHint() {
        List<String> missed = new ArrayList<>();
        entries.forEach((key, entry) -> {
            Optional<String> unread = Optional.of("its plan could not be read: " + entry.failure())
                    .filter(unseen -> Hint.concerns(entry.example()));
            Optional<String> why = entry.before().isEmpty()
                    ? unread
                    : hint.missedBy(entry.example(), entry.before().orElseThrow());
            why.ifPresent(reason -> missed.add(key.label() + ": " + reason + " (" + entry.file() + ")"));
        });
        if (!missed.isEmpty()) {
            String shown = String.join("; ", missed.subList(0, Math.min(SHOWN, missed.size())));
            String more = missed.size() <= SHOWN ? "" : "; and on " + (missed.size() - SHOWN) + " more";
            throw new ConfigException(
                    setup.origin(Property.HINT),
                    "hint '" + hint.label() + "' took no effect on " + shown + more
                            + " (leave the hint out, or the searches)");
        }
    }

    /**
     * What the server calls the statements of each kind of search: a kind has several where values are of several kinds, such as
     * addresses of both families. Without the kinds whose statements the server does not tell.
     */
    Map<SearchKey, Set<String>> statements() {
        return Collections.unmodifiableMap(statements);
    }

    /** A kind of which one search cannot be asked for has none. */
    private void nameStatements(SearchKey kind, List<Search> searches, SearchSession session) {
        PageClass page = kind.page();
        boolean byCursor = setup.plan().variant().paging() == Paging.CURSOR
                && (page == PageClass.FIRST || page == PageClass.DEEPER);
        try {
            Set<String> names = new LinkedHashSet<>();
            for (Search search : searches) {
                (byCursor ? session.statementOfCursors() : session.statement(search, page)).ifPresent(names::add);
            }
            if (!names.isEmpty()) {
                statements.put(kind, names);
            }
        } catch (SearchException unknown) {
            // Nobody knows what the server calls them.
        }
    }

    /** How the server went about each kind of search before the load, as far as it tells. */
    Map<SearchKey, String> shapes() {
        Map<SearchKey, String> shapes = new TreeMap<>();
        entries.forEach((key, entry) -> entry.before().ifPresent(plan -> shapes.put(key, plan.shape())));
        return shapes;
    }

    /** The plans as they were read before. */
    List<RunResult.PlanRecord> asRead() {
        return records(Map.of());
    }

    /**
     * The plans from before the load beside those of now, for which those that are still the same are not executed; where the server is
     * gone, those from before alone.
     */
    List<RunResult.PlanRecord> readAgain() {
        Map<SearchKey, String> now = new TreeMap<>();
        try (SearchSession session = setup.bench().store().openSession()) {
            for (Map.Entry<SearchKey, Entry> kind : entries.entrySet()) {
                now.put(kind.getKey(), shapeNow(kind.getKey(), kind.getValue(), session));
            }
            return records(now);
        } catch (IOException | TargetException unreadable) {
            return asRead();
        }
    }

    /** A search is not executed as long as its plan seems to be the same. */
    private String shapeNow(SearchKey key, Entry entry, SearchSession session) throws IOException {
        String before = entry.shape();
        try {
            if (entry.before().isPresent()
                    && !session.expect(entry.example()).shape().equals(before)) {
                Plan plan = session.explain(entry.example());
                if (!plan.shape().equals(before)) {
                    Path unused = write(key, plan, "-at-end");
                }
                return plan.shape();
            }
        } catch (SearchException unseen) {
            // That of before is told.
        }
        return before;
    }

    private List<RunResult.PlanRecord> records(Map<SearchKey, String> shapesNow) {
        List<RunResult.PlanRecord> records = new ArrayList<>();
        entries.forEach((key, entry) -> {
            Optional<Plan.PartitionsRead> partitions = entry.before().flatMap(Plan::partitions);
            records.add(new RunResult.PlanRecord(
                    key.kind(),
                    entry.shape(),
                    shapesNow.getOrDefault(key, entry.shape()),
                    entry.before().isPresent() ? "plans/" + entry.file().getFileName() : "",
                    entry.failure(),
                    partitions.map(Plan.PartitionsRead::read).orElse(0),
                    partitions.map(Plan.PartitionsRead::all).orElse(0),
                    entry.io()));
        });
        return records;
    }

    /**
     * One example of each kind of search that a scenario sends, with the values, the window and the order that are the most
     * frequent in it: what plans are shown for. Used by one thread.
     */
    static final class SearchKinds {
        /** Of each kind: enough to meet a kind of value that one search in twenty has in nineteen of twenty runs. */
        private static final int VARIOUS = 60;

        private final RunPlan plan;
        private final SearchDraw draw;
        private final long seed;
        private final Map<SearchKey, Search> examples = new TreeMap<>();
        private Optional<SeededRandom> choosing = Optional.empty();

        private SearchKinds(RunPlan plan, SearchDraw draw, long seed) {
            this.plan = plan;
            this.draw = draw;
            this.seed = seed;
        }

        /** One search of each kind. */
        static Map<SearchKey, Search> of(RunPlan plan, SearchDraw draw) {
            SearchKinds kinds = new SearchKinds(plan, draw, plan.seed());
            plan.scenario().analysts().forEach(kinds::add);
            return kinds.examples;
        }

        /**
         * Several searches of each kind that the scenario can send: with values and windows of all kinds, and with the conditions in
         * the order in which a follow-up has them.
         */
        static Map<SearchKey, List<Search>> various(RunPlan plan, SearchDraw draw) {
            Map<SearchKey, List<Search>> various = new TreeMap<>();
            for (int n = 0; n < VARIOUS; n++) {
                SeededRandom random = SeededRandom.of(plan.seed(), n);
                SearchKinds kinds = new SearchKinds(plan, draw, random.nextLong());
                kinds.choosing = Optional.of(random);
                plan.scenario().analysts().forEach(kinds::add);
                kinds.examples.forEach((kind, search) -> {
                    List<Search> all = various.computeIfAbsent(kind, unused -> new ArrayList<>());
                    all.add(search);
                    List<Criterion> turned = new ArrayList<>(search.criteria());
                    Collections.reverse(turned);
                    all.add(search.with(turned));
                });
            }
            return various;
        }

        /** The searches of the mix, and those that they can be narrowed to, in each order. */
        private void add(AnalystGroup group) {
            Set<SearchName> names = new LinkedHashSet<>();
            Deque<SearchName> next = new ArrayDeque<>(group.searched().mix().possible());
            while (!next.isEmpty()) {
                SearchName name = next.remove();
                if (names.add(name) && group.followUpRatio() > 0) {
                    next.addAll(draw.catalog().get(name).refinements());
                }
            }
            for (SearchName name : names) {
                for (Order order : group.searched().orders().possible()) {
                    add(group, name, order);
                }
            }
        }

        private void add(AnalystGroup group, SearchName name, Order order) {
            if (!(group.reading() instanceof ResultReading.Paged paged)) {
                put(example(group, name, order, new Page.Whole()));
                return;
            }
            Search first = example(group, name, order, new Page.Numbered(paged.size(), 1));
            put(first);
            boolean turned = !name.equals(SearchName.DETAIL) && first.summary().isEmpty();
            if (paged.deeperRatio() > 0 && paged.maximum() > 1 && turned) {
                Window window = first.window();
                Duration half = Duration.between(window.from(), window.until()).dividedBy(2);
                PageKey middle = new PageKey(window.from().plus(half), "");
                put(first.with(plan.variant().paging().page(paged.size(), 2, () -> middle)));
            }
            if (choosing.isPresent() && turned) {
                put(first.with(new Page.Last(paged.size())));
                examples.putIfAbsent(new SearchKey(name, PageClass.COUNT, first.order()), first);
            }
        }

        private Search example(AnalystGroup group, SearchName name, Order order, Page page) {
            Instant until = plan.source().until();
            Window window = chosen(group.searched().windows()).window(draw.dataFirst(), until);
            SeededRandom random = SeededRandom.of(seed, examples.size());
            DrawRule rule = new DrawRule(
                    chosen(group.searched().values()), group.searched().listLength(), random);
            return draw.search(name, rule, window, order, page);
        }

        private <T> T chosen(Weights<T> weights) {
            return choosing.map(random -> weights.at(random.nextDouble())).orElseGet(weights::heaviest);
        }

        private void put(Search search) {
            examples.putIfAbsent(SearchKey.of(search), search);
        }
    }
}
