package siemload.database.postgresql.search;

import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import siemload.database.postgresql.layout.Networks;
import siemload.database.postgresql.layout.SqlText;
import siemload.database.postgresql.search.PostgresqlCondition.Kind;
import siemload.event.AddressRange;
import siemload.query.Criterion;
import siemload.query.Window;

/**
 * How the layout {@code address} finds the events in which an address may have figured, by its own table. They still
 * have to meet the exact condition: the table knows networks only, and no port.
 */
final class AddressLookup {
    private AddressLookup() {}

    /** The lookup for a criterion; empty if it is about no address. */
    static Optional<PostgresqlCondition> of(Criterion criterion, Window window) {
        if (criterion instanceof Criterion.AddressFigured figured) {
            return Optional.of(lookup(figured.anyOf(), window));
        } else if (criterion instanceof Criterion.AddressAndPortOnOneSide both) {
            return Optional.of(lookup(List.of(both.address()), window));
        }
        return Optional.empty();
    }

    private static PostgresqlCondition lookup(Collection<AddressRange> anyOf, Window window) {
        Set<AddressRange> networks = new LinkedHashSet<>();
        anyOf.forEach(range -> networks.addAll(Networks.around(range)));
        Map<String, String> values = new HashMap<>();
        values.put("networks", Networks.array(networks));
        List<AddressRange> wide =
                anyOf.stream().filter(range -> !range.isSingle()).toList();
        if (!wide.isEmpty()) {
            values.put("first", Networks.first(Collections.min(wide)).toString());
            values.put(
                    "last",
                    wide.stream()
                            .map(Networks::last)
                            .max(Comparator.naturalOrder())
                            .orElseThrow()
                            .toString());
        }
        if (window.isAlways()) {
            return new PostgresqlCondition(wide.isEmpty() ? Kind.NETWORKS : Kind.RANGE, values);
        }
        values.put("from", SqlText.timestamp(window.from()));
        values.put("until", SqlText.timestamp(window.until()));
        return new PostgresqlCondition(wide.isEmpty() ? Kind.NETWORKS_WINDOW : Kind.RANGE_WINDOW, values);
    }
}
