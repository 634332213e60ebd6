package siemload.database.oracle;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import siemload.event.AddressRange;
import siemload.query.Criterion;
import siemload.query.Criterion.AddressAndPortOnOneSide;
import siemload.query.Criterion.AddressFigured;
import siemload.query.Criterion.AnyOf;
import siemload.query.Criterion.CategoryIs;
import siemload.query.Criterion.DescriptionIs;
import siemload.query.Criterion.DetectorIs;
import siemload.query.Criterion.IdIs;
import siemload.query.Criterion.Missing;
import siemload.query.Criterion.PortBetween;
import siemload.query.Criterion.PortUsed;
import siemload.query.Criterion.TextContains;
import siemload.query.EventSide;
import siemload.query.Order;
import siemload.query.PageKey;
import siemload.query.Search;
import siemload.query.Window;

/**
 * One condition of a search.
 *
 * @param name the end of the name of its file; of groups, none
 * @param anyOf the values by their names in the file; of several, one must be met
 * @param groups of which one must be met, each with all its conditions; none where there is a file
 */
record OracleCondition(String name, List<Map<String, Object>> anyOf, List<List<OracleCondition>> groups) {

    OracleCondition(String name, List<Map<String, Object>> anyOf) {
        this(name, anyOf, List.of());
    }

    /** The window and the criteria of a search; what every event meets is left out. */
    static List<OracleCondition> of(Search search) {
        List<OracleCondition> conditions = new ArrayList<>();
        Window window = search.window();
        if (!window.isAlways()) {
            conditions.add(one("window", Map.of("from", time(window.from()), "until", time(window.until()))));
        }
        conditions.addAll(all(search.criteria()));
        return conditions;
    }

    private static List<OracleCondition> all(List<Criterion> criteria) {
        List<OracleCondition> conditions = new ArrayList<>();
        for (Criterion criterion : criteria) {
            if (!(criterion instanceof TextContains contains
                    && ColumnValues.description(contains.text()).isEmpty())) {
                conditions.add(of(criterion));
            }
        }
        return conditions;
    }

    /** Those that have files, in the order in which they stand in the statement. */
    static List<OracleCondition> leaves(List<OracleCondition> conditions) {
        List<OracleCondition> leaves = new ArrayList<>();
        for (OracleCondition condition : conditions) {
            if (condition.groups().isEmpty()) {
                leaves.add(condition);
            }
            condition.groups().forEach(group -> leaves.addAll(leaves(group)));
        }
        return leaves;
    }

    /** The rows beyond a key in this order. */
    static OracleCondition beyond(PageKey key, Order order) {
        Map<String, Object> values = Map.of("time", time(key.detectTime()), "id", id(key.id()));
        return one(order == Order.OLDEST_FIRST ? "after-key" : "before-key", values);
    }

    static Object time(Instant instant) {
        return ColumnValues.time(instant);
    }

    private static OracleCondition of(Criterion criterion) {
        if (criterion instanceof AddressFigured figured) {
            List<Map<String, Object>> ranges =
                    figured.anyOf().stream().map(OracleCondition::range).toList();
            return new OracleCondition(
                    switch (figured.side()) {
                        case SOURCE -> "source";
                        case TARGET -> "target";
                        case EITHER -> "address";
                    },
                    ranges);
        } else if (criterion instanceof CategoryIs is) {
            return field("category", is.category());
        } else if (criterion instanceof DetectorIs is) {
            return field("detector", is.nodeName());
        } else if (criterion instanceof PortUsed used) {
            return one(onSide(used.side(), "port"), port(used.port()));
        } else if (criterion instanceof PortBetween between) {
            return one(
                    onSide(between.side(), "port-between"), Map.of("first", between.first(), "last", between.last()));
        } else if (criterion instanceof Missing missing) {
            String part = "no-" + missing.part().label();
            return one(onSide(missing.side(), part), Map.of());
        } else if (criterion instanceof AnyOf anyOf) {
            return new OracleCondition(
                    "",
                    List.of(),
                    anyOf.groups().stream().map(OracleCondition::all).toList());
        } else if (criterion instanceof AddressAndPortOnOneSide both) {
            Map<String, Object> values = new HashMap<>(range(both.address()));
            values.putAll(port(both.port()));
            return one("one-side", values);
        } else if (criterion instanceof TextContains contains) {
            return one("text", Map.of("text", ColumnValues.description(contains.text())));
        } else if (criterion instanceof DescriptionIs is) {
            return description(ColumnValues.description(is.text()));
        } else if (criterion instanceof IdIs is) {
            return one("id", Map.of("id", id(is.id())));
        }
        throw new AssertionError("a kind of criterion without SQL: " + criterion);
    }

    private static String onSide(EventSide side, String name) {
        return switch (side) {
            case SOURCE -> "source-" + name;
            case TARGET -> "target-" + name;
            case EITHER -> name;
        };
    }

    /** To Oracle an empty text is NULL, and a long one stands in a large object, which has no equality. */
    private static OracleCondition description(String text) {
        if (text.isEmpty()) {
            return one("no-description", Map.of());
        }
        return one(ColumnValues.isLong(text) ? "long-description" : "description", Map.of("text", text));
    }

    private static OracleCondition one(String name, Map<String, Object> values) {
        return new OracleCondition(name, List.of(values));
    }

    private static OracleCondition field(String name, String text) {
        return one(name, Map.of("text", ColumnValues.text(text), "several", ColumnValues.SEVERAL));
    }

    private static Map<String, Object> range(AddressRange range) {
        return Map.of(
                "first", ColumnValues.first(range),
                "last", ColumnValues.last(range));
    }

    private static Map<String, Object> port(int port) {
        return Map.of("port", port, "port_text", Integer.toString(port));
    }

    private static Object id(String id) {
        return ColumnValues.id(id);
    }
}
