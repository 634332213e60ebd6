package siemload.run.procedure;

import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import siemload.dataset.SearchedValues;
import siemload.dataset.SeededRandom;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.query.Window;
import siemload.results.SearchKey;
import siemload.scenario.Procedure.SearchSet;
import siemload.scenario.SearchDraw;

/**
 * The searches of a procedure with their values, which depend on data set, seed and number of the draw alone: every run
 * asks for the same. Used by one thread.
 */
final class ProcedureSearches {
    /** More than anybody draws of one search. */
    private static final long DRAWS = 1L << 20;

    private final SearchSet searchSet;
    private final SearchDraw draw;
    private final SearchedValues wanted;
    private final Window window;
    private final long seed;

    /** @param until where the window ends (excluded) */
    ProcedureSearches(SearchSet searchSet, SearchDraw draw, Instant until, long seed) {
        this.searchSet = searchSet;
        this.draw = draw;
        this.wanted = draw.searched(searchSet.searched());
        this.window = wanted.between()
                .map(between -> new Window(between.from(), between.until()))
                .orElseGet(() -> searchSet.window().window(draw.dataFirst(), until));
        this.seed = seed;
    }

    /** The search with the values of the first draw. */
    Search search(SearchName name, Order order, Page page) {
        return search(name, 0, order, page);
    }

    /** The search with the values of one draw. */
    Search search(SearchName name, int number, Order order, Page page) {
        SeededRandom random = SeededRandom.of(seed, name.name().hashCode() * DRAWS + number);
        return draw.search(name, wanted, searchSet.popularity(), searchSet.listLength(), window, order, page, random);
    }

    /** All of them, for their plans. */
    Map<SearchKey, Search> examples(Order order, Page page) {
        Map<SearchKey, Search> examples = new TreeMap<>();
        for (SearchName name : searchSet.searches()) {
            Search search = search(name, order, page);
            examples.put(SearchKey.of(search), search);
        }
        return examples;
    }
}
