package siemload.run.procedure;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Supplier;
import siemload.database.Store;
import siemload.database.Variant;
import siemload.database.provision.ProvidedServer.Listener;
import siemload.dataset.EventSource;
import siemload.results.RunWriter;
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
 * @param cpu how many nanoseconds all databases on this machine have worked up to now; empty where nobody sees that
 * @param crash kills all processes of the server at once, without any warning, and returns when it accepts connections again
 * @param steps takes what was measured in one go, counts what ends, and ends the procedure
 * @param writer opens the tables of what is measured second by second
 * @param startNanos the instant on the monotonic clock that seconds are counted from in all tables of the run
 */
public record ProcedureContext(
        List<Store> stores,
        EventSource source,
        SearchDraw draw,
        Variant variant,
        Map<SearchKey, String> planShapes,
        long seed,
        CacheKeeper caches,
        Supplier<OptionalLong> cpu,
        Runnable crash,
        StepLog steps,
        RunWriter writer,
        long startNanos,
        Listener progress) {
    public ProcedureContext {
        stores = List.copyOf(stores);
        planShapes = Map.copyOf(planShapes);
    }

    /** That of the first server: the only one, unless a procedure works with several. */
    Store store() {
        return stores.get(0);
    }

    /** Says what is going on, in the form of {@link String#format}. */
    void status(String format, Object... values) {
        progress.status(String.format(Locale.ROOT, format, values));
    }

    /** Seconds since an instant, above 0. */
    static double secondsSince(long nanos) {
        return Math.max(1, System.nanoTime() - nanos) / 1e9;
    }
}
