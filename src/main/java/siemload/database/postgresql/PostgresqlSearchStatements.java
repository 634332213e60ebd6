package siemload.database.postgresql;

import static siemload.database.postgresql.connection.PostgresqlConnections.SQL;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import siemload.database.layout.Condition;
import siemload.database.layout.Condition.About;
import siemload.database.layout.Condition.All;
import siemload.database.layout.Condition.Leaf;
import siemload.database.layout.Condition.Subject;
import siemload.database.postgresql.PlannerGuide.Hidden;
import siemload.database.server.Portions;
import siemload.database.sql.SqlSearches;
import siemload.event.AddressRange;
import siemload.event.AddressRange.Family;
import siemload.query.Criterion;
import siemload.query.Criterion.AddressAndPortOnOneSide;
import siemload.query.Criterion.AddressFigured;
import siemload.query.EventSide;
import siemload.query.PageClass;
import siemload.query.Search;
import siemload.query.Summary;
import siemload.query.TrendCatalog;
import siemload.query.Window;

/** Writes searches as SQL of one layout, for one hint. Thread-safe. */
final class PostgresqlSearchStatements extends SqlSearches<Hidden> {
    /**
     * How a layout writes the window so that the index of the time alone can answer it, where other indexes of its tables hold the time,
     * too. A layout over tables of others need not have it.
     */
    private static final String OF_TIME_INDEX = "window-of-time-index";

    private final Layout layout;
    private final PlannerGuide guide;
    /** Asked for every search. */
    private final boolean hasAddressTable;

    PostgresqlSearchStatements(Layout layout, PlannerGuide guide) {
        super(layout);
        this.layout = layout;
        this.guide = guide;
        this.hasAddressTable = layout.hasAddressTable();
    }

    /** The layout of the tables that are searched. */
    Layout layout() {
        return layout;
    }

    /** How the rows of a statement are read. */
    enum Reading {
        /** In their order, received at once. */
        PAGE,
        /** From the last to the first, received at once. */
        PAGE_BACKWARDS,
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

    /** The statement that finds the rows of the search's page. */
    Asked found(Search search) {
        Rows rows = rows(search);
        boolean shared = guide.sharesAmongWorkers(search);
        Reading inPortions = shared ? Reading.COPY : Reading.CURSOR;
        Reading reading = switch (rows.way()) {
            case SINGLE -> Reading.PAGE;
            case PAGE -> Portions.make(rows.size()) ? inPortions : Reading.PAGE;
            case PAGE_BACKWARDS -> Reading.PAGE_BACKWARDS;
            case LAST_PAGE -> inPortions;
            case WHOLE -> shared ? Reading.COPY : Reading.STREAM;
        };
        return new Asked(rows.statement().sql(), rows.statement().values(), reading);
    }

    /** The statement of a search that users come to in this way; of a trend, the one that stores it. */
    Asked asked(Search search, PageClass page) {
        if (page == PageClass.COUNT) {
            return Asked.atOnce(count(search));
        } else if (page == PageClass.SUMMARY) {
            Optional<Summary.Hours> trend = TrendCatalog.summary(search.name());
            Optional<Asked> summing = trend.isPresent()
                    ? trend.map(summary -> storing(search, summary, ""))
                    : search.summary().map(summary -> Asked.atOnce(of(search, summary)));
            return summing.orElseGet(() -> found(search));
        }
        return found(search);
    }

    /** The statement that sums up all rows of the search and stores the lines; it has no rows. */
    Asked storing(Search search, Summary.Hours summary, String trend) {
        Compiled summing = of(search, summary);
        List<Object> values = new ArrayList<>();
        values.add(trend);
        values.addAll(summing.values());
        return Asked.atOnce(new Compiled(
                SQL.read("trend-store", Map.of("summary", summing.sql())).sql(), values));
    }

    @Override
    protected void addOfWhole(Search search, List<Condition> conditions) {
        // Under a hint the JSON would be searched first, since only it would know the window.
        if (layout.isByDay() && !search.window().isAlways() && guide.hidden(search) == Hidden.NOTHING) {
            conditions.add(new About(Subject.JSON, new Leaf("json-window", search.window())));
        }
    }

    @Override
    protected String always() {
        return "true";
    }

    /** What no index may answer is hidden inside expressions. */
    @Override
    protected Hidden told(Search search) {
        return guide.hidden(search);
    }

    @Override
    protected Map<String, String> parts(Hidden hidden) {
        Map<String, String> parts = new HashMap<>();
        if (hidden.time) {
            parts.put("time", layout.read("time-hidden").sql());
        }
        if (hidden.id) {
            parts.put("id", layout.read("id-hidden").sql());
        }
        return parts;
    }

