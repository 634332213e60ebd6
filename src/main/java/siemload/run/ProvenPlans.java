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
import siemload.database.SearchException;
import siemload.database.SearchSession;
import siemload.database.SearchSession.Plan;
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
import siemload.results.RunResult.PlanRecord;
import siemload.results.SearchKey;
import siemload.run.procedure.ProcedureContext;
import siemload.scenario.AnalystGroup;
import siemload.scenario.AnalystGroup.ResultReading;
import siemload.scenario.AnalystGroup.Weights;
import siemload.scenario.Procedure;
import siemload.scenario.SearchDraw;
import siemload.scenario.SearchDraw.SamplingRule;

/**
 * The plans of each kind of search of a run, read before the load and again after it. The full plans are files in {@code plans/}. Used by
 * one thread at a time.
 */
final class ProvenPlans {
    private static final int SHOWN = 3;
    private static final String PLANS = "plans";

    private final Bench bench;
    private final Path directory;
    private final Hint hint;
    private final List<Known> known = new ArrayList<>();
    private final Map<SearchKey, Set<String>> statements = new TreeMap<>();
    /** The searches on which the hint had no effect, or whose plan does not show its effect, each with the reason. */
    private final List<String> missed = new ArrayList<>();

    /** One kind of search before the load, with an example of it and the example's plan. */
    private record Known(SearchKey key, Search example, PlanRecord plan) {}

    /**
     * Reads the plans of a run's searches, and makes sure that they follow the hint of the run.
     *
     * @param directory the directory of the run
     * @throws ConfigException if the hint has no effect, or if a layout only for searches lacks a block
     */
    ProvenPlans(Bench bench, Path directory) {
        this.bench = bench;
        this.directory = directory;
        RunPlan plan = bench.plan();
        this.hint = plan.variant().hint();
        Optional<Procedure> procedure = plan.scenario().procedure();
        Map<SearchKey, List<Search>> various =
                procedure.isPresent() ? Map.of() : SearchKinds.various(plan, bench.draw());
        if (plan.asksExisting() && !plan.asksStatements()) {
            Opening.requireAnswerable(plan, bench.store(), various);
        }
        Map<SearchKey, Search> examples = procedure
                .map(steps -> ProcedureContext.examples(
                        steps, bench.draw(), plan.source().until(), plan.seed()))
                .orElseGet(() -> new SearchKinds(plan, bench.draw(), plan.seed(), Optional.empty()).examples);
        bench.host().status("reading the plans of " + examples.size() + " kinds of search");
        try (SearchSession session = bench.store().openSession();
                SessionIo io = new SessionIo(bench.store()::openCounters)) {
            for (Map.Entry<SearchKey, Search> kind : examples.entrySet()) {
                PlanRecord read = read(kind.getKey(), kind.getValue(), session, io);
                known.add(new Known(kind.getKey(), kind.getValue(), read));
            }
            various.forEach((kind, searches) -> nameStatements(kind, searches, session));
        } catch (IOException unwritten) {
            throw CompleteRun.unwritable(plan, directory, unwritten);
        }
        // Only the first few searches are named.
        String shown = String.join("; ", missed.subList(0, Math.min(SHOWN, missed.size())));
        String more = missed.size() <= SHOWN ? "" : "; and on " + (missed.size() - SHOWN) + " more";
        String why = "hint '" + hint.label() + "' had no effect on " + shown + more
                + " (leave the hint out, or the searches)";
        plan.refuseIf(!missed.isEmpty(), Property.HINT, why);
    }

    /**
     * Reads a plan before the load, when nobody else uses the run's tables, and counts what the server reads and writes meanwhile. If the
     * server does not show its counters, only the plan is read; the monitor reports missing counters.
     */
    private PlanRecord read(SearchKey key, Search example, SearchSession session, SessionIo io) throws IOException {
        try {
            io.start(List.of(session));
            Plan plan = session.explain(example);
            List<Io> counted = new ArrayList<>();
            io.sinceStart().ifPresent(told -> counted.addAll(told.io().values()));
            String file = write(key, plan, "");
            hint.missedBy(example, plan).ifPresent(why -> missed.add(key.label() + ": " + why + " (" + file + ")"));
            Optional<Plan.PartitionsRead> partitions = plan.partitions();
            return new PlanRecord(
                    key.kind(),
                    plan.shape(),
                    plan.shape(),
                    file,
                    "",
                    partitions.map(Plan.PartitionsRead::read).orElse(0),
                    partitions.map(Plan.PartitionsRead::all).orElse(0),
                    counted);
        } catch (SearchException failed) {
            String why = String.valueOf(failed.getMessage());
            if (hint != Hint.NONE && Hint.concerns(example)) {
                missed.add(key.label() + ": its plan could not be read: " + why);
            }
            return new PlanRecord(key.kind(), "", "", "", why, 0, 0, List.of());
        }
    }

