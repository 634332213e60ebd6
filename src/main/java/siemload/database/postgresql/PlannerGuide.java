package siemload.database.postgresql;

import java.util.List;
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

    /** What of a search no index may answer. */
    enum Hidden {
        NOTHING(false, false, false),
        /** The order of the ids; the window is put so that the index of the time alone can answer it. */
        ID(true, false, false),
        ID_AND_TIME(true, true, false),
        /** The order of the ids and the fields; the window is put as with {@link #ID}. */
        ID_AND_FIELDS(true, false, true),
        TIME_AND_FIELDS(false, true, true);

        /** Whether the join with the JSON may not have the events in the order of their ids. */
        final boolean id;
        /** Whether the window, the key of a page and the order are hidden. */
        final boolean time;
        /** Whether the conditions on anything but the time are hidden. */
        final boolean fields;

        Hidden(boolean id, boolean time, boolean fields) {
            this.id = id;
            this.time = time;
            this.fields = fields;
        }

        boolean timeIndexAlone() {
            return this == ID || this == ID_AND_FIELDS;
        }
    }

    Hidden hidden(Search search) {
        if (!Hint.concerns(search)) {
            return Hidden.NOTHING;
        }
        return switch (hint) {
            case NONE, FIRST_ROWS -> Hidden.NOTHING;
            case FULL_SCAN, FULL_SCAN_PARALLEL -> Hidden.TIME_AND_FIELDS;
            case INDEX -> Hint.hasIndexedField(search) ? Hidden.ID_AND_TIME : Hidden.ID;
            case TIME_INDEX -> Hidden.ID_AND_FIELDS;
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
