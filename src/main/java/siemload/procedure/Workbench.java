package siemload.procedure;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import siemload.dataset.EventSource;
import siemload.measure.SearchKey;
import siemload.query.Search;
import siemload.scenario.Procedure.Asking;
import siemload.scenario.SearchDraw;
import siemload.target.DatasetKey;
import siemload.target.Store;
import siemload.target.Target;
import siemload.target.Variant;

/**
 * What a procedure works with. Immutable; its parts are not.
 *
 * @param target the server, with the data set under {@code key}
 * @param key the name under which the server keeps the data set
 * @param store this run's own copy of the data set
 * @param source the events of the data set
 * @param draw fills in the values of searches
 * @param planShapes how the server goes about each kind of search
 * @param seed of everything drawn by chance
 * @param steps takes what was measured
 * @param interruption ends the procedure
 */
public record Workbench(
        Target target,
        DatasetKey key,
        Store store,
        EventSource source,
        SearchDraw draw,
        Variant variant,
        Map<SearchKey, String> planShapes,
        long seed,
        CacheControl caches,
        StepLog steps,
        Progress progress,
        Interruption interruption) {
    public Workbench {
        planShapes = Map.copyOf(planShapes);
    }

    AskedSearches searches(Asking asking) {
        return searches(asking, source.until());
    }

    /** The searches with windows that end (excluded) there. */
    AskedSearches searches(Asking asking, Instant until) {
        return new AskedSearches(asking, draw, until, seed);
    }

    /** How the server goes about such a search; empty where it does not tell. */
    Optional<String> planShape(Search search) {
        SearchKey key = new SearchKey(search.name(), search.page().pageClass(), search.order());
        return Optional.ofNullable(planShapes.get(key)).filter(shape -> !shape.isEmpty());
    }
}
