package siemload.load;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import siemload.dataset.SeededRandom;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.PageKey;
import siemload.query.Paging;
import siemload.query.Search;
import siemload.query.SearchCatalog;
import siemload.query.SearchName;
import siemload.query.Window;
import siemload.results.SearchKey;
import siemload.scenario.AnalystGroup;
import siemload.scenario.ResultReading;
import siemload.scenario.Scenario;
import siemload.scenario.SearchDraw;

/**
 * One example of each kind of search that a scenario sends, with the values, the window and the order that are the most
 * frequent in it: what plans are shown for. Used by one thread.
 */
final class SearchKinds {
    private final SearchDraw draw;
    private final Paging paging;
    private final Instant now;
    private final long seed;
    private final Map<SearchKey, Search> examples = new TreeMap<>();

    private SearchKinds(SearchDraw draw, Paging paging, Instant now, long seed) {
        this.draw = draw;
        this.paging = paging;
        this.now = now;
        this.seed = seed;
    }

    /** @param now the time in the data */
    static Map<SearchKey, Search> of(Scenario scenario, SearchDraw draw, Paging paging, Instant now, long seed) {
        SearchKinds kinds = new SearchKinds(draw, paging, now, seed);
        scenario.analysts().forEach(kinds::add);
        return kinds.examples;
    }

    private void add(AnalystGroup group) {
        for (SearchName name : names(group)) {
            for (Order order : group.searched().orders().possible()) {
                add(group, name, order);
            }
        }
    }

    /** The searches of the mix, and those that they can be narrowed to. */
    private static Set<SearchName> names(AnalystGroup group) {
        Set<SearchName> names = new LinkedHashSet<>();
        Deque<SearchName> next = new ArrayDeque<>(group.searched().mix().possible());
        while (!next.isEmpty()) {
            SearchName name = next.remove();
            if (names.add(name) && group.followUpRatio() > 0) {
                next.addAll(SearchCatalog.refinements(name));
            }
        }
        return names;
    }

    private void add(AnalystGroup group, SearchName name, Order order) {
        if (group.reading() instanceof ResultReading.Paged paged) {
            Search first = example(group, name, order, new Page.Numbered(paged.size(), 1));
            put(first);
            boolean turned =
                    name != SearchName.DETAIL && SearchCatalog.summary(name).isEmpty();
            if (paged.deeperRatio() > 0 && paged.maximum() > 1 && turned) {
                put(first.with(second(first.window(), paged.size())));
            }
        } else {
            put(example(group, name, order, new Page.Whole()));
        }
    }

    private Page second(Window window, int size) {
        Instant middle = window.from()
                .plus(Duration.between(window.from(), window.until()).dividedBy(2));
        return paging.page(size, 2, () -> new PageKey(middle, ""));
    }

    private Search example(AnalystGroup group, SearchName name, Order order, Page page) {
        Window window = group.searched().windows().heaviest().window(draw.dataFirst(), now);
        SeededRandom random = SeededRandom.of(seed, examples.size());
        return draw.search(
                name, group.searched().values().heaviest(), group.searched().listLength(), window, order, page, random);
    }

    private void put(Search search) {
        examples.putIfAbsent(SearchKey.of(search), search);
    }
}