    @Override
    protected String block(String condition, Hidden hidden) {
        return condition.equals("window") && hidden.timeIndexAlone() && layout.has(OF_TIME_INDEX)
                ? OF_TIME_INDEX
                : super.block(condition, hidden);
    }

    @Override
    protected String around(Subject subject, String condition, Hidden hidden) {
        return switch (subject) {
            case TIME -> hidden.time ? in("hidden", condition) : condition;
            case ADDRESS ->
                hasAddressTable ? in("recheck", condition) : hidden.fields ? in("hidden", condition) : condition;
            case OTHER -> hidden.fields ? in("hidden", condition) : condition;
            case LOOKUP -> lookup(condition, hidden);
            case JSON -> condition;
        };
    }

    private String in(String block, String condition) {
        return layout.part(block, Map.of("condition", condition));
    }

    private String lookup(String conditions, Hidden hidden) {
        // Forced to use the index of the time, each event looks for its addresses; of a field, each address for its
        // event.
        String id = layout.read(hidden.timeIndexAlone() ? "id-hidden" : "id").sql();
        String event = layout.read(hidden == Hidden.ID_AND_TIME ? "event-hidden" : "event")
                .sql();
        if (layout.isByDay() && !hidden.fields) {
            id = layout.part("id-and-time", Map.of("id", id));
            event = layout.part("event-and-time", Map.of("event", event));
        }
        String truth = hidden.fields ? "IS TRUE" : "";
        return layout.part("lookup", Map.of("id", id, "event", event, "conditions", conditions, "truth", truth));
    }

    /** Where addresses have a table of their own, it is asked before the exact condition. */
    @Override
    protected void add(Criterion criterion, Search search, List<Condition> conditions) {
        if (hasAddressTable && criterion instanceof AddressFigured figured) {
            conditions.add(lookup(figured, search.window()));
        } else if (hasAddressTable && criterion instanceof AddressAndPortOnOneSide both) {
            conditions.add(lookup(new AddressFigured(List.of(both.address())), search.window()));
        }
        super.add(criterion, search, conditions);
    }

    /**
     * The events in which an address may have figured, by the table of addresses. They still have to meet the exact condition, since the
     * table knows networks only, and no port.
     */
    private static Condition lookup(AddressFigured figured, Window window) {
        boolean isWide = figured.anyOf().stream().anyMatch(range -> !range.isSingle());
        List<Condition> parts = new ArrayList<>(List.of(new Leaf(isWide ? "range" : "networks", figured)));
        if (!window.isAlways()) {
            parts.add(new Leaf("lookup-window", window));
        }
        if (figured.side() != EventSide.EITHER) {
            parts.add(new Leaf(prefix(figured.side()) + "lookup", figured));
        }
        return new About(Subject.LOOKUP, new All(parts));
    }

    /** Several addresses of a family are one multirange. */
    @Override
    protected Condition addresses(List<AddressRange> anyOf, EventSide side) {
        if (anyOf.size() == 1) {
            return address(anyOf.get(0), side);
        }
        List<Condition> families = new ArrayList<>();
        for (Family family : Family.values()) {
            List<AddressRange> some =
                    anyOf.stream().filter(range -> range.family() == family).toList();
            String list = family(family) + "-list";
            if (!some.isEmpty() && (has(prefix(side) + list) || (side == EventSide.EITHER && has("source-" + list)))) {
                families.add(onSide(list, side, new AddressFigured(some)));
            } else {
                some.forEach(range -> families.add(address(range, side)));
            }
        }
        return Condition.any(families);
    }

    /** In the text form of its type. */
    @Override
    protected Object value(String name, Object of) {
        if (of instanceof AddressFigured several) {
            return switch (name) {
                case "address" -> SqlText.multirange(several.anyOf());
                case "networks" -> Networks.around(several.anyOf());
                case "first" -> wide(several, Comparator.reverseOrder()).first().toString();
                default ->
                    wide(several, Comparator.comparing(AddressRange::last))
                            .last()
                            .toString();
            };
        } else if (name.equals("address")) {
            return SqlText.range(range(of));
        }
        Object part = of instanceof Frame frame ? frame.part(name) : part(name, of);
        return part instanceof Instant time
                ? SqlText.timestamp(time)
                : part instanceof String text ? SqlText.clean(text) : part.toString();
    }

    /** The one of the ranges of more than one address that is the last in this order. */
    private static AddressRange wide(AddressFigured figured, Comparator<AddressRange> order) {
        return figured.anyOf().stream()
                .filter(range -> !range.isSingle())
                .max(order)
                .orElseThrow();
    }
}
