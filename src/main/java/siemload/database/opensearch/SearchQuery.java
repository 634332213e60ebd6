package siemload.database.opensearch;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import siemload.database.layout.document.EventText;
import siemload.database.opensearch.layout.IndexLayout;
import siemload.event.AddressRange;
import siemload.event.AddressRange.Family;
import siemload.event.WholeText;
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
import siemload.query.Search;
import siemload.query.Window;

/** The conditions of a search as a query that scores nothing, each from a file of the layout. */
final class SearchQuery {
    private final List<Object> conditions = new ArrayList<>();
    private final IndexLayout layout;

    private SearchQuery(IndexLayout layout) {
        this.layout = layout;
    }

    /** What finds all events of a search. */
    static Map<String, Object> of(Search search, IndexLayout layout) {
        SearchQuery query = new SearchQuery(layout);
        Window window = search.window();
        if (!window.isAlways()) {
            query.conditions.add(layout.template("condition-window").object(TimeValues.of(window)));
        }
        search.criteria().forEach(query::add);
        return query.conditions.isEmpty() ? Map.of("match_all", Map.of()) : allOf(query.conditions);
    }

    /** The values of a query for documents by the ids of their events. */
    static Map<String, Object> ofIds(List<String> ids) {
        return Map.of(
                "ids", ids, "id_hashes", ids.stream().map(IndexLayout::idHash).toList());
    }

    private static Map<String, Object> allOf(List<Object> conditions) {
        return Map.of("bool", Map.of("filter", conditions));
    }

    private static Map<String, Object> anyOf(List<?> alternatives) {
        return alternatives.size() == 1 && alternatives.get(0) instanceof Map<?, ?> only
                ? Map.of("bool", Map.of("filter", List.of(only)))
                : Map.of("bool", Map.of("should", alternatives, "minimum_should_match", 1));
    }

    private void add(String name, Map<String, ?> values) {
        conditions.add(condition(name, values));
    }

    private Object condition(String name, Map<String, ?> values) {
        return layout.template("condition-" + name).object(values);
    }

    private void add(Criterion criterion) {
        if (criterion instanceof AddressFigured figured) {
            conditions.add(anyOf(figured.anyOf().stream()
                    .map(range -> condition(side(figured.side()) + family(range), ends(range)))
                    .toList()));
        } else if (criterion instanceof CategoryIs is) {
            add("category", Map.of("category", WholeText.of(is.category())));
        } else if (criterion instanceof DetectorIs is) {
            add("detector", Map.of("detector", WholeText.of(is.nodeName())));
        } else if (criterion instanceof PortUsed used) {
            add(side(used.side()) + "port", Map.of("port", used.port()));
        } else if (criterion instanceof PortBetween between) {
            add(side(between.side()) + "port-between", Map.of("first", between.first(), "last", between.last()));
        } else if (criterion instanceof Missing missing) {
            add(side(missing.side()) + "no-" + missing.part().label(), Map.of());
        } else if (criterion instanceof AnyOf anyOf) {
            conditions.add(anyOf(anyOf.groups().stream().map(this::group).toList()));
        } else if (criterion instanceof AddressAndPortOnOneSide both) {
            AddressRange range = both.address();
            add("one-side-" + family(range), Map.of("first", first(range), "last", last(range), "port", both.port()));
        } else if (criterion instanceof TextContains contains) {
            add("text", Map.of("pattern", "*" + literal(EventText.searchable(contains.text())) + "*"));
        } else if (criterion instanceof DescriptionIs is) {
            add("description", Map.of("text", EventText.searchable(is.text())));
        } else if (criterion instanceof IdIs is) {
            String id = WholeText.of(is.id());
            add("id", Map.of("id", id, "id_hash", IndexLayout.idHash(id)));
        } else {
            throw new AssertionError("a kind of criterion without a query: " + criterion);
        }
    }

    private Map<String, Object> group(List<Criterion> criteria) {
        SearchQuery query = new SearchQuery(layout);
        criteria.forEach(query::add);
        return allOf(query.conditions);
    }

    /** How the files of one side begin; empty for either. */
    private static String side(EventSide side) {
        return switch (side) {
            case SOURCE -> "source-";
            case TARGET -> "target-";
            case EITHER -> "";
        };
    }

    private static String family(AddressRange range) {
        return range.family() == Family.IP4 ? "ip4" : "ip6";
    }

    private static Map<String, Object> ends(AddressRange range) {
        return Map.of("first", first(range), "last", last(range));
    }

    private static String first(AddressRange range) {
        return range.first().toString();
    }

    private static String last(AddressRange range) {
        return range.last().toString();
    }

    /** A text in which no character of a wildcard query means anything but itself. */
    private static String literal(String text) {
        return text.replaceAll("[\\\\*?]", "\\\\$0");
    }
}
