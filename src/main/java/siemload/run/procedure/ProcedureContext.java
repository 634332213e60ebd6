package siemload.run.procedure;

import java.time.Instant;
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
 * @param server what may be done to the server itself
 * @param log takes what is measured
 * @param interruption ends the procedure
 */
public record ProcedureContext(
        List<Store> stores,
        EventSource source,
        SearchDraw draw,
        Variant variant,
        Map<SearchKey, String> planShapes,
        long seed,
        ServerControl server,
        MeasuredLog log,
        Progress progress,
        Interruption interruption) {
    public ProcedureContext {
        stores = List.copyOf(stores);
        planShapes = Map.copyOf(planShapes);
    }

    /**
     * What may be done to the server itself.
     *
     * @param crashes kills it, where a procedure asks for that
     */
    public record ServerControl(CacheControl caches, CrashControl crashes) {
        /** Nothing. */
        static final ServerControl NONE = new ServerControl(CacheControl.NONE, CrashControl.NONE);
    }

    /**
     * What takes what is measured.
     *
     * @param steps what was measured in one go
     * @param tables what is measured second by second
     */
    public record MeasuredLog(StepLog steps, RunTables tables) {}

    CacheControl caches() {
        return server.caches();
    }

    CrashControl crashes() {
        return server.crashes();
    }

    StepLog steps() {
        return log.steps();
    }

    RunTables tables() {
        return log.tables();
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
                server,
                log,
                progress,
                interruption);
    }

    /** Says what is going on, in the form of {@link String#format}. */
    void status(String format, Object... values) {
        progress.status(String.format(Locale.ROOT, format, values));
    }

    ProcedureSearches searches(SearchSet searchSet) {
        return searches(searchSet, source.until());
    }

    /** The searches with windows that end (excluded) there. */
    ProcedureSearches searches(SearchSet searchSet, Instant until) {
        return ProcedureSearches.of(searchSet, draw, until, seed);
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
