package siemload.database.postgresql;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import siemload.database.layout.Condition;
import siemload.database.layout.Condition.About;
import siemload.database.layout.Condition.All;
import siemload.database.layout.Condition.Leaf;
import siemload.database.layout.Condition.Subject;
import siemload.database.layout.Conditions;
import siemload.event.AddressRange;
import siemload.event.AddressRange.Family;
import siemload.query.Criterion;
import siemload.query.Criterion.AddressAndPortOnOneSide;
import siemload.query.Criterion.AddressFigured;
import siemload.query.EventSide;
import siemload.query.PageKey;
import siemload.query.Window;

/**
 * Conditions with values in PostgreSQL's text form. Several addresses of a family are one multirange; where they have a table of their
 * own, it is asked before the exact condition.
 */
final class PostgresqlConditions extends Conditions {
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
            if (!some.isEmpty() && (has(prefix(side) + list) || (side == EventSide.EITHER && has("source-" + list)))) {
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
