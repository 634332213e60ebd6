package siemload.database.postgresql;

import static siemload.database.postgresql.PostgresqlConnections.SQL;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import siemload.database.Hint;
import siemload.database.server.Portions;
import siemload.database.sql.SqlSearches;
import siemload.event.AddressRange;
import siemload.query.PageClass;
import siemload.query.Search;
import siemload.query.SearchCatalog;
import siemload.query.Summary;

/**
 * Writes searches as SQL of one layout, for one hint. PostgreSQL's planner knows no hints: what an index could answer is hidden from it
 * inside an expression with the same rows and the same estimate, and settings of the session keep it from what it would take instead.
 * Settings alone would not do: they hold for the join with the JSON as well, so that a page after a full scan of the events would read all
 * of the JSON, too. Thread-safe.
 */
final class PostgresqlSearchStatements extends SqlSearches {
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

    private final Layout layout;
    private final Hint hint;
    private final int workersAtLeast;

    /** @param workersAtLeast how many workers share a search if the hint asks for several */
    PostgresqlSearchStatements(Layout layout, Hint hint, int workersAtLeast) {
        super(layout, Map.of());
        this.layout = layout;
        this.hint = hint;
        this.workersAtLeast = workersAtLeast;
    }

    /** The layout of the tables that are searched. */
    Layout layout() {
        return layout;
    }

    /** Settings for the whole session. */
    List<String> settings() {
        return settings(hint, workersAtLeast);
    }

    /**
     * Settings for the whole session, as {@code name=value}. They cost a search nothing, and nothing in them speaks
     * against the primary key, by which a search by id finds its event.
     */
    static List<String> settings(Hint hint, int workersAtLeast) {
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
            // The key of a table cut into days has the time behind the id, and would be read from end to end.
            case INDEX -> List.of("enable_seqscan=off", "enable_indexonlyscan=off");
            case TIME_INDEX -> List.of("enable_seqscan=off", "enable_bitmapscan=off", "enable_indexonlyscan=off");
        };
    }

    /** How the rows of a statement are read. */
    enum Reading {
        /** In their order, received at once. */
        PAGE,
        /** In their order, received in portions. */
        STREAM,
        /** The same by a cursor, for which the server plans to have the first rows early. */
        CURSOR,
        /** In their order, received as they come. */
        COPY,
        /** None or some, received at once, of a statement that writes. */
        WRITE
    }

    /** A statement, whose values are in text form, and how its rows are read. */
    record Asked(String sql, List<Object> values, Reading reading) {
        /** One whose rows are received at once. */
        static Asked atOnce(Compiled statement) {
            return new Asked(statement.sql(), statement.values(), Reading.PAGE);
        }
    }

    private Asked found(Search search) {
        Rows rows = rows(search);
        // Rows must not be asked for in portions where workers are to share a search.
        boolean shared = hint == Hint.FULL_SCAN_PARALLEL && Hint.concerns(search);
        Reading inPortions = shared ? Reading.COPY : Reading.CURSOR;
        Reading reading = switch (rows.way()) {
            case SINGLE -> Reading.PAGE;
            case PAGE, LAST_PAGE -> Portions.make(rows.size()) ? inPortions : Reading.PAGE;
            case WHOLE -> shared ? Reading.COPY : Reading.STREAM;
        };
        return new Asked(rows.statement().sql(), rows.statement().values(), reading);
    }

    /** The statement of a search that users come to in this way; of a trend, the one that stores it. */
    Asked asked(Search search, PageClass page) {
        if (page == PageClass.COUNT) {
            return Asked.atOnce(count(search));
        } else if (page == PageClass.SUMMARY
                && SearchCatalog.trend(search.name()).isPresent()) {
            return storing(search, SearchCatalog.trend(search.name()).get(), "");
        } else if (page == PageClass.SUMMARY && search.summary().isPresent()) {
            return Asked.atOnce(of(search, search.summary().get()));
        }
        return found(search);
    }

    /** The statement that sums up all rows of the search and stores the lines; it has no rows. */
    Asked storing(Search search, Summary.Hours summary, String trend) {
        Compiled summing = of(search, summary);
        List<Object> values = new ArrayList<>(List.of(trend));
        values.addAll(summing.values());
        return new Asked(
                SQL.read("trend-store", Map.of("summary", summing.sql())).sql(), values, Reading.PAGE);
    }

    /** What no index may answer is hidden inside expressions. */
    @Override
    protected Set<String> hidden(Search search) {
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

    /** In the text form of its type. */
    @Override
    protected Object value(String name, Object value) {
        return SqlText.of(value);
    }

    @Override
    protected Map<String, ?> looked(List<AddressRange> anyOf, boolean isWide) {
        List<AddressRange> wide =
                anyOf.stream().filter(range -> !isWide || !range.isSingle()).toList();
        AddressRange first =
                Collections.min(wide.stream().map(AddressRange::first).toList());
        AddressRange last =
                Collections.max(wide.stream().map(AddressRange::last).toList());
        return Map.of("networks", SqlText.networksAround(anyOf), "first", first.toString(), "last", last.toString());
    }
}
