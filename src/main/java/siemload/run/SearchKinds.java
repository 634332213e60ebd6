package siemload.run;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import siemload.dataset.SeededRandom;
import siemload.query.Criterion;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.PageClass;
import siemload.query.PageKey;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.query.Window;
import siemload.results.SearchKey;
import siemload.scenario.AnalystGroup;
import siemload.scenario.DrawRule;
import siemload.scenario.ResultReading;
import siemload.scenario.SearchDraw;
import siemload.scenario.Weights;

/**
 * One example of each kind of search that a scenario sends, with the values, the window and the order that are the most
 * frequent in it: what plans are shown for. Used by one thread.
 */
final class SearchKinds {
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
                all.add(turned(search));
            });
        }
        return various;
    }

    private static Search turned(Search search) {
        List<Criterion> criteria = new ArrayList<>(search.criteria());
        Collections.reverse(criteria);
        return search.with(criteria);
    }

    private void add(AnalystGroup group) {
        for (SearchName name : names(group)) {
            for (Order order : group.searched().orders().possible()) {
                add(group, name, order);
            }
        }
    }

    /** The searches of the mix, and those that they can be narrowed to. */
    private Set<SearchName> names(AnalystGroup group) {
        Set<SearchName> names = new LinkedHashSet<>();
        Deque<SearchName> next = new ArrayDeque<>(group.searched().mix().possible());
        while (!next.isEmpty()) {
            SearchName name = next.remove();
            if (names.add(name) && group.followUpRatio() > 0) {
                next.addAll(draw.catalog().get(name).refinements());
            }
        }
        return names;
    }

    private void add(AnalystGroup group, SearchName name, Order order) {
        if (group.reading() instanceof ResultReading.Paged paged) {
            Search first = example(group, name, order, new Page.Numbered(paged.size(), 1));
            put(first);
            boolean turned = !name.equals(SearchName.DETAIL) && first.summary().isEmpty();
            if (paged.deeperRatio() > 0 && paged.maximum() > 1 && turned) {
                put(first.with(second(first.window(), paged.size())));
            }
            if (choosing.isPresent() && turned) {
                put(first.with(new Page.Last(paged.size())));
                examples.putIfAbsent(new SearchKey(name, PageClass.COUNT, first.order()), first);
            }
        } else {
            put(example(group, name, order, new Page.Whole()));
        }
    }

    private Page second(Window window, int size) {
        Instant middle = window.from()
                .plus(Duration.between(window.from(), window.until()).dividedBy(2));
        return plan.variant().paging().page(size, 2, () -> new PageKey(middle, ""));
    }

    private Search example(AnalystGroup group, SearchName name, Order order, Page page) {
        Window window = chosen(group.searched().windows())
                .window(draw.dataFirst(), plan.source().until());
        SeededRandom random = SeededRandom.of(seed, examples.size());
        return draw.search(
                name,
                new DrawRule(chosen(group.searched().values()), group.searched().listLength(), random),
                window,
                order,
                page);
    }

    private <T> T chosen(Weights<T> weights) {
        return choosing.map(random -> weights.at(random.nextDouble())).orElseGet(weights::heaviest);
    }

    private void put(Search search) {
        examples.putIfAbsent(SearchKey.of(search), search);
    }
}
