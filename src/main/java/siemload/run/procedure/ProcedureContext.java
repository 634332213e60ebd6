package siemload.run.procedure;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import siemload.database.SearchException;
import siemload.database.Store;
import siemload.database.Variant;
import siemload.dataset.EventSource;
import siemload.query.Search;
import siemload.results.SearchKey;
import siemload.scenario.SearchDraw;

/**
 * What a procedure works with. Immutable; its parts are not.
 *
 * @param stores this run's own copy of the data set, one on each server; one or more
 * @param source the events of the data set
 * @param draw fills in the values of searches
 * @param planShapes how the server goes about each kind of search
 * @param seed of everything drawn by chance
 * @param caches brings the server's caches into a state
 * @param crashes kills the server, where a procedure asks for that
 * @param steps takes what was measured in one go
 * @param tables take what is measured second by second
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
        CrashControl crashes,
        StepLog steps,
        RunTables tables,
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

    /** The same for what is done on one server alone, 1 for the first. */
    ProcedureContext onServer(int number) {
        return new ProcedureContext(
                List.of(stores.get(number - 1)),
                source,
                draw,
                variant,
                planShapes,
                seed,
                caches,
                crashes,
                steps,
                tables,
                progress,
                interruption);
    }

    /** Says what is going on, in the form of {@link String#format}. */
    void status(String format, Object... values) {
        progress.status(String.format(Locale.ROOT, format, values));
    }

    /**
     * Does what a step is about. A search that fails makes the step fail; where the run is interrupted, that was why, and the
     * procedure ends.
     */
    Step attempt(Step step, Runnable work) {
        try {
            work.run();
        } catch (SearchException failure) {
            interruption.check();
            step.failed(failure);
        }
        return step;
    }

    /** How the server goes about such a search; empty where it does not tell. */
    Optional<String> planShape(Search search) {
        SearchKey key = SearchKey.of(search);
        return Optional.ofNullable(planShapes.get(key)).filter(shape -> !shape.isEmpty());
    }
}
