package siemload.database.postgresql;

import static siemload.database.postgresql.connection.PostgresqlConnections.FILES;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import siemload.database.layout.Blocks.MissingBlockException;
import siemload.database.layout.Condition;
import siemload.database.layout.Condition.About;
import siemload.database.layout.Condition.All;
import siemload.database.layout.Condition.Leaf;
import siemload.database.layout.Condition.Subject;
import siemload.database.layout.Conditions;
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
import siemload.query.PageKey;
import siemload.query.Search;
import siemload.query.Summary;
import siemload.query.TrendCatalog;
import siemload.query.Window;

/** Writes searches as SQL of one layout, for one hint. Thread-safe. */
final class PostgresqlSearchStatements extends SqlSearches {
    /**
     * How a layout writes the window so that the index of the time alone can answer it, where other indexes of its tables hold the time,
     * too. A layout over tables of others need not have it.
     */
    private static final String OF_TIME_INDEX = "window-of-time-index";

    private final Layout layout;
    private final PlannerGuide guide;

    PostgresqlSearchStatements(Layout layout, PlannerGuide guide) {
        super(layout, new PostgresqlConditions(layout));
        this.layout = layout;
        this.guide = guide;
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
        COPY
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
            case PAGE -> Portions.make(rows.size()) ? inPortions : Reading.PAGE;
            case PAGE_BACKWARDS -> Reading.PAGE_BACKWARDS;
            case LAST_PAGE -> inPortions;
            case WHOLE -> shared ? Reading.COPY : Reading.STREAM;
        };
        return new Asked(rows.statement().sql(), rows.statement().values(), reading);
    }

    /** The first block that the layout lacks for a search which users come to in this way; empty where it lacks none. */
    Optional<String> missingBlock(Search search, PageClass page) {
        try {
            var unused = asked(search, page);
            return Optional.empty();
        } catch (MissingBlockException missing) {
            return Optional.of(missing.block());
        }
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
                FILES.read("trends/store.sql", Map.of("summary", summing.sql())).sql(), values));
    }

    /** The end of the result is the first page of the other order: we turn a small one round, the server a large one. */
    @Override
    protected boolean isTurnedHere(int size) {
        return !Portions.make(size);
    }

    @Override
    protected List<Condition> ofWhole(Search search) {
        // Under a hint the JSON would be searched first, since only it would know the window.
        return layout.isByDay() && !search.window().isAlways() && guide.hidden(search) == Hidden.NOTHING
                ? List.of(PostgresqlConditions.ofJson(search.window()))
                : List.of();
    }

    @Override
    protected String always() {
        return "true";
    }

    @Override
    protected Object number(long number) {
        return Long.toString(number);
    }

    @Override
    protected Map<String, Object> steps(Window window, Duration step) {
        return Map.of("step", step.toSeconds() + " seconds", "origin", SqlText.timestamp(window.from()));
    }

    @Override
    protected Told told(Search search) {
        return new Hiding(layout, guide.hidden(search));
    }

    /** What no index may answer is hidden inside expressions. */
    private record Hiding(Layout layout, Hidden hidden) implements Told {
        @Override
        public String key() {
            return hidden.name();
        }

        @Override
        public Map<String, String> parts() {
            return Map.of(
                    "time", part(hidden.time ? "time-hidden" : "time"),
                    "id", part(hidden.id ? "id-hidden" : "id"),
                    "json", part("json"));
        }

        private String part(String block) {
            return layout.read(block).sql();
        }

        @Override
        public String block(String condition) {
            return condition.equals("window") && hidden.timeIndexAlone() && layout.has(OF_TIME_INDEX)
                    ? OF_TIME_INDEX
                    : Told.super.block(condition);
        }

        @Override
        public String around(Subject subject, String condition) {
            return switch (subject) {
                case TIME -> hidden.time ? in("hidden", condition) : condition;
                case ADDRESS ->
                    layout.hasAddressTable()
                            ? in("recheck", condition)
                            : hidden.fields ? in("hidden", condition) : condition;
                case OTHER -> hidden.fields ? in("hidden", condition) : condition;
                case LOOKUP -> lookup(condition);
                case JSON -> condition;
            };
        }

        private String in(String block, String condition) {
            return layout.part(block, Map.of("condition", condition));
        }

        private String lookup(String conditions) {
            // Forced to use the index of the time, each event looks for its addresses; of a field, each address for its
            // event.
            String id = part(hidden.timeIndexAlone() ? "id-hidden" : "id");
            String event = part(hidden == Hidden.ID_AND_TIME ? "event-hidden" : "event");
            if (layout.isByDay() && !hidden.fields) {
                id = layout.part("id-and-time", Map.of("id", id));
                event = layout.part("event-and-time", Map.of("event", event));
            }
            String truth = hidden.fields ? "IS TRUE" : "";
            return layout.part("lookup", Map.of("id", id, "event", event, "conditions", conditions, "truth", truth));
        }
    }

    /**
     * Conditions with values in PostgreSQL's text form. Several addresses of a family are one multirange; where they have a table of their
     * own, it is asked before the exact condition.
     */
    private static final class PostgresqlConditions extends Conditions {
        private final boolean hasAddressTable;

        PostgresqlConditions(Layout layout) {
            super(layout::has);
            this.hasAddressTable = layout.hasAddressTable();
        }

        @Override
        protected void addAll(List<Criterion> criteria, Window window, List<Condition> conditions) {
            for (Criterion criterion : criteria) {
                if (hasAddressTable && criterion instanceof AddressFigured figured) {
                    conditions.add(lookup(figured.anyOf(), figured.side(), window));
                } else if (hasAddressTable && criterion instanceof AddressAndPortOnOneSide both) {
                    conditions.add(lookup(List.of(both.address()), EventSide.EITHER, window));
                }
                conditions.add(of(criterion));
            }
        }

        /**
         * The events in which an address may have figured, by the table of addresses. They still have to meet the exact condition, since the
         * table knows networks only, and no port.
         */
        private static Condition lookup(List<AddressRange> anyOf, EventSide side, Window window) {
            Set<AddressRange> networks = new LinkedHashSet<>();
            anyOf.forEach(range -> networks.addAll(Networks.around(range)));
            Map<String, String> values = new HashMap<>();
            values.put("networks", Networks.array(networks));
            List<AddressRange> wide =
                    anyOf.stream().filter(range -> !range.isSingle()).toList();
            if (!wide.isEmpty()) {
                values.put("first", Collections.min(wide).first().toString());
                values.put(
                        "last",
                        wide.stream()
                                .map(AddressRange::last)
                                .max(Comparator.naturalOrder())
                                .orElseThrow()
                                .toString());
            }
            List<Condition> parts = new ArrayList<>();
            parts.add(new Leaf(wide.isEmpty() ? "networks" : "range", values::get));
            if (!window.isAlways()) {
                parts.add(new Leaf("lookup-window", ends(window)));
            }
            if (side != EventSide.EITHER) {
                parts.add(new Leaf(prefix(side) + "lookup", values::get));
            }
            return new About(Subject.LOOKUP, new All(parts));
        }

        @Override
        protected Condition addresses(List<AddressRange> anyOf, EventSide side) {
            if (anyOf.size() == 1) {
                return address(anyOf.get(0), side);
            }
            List<Condition> families = new ArrayList<>();
            for (Family family : Family.values()) {
                List<AddressRange> some =
                        anyOf.stream().filter(range -> range.family() == family).toList();
                String list = family.name().toLowerCase(Locale.ROOT) + "-list";
                if (!some.isEmpty()
                        && (has(prefix(side) + list) || (side == EventSide.EITHER && has("source-" + list)))) {
                    families.add(onSide(list, side, Map.of("address", SqlText.multirange(some))::get));
                } else {
                    some.forEach(range -> families.add(address(range, side)));
                }
            }
            return Condition.any(families);
        }

        private static Function<String, ?> ends(Window window) {
            return Map.of("from", SqlText.timestamp(window.from()), "until", SqlText.timestamp(window.until()))::get;
        }

        /** What follows from the window of the events for their JSON. */
        static Condition ofJson(Window window) {
            return new About(Subject.JSON, new Leaf("json-window", ends(window)));
        }

        @Override
        protected Function<String, ?> window(Window window) {
            return ends(window);
        }

        @Override
        protected Function<String, ?> key(PageKey key) {
            return Map.of("detect_time", SqlText.timestamp(key.detectTime()), "id", SqlText.clean(key.id()))::get;
        }

        @Override
        protected Function<String, ?> id(String id) {
            return Map.of("id", SqlText.clean(id))::get;
        }

        @Override
        protected Function<String, ?> address(AddressRange range) {
            return Map.of("address", SqlText.range(range))::get;
        }

        @Override
        protected Object whole(String text) {
            return SqlText.clean(text);
        }

        @Override
        protected Function<String, ?> text(String text) {
            return Map.of("text", SqlText.clean(text))::get;
        }

        @Override
        protected Object number(int number) {
            return Integer.toString(number);
        }
    }
}
