package siemload.database.postgresql;

import static siemload.database.sql.SqlSearches.FIELDS;
import static siemload.database.sql.SqlSearches.LOOKUP;
import static siemload.database.sql.SqlSearches.TIME;

import java.util.List;
import java.util.Set;
import siemload.database.Hint;
import siemload.query.Search;

/**
 * How PostgreSQL's planner is brought to follow a hint. It knows no hints: what an index could answer is hidden from it
 * inside an expression with the same rows and the same estimate, and settings of the session keep it from what it would
 * take instead. Settings alone would not do: they hold for the join with the JSON as well, so that a page after a full
 * scan of the events would read all of the JSON, too. Immutable and thread-safe.
 *
 * @param workersAtLeast how many workers share a search if the hint asks for several
 */
record PlannerGuide(Hint hint, int workersAtLeast) {
    /** Where events are to be found by the index of the time, the window is put so that that index alone can answer it. */
    private static final String WINDOW = "window";
    /** The order of the ids, in which the join with the JSON could have the events. */
    private static final String ID = "id";

    private static final Set<String> FULL = Set.of(TIME, FIELDS);
    /** Each address looks for its event. */
    private static final Set<String> BY_FIELD = Set.of(ID, TIME, "event");
    /** Each event looks for its addresses. */
    private static final Set<String> BY_TIME = Set.of(ID, WINDOW, LOOKUP);

    private static final Set<String> BY_TIME_ALONE = Set.of(ID, WINDOW, LOOKUP, FIELDS);

    /** What of a search no index may answer. */
    Set<String> hidden(Search search) {
        if (!Hint.concerns(search)) {
            return Set.of();
        }
        return switch (hint) {
            case NONE, FIRST_ROWS -> Set.of();
            case FULL_SCAN, FULL_SCAN_PARALLEL -> FULL;
            case INDEX -> Hint.hasIndexedField(search) ? BY_FIELD : BY_TIME;
            case TIME_INDEX -> BY_TIME_ALONE;
        };
    }

    /**
     * Settings for the whole session, as {@code name=value}. They cost a search nothing, and nothing in them speaks
     * against the primary key, by which a search by id finds its event.
     */
    List<String> settings() {
        return switch (hint) {
            case NONE, FIRST_ROWS -> List.of();
            case FULL_SCAN ->
                List.of("enable_indexonlyscan=off", "enable_mergejoin=off", "max_parallel_workers_per_gather=0");
            case FULL_SCAN_PARALLEL ->
                List.of(
                        "enable_indexonlyscan=off",
                        "enable_mergejoin=off",
                        "min_parallel_table_scan_size=0",
                        "parallel_setup_cost=0",
                        "parallel_tuple_cost=0",
                        "max_parallel_workers_per_gather=" + workersAtLeast);
            case INDEX -> List.of("enable_seqscan=off");
            case TIME_INDEX -> List.of("enable_seqscan=off", "enable_bitmapscan=off");
        };
    }

    /** Whether rows must not be asked for in portions, since workers cannot share such a search. */
    boolean sharesAmongWorkers(Search search) {
        return hint == Hint.FULL_SCAN_PARALLEL && Hint.concerns(search);
    }
}
