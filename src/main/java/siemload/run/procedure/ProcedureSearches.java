package siemload.run.procedure;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import siemload.dataset.SearchedValues;
import siemload.dataset.SeededRandom;
import siemload.query.Order;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.query.Window;
import siemload.results.SearchKey;
import siemload.scenario.DrawRule;
import siemload.scenario.Procedure;
import siemload.scenario.Procedure.Asked;
import siemload.scenario.SearchDraw;

/**
 * The searches of a procedure with their values, which depend on data set, seed and number of the draw alone: every run
 * asks for the same. Used by one thread.
 */
record ProcedureSearches(Asked asked, SearchDraw draw, SearchedValues wanted, Window window, long seed) {
    /** More than are drawn of one search. */
    private static final long DRAWS = 1L << 20;

    /**
     * What a procedure asks for, if anything by name.
     *
     * @param until where the window ends (excluded), unless the wanted values have a stretch of time of their own
     */
    static Optional<ProcedureSearches> of(Procedure procedure, SearchDraw draw, Instant until, long seed) {
        return procedure.asked().map(asked -> {
            SearchedValues wanted = draw.searched(asked.searched());
            Window window = wanted.between()
                    .map(between -> new Window(between.from(), between.until()))
                    .orElseGet(() -> asked.window().window(draw.dataFirst(), until));
            return new ProcedureSearches(asked, draw, wanted, window, seed);
        });
    }

    Search search(SearchName name, int number) {
        return search(name, number, asked.order());
    }

    /** The search with the values of one draw in one of the orders. */
    Search search(SearchName name, int number, Order order) {
        SeededRandom random = SeededRandom.of(seed, name.name().hashCode() * DRAWS + number);
        return draw.search(
                name,
                wanted,
                new DrawRule(asked.popularity(), asked.listLength(), random),
                window,
                order,
                asked.page());
    }

    /** The first draw of each search, by kind: what plans are shown for. */
    Map<SearchKey, Search> examples() {
        Map<SearchKey, Search> examples = new TreeMap<>();
        for (Order order : asked.orders().each()) {
            for (SearchName name : asked.searches()) {
                Search search = search(name, 0, order);
                examples.put(SearchKey.of(search), search);
            }
        }
        return examples;
    }
}