    /** @return the path of the written file, relative to the directory of the run */
    private String write(SearchKey key, Plan plan, String suffix) throws IOException {
        String name = key.search() + "-" + key.page().label() + "-" + key.order();
        String file = PLANS + "/" + name.toLowerCase(Locale.ROOT).replace('_', '-') + suffix + "." + plan.extension();
        Files.createDirectories(directory.resolve(PLANS));
        Files.writeString(directory.resolve(file), plan.text());
        return file;
    }

    /**
     * Returns the names of each kind's statements in the server's counters. A kind of search has several names if its values are of several
     * kinds, such as IPv4 and IPv6 addresses. Kinds for which the server does not report names are left out.
     */
    Map<SearchKey, Set<String>> statements() {
        return statements;
    }

    /** Notes the names of a kind's statements; there are none if the name of one statement cannot be found. */
    private void nameStatements(SearchKey kind, List<Search> searches, SearchSession session) {
        PageClass page = kind.page();
        boolean byCursor = bench.plan().variant().paging() == Paging.CURSOR
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
            // The names of these statements in the counters stay unknown.
        }
    }

    /** Returns the plan of each kind of search before the load, if the plan could be read. */
    Map<SearchKey, String> shapes() {
        Map<SearchKey, String> shapes = new TreeMap<>();
        known.stream()
                .filter(one -> one.plan.failure().isEmpty())
                .forEach(one -> shapes.put(one.key, one.plan.shape()));
        return shapes;
    }

    /** Returns the plans as they were read before the load. */
    List<PlanRecord> asRead() {
        return known.stream().map(Known::plan).toList();
    }

    /**
     * Returns the plans from before the load with the current plans; if the server is gone, only the earlier plans. A search is executed
     * again only if the plan that the server expects has changed.
     */
    List<PlanRecord> readAgain() {
        List<PlanRecord> now = new ArrayList<>();
        try (SearchSession session = bench.store().openSession()) {
            for (Known one : known) {
                PlanRecord plan = one.plan;
                try {
                    if (plan.failure().isEmpty()
                            && !session.expect(one.example).shape().equals(plan.shape())) {
                        Plan later = session.explain(one.example);
                        if (!later.shape().equals(plan.shape())) {
                            String unused = write(one.key, later, "-at-end");
                            plan = plan.with(later.shape(), plan.file());
                        }
                    }
                } catch (SearchException unseen) {
                    // The earlier plan is reported instead.
                }
                now.add(plan);
            }
            return now;
        } catch (IOException | TargetException unreadable) {
            return asRead();
        }
    }

    /**
     * One example of each kind of search that a scenario sends, with its most frequent values, window and order: plans are shown for these
     * examples. Used by one thread.
     */
    static final class SearchKinds {
        /** The number of examples of each kind: if one search in 20 has some kind of value, 19 of 20 runs include this kind. */
        private static final int VARIOUS = 60;

        private final RunPlan plan;
        private final SearchDraw draw;
        private final long seed;
        private final Optional<SeededRandom> choosing;
        private final Map<SearchKey, Search> examples = new TreeMap<>();

        /** @param choosing chooses values and windows at random; empty for the most frequent ones */
        private SearchKinds(RunPlan plan, SearchDraw draw, long seed, Optional<SeededRandom> choosing) {
            this.plan = plan;
            this.draw = draw;
            this.seed = seed;
            this.choosing = choosing;
            plan.scenario().analysts().forEach(this::add);
        }

        /**
         * Returns several searches of each kind that the scenario can send: with values and windows of all kinds, and with the criteria in
         * the order of a follow-up.
         */
        static Map<SearchKey, List<Search>> various(RunPlan plan, SearchDraw draw) {
            Map<SearchKey, List<Search>> various = new TreeMap<>();
            for (int n = 0; n < VARIOUS; n++) {
                SeededRandom random = SeededRandom.of(plan.seed(), n);
                new SearchKinds(plan, draw, random.nextLong(), Optional.of(random)).examples.forEach((kind, search) -> {
                    List<Criterion> turned = new ArrayList<>(search.criteria());
                    Collections.reverse(turned);
                    various.computeIfAbsent(kind, unused -> new ArrayList<>())
                            .addAll(List.of(search, search.with(turned)));
                });
            }
            return various;
        }

        /** Adds the searches of the mix, and the narrower searches that can follow them, in each order. */
        private void add(AnalystGroup group) {
            Set<SearchName> names = new LinkedHashSet<>();
            Deque<SearchName> next = new ArrayDeque<>(group.searched().mix().possible());
            while (!next.isEmpty()) {
                SearchName name = next.remove();
                if (names.add(name) && group.searched().followUpRatio() > 0) {
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
            if (!(group.searched().reading() instanceof ResultReading.Paged paged)) {
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
            SamplingRule rule = new SamplingRule(
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
