package siemload.run.procedure;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import siemload.database.Store;
import siemload.database.Variant;
import siemload.dataset.EventSource;
import siemload.query.Search;
import siemload.results.SearchKey;
import siemload.scenario.Procedure.SearchSet;
import siemload.scenario.SearchDraw;

/**
 * What a procedure works with. Immutable; its parts are not.
 *
 * @param stores this run's own copy of the data set, one on each server; one or more
 * @param source the events of the data set
 * @param draw fills in the values of searches
 * @param planShapes how the server goes about each kind of search
 * @param seed of everything drawn by chance
 * @param steps takes what was measured
 * @param interruption ends the procedure
 */
public record ProcedureContext(
        List<Store> stores,
        EventSource source,
        SearchDraw draw,
        Variant variant,
        Map<SearchKey, String> planShapes,
        long seed,
        CacheControl caches,
        StepLog steps,
        Progress progress,
        Interruption interruption) {
    public ProcedureContext {
        stores = List.copyOf(stores);
        planShapes = Map.copyOf(planShapes);
    }

    /** That of the first server: the only one, unless a procedure works with several. */
    Store store() {
        return stores.get(0);
    }

    ProcedureSearches searches(SearchSet searchSet) {
        return searches(searchSet, source.until());
    }

    /** The searches with windows that end (excluded) there. */
    ProcedureSearches searches(SearchSet searchSet, Instant until) {
        return ProcedureSearches.of(searchSet, draw, until, seed);
    }

    /** How the server goes about such a search; empty where it does not tell. */
    Optional<String> planShape(Search search) {
        SearchKey key = SearchKey.of(search);
        return Optional.ofNullable(planShapes.get(key)).filter(shape -> !shape.isEmpty());
    }
}
