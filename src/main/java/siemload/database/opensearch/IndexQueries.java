package siemload.database.opensearch;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import siemload.database.ExistingEvents.Span;
import siemload.database.TargetException;
import siemload.database.layout.ValueLines;
import siemload.query.CountedValue;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.query.ValueField;
import siemload.query.Window;

/**
 * What a layout without loading asks of an index before it is searched: when its events were, and which values they have. Used by one
 * thread.
 */
record IndexQueries(EventSearch events) {
    private static final Search ALL =
            new Search(new SearchName("ALL"), Window.ALWAYS, List.of(), Order.UNSORTED, new Page.Whole());
    /** What a bucket has beside the aggregations within it. */
    private static final Set<String> OF_BUCKETS = Set.of(
            "key",
            "key_as_string",
            "doc_count",
            "doc_count_error_upper_bound",
            "from",
            "from_as_string",
            "to",
            "to_as_string");

    /**
     * When the events were: the first rows of both orders, and how many there are.
     *
     * @throws TargetException if there are none, or they have no times, or the server cannot be asked
     */
    Span span() {
        long count = OpenSearchErrors.trying(
                "count the events in " + place(),
                () -> EventSearch.total(events.client().answer(events.asking(events.counting(ALL)))));
        if (count < 1) {
            throw new TargetException("there is no event in " + place() + ": there is nothing to search");
        }
        return new Span(first(Order.OLDEST_FIRST), first(Order.NEWEST_FIRST), count);
    }

    private Instant first(Order order) {
        return OpenSearchErrors.trying("see when the events in " + place() + " were", () -> {
            Map<String, Object> one = EventSearch.sized(events.rows(ALL, order), 1);
            return EventSearch.hits(events.client().answer(events.asking(one))).stream()
                    .map(hit -> events.row(hit).detectTime())
                    .findFirst()
                    .orElseThrow(() -> OpenSearchException.incomplete("no row came, although there are events"));
        });
    }

    /**
     * The values of a kind, as its aggregation has them.
     *
     * @param aggregations with {@code values}
     * @param most how many are taken at most
     * @throws TargetException if there are none, or what cannot be looked for, or the server refuses
     */
    List<CountedValue> values(ValueField field, Map<String, Object> aggregations, int most) {
        ValueLines values = new ValueLines(field);
        Map<String, Object> body = EventSearch.with(
                EventSearch.sized(Map.of("aggs", aggregations), 0),
                "query",
                SearchQuery.of(ALL, events.variant().layout()));
        JsonNode answer = OpenSearchErrors.trying(
                "ask " + values.place() + ", in " + place(),
                () -> EventSearch.whole(events.client().answer(events.asking(body))));
        Json.elements(answer.path("aggregations").path(ValueLines.BLOCK).path("buckets"))
                .limit(most)
                .forEach(bucket -> values.add(
                        text(bucket.path("key"))
                                .orElseThrow(() -> values.wrong(
                                        "gives as value " + bucket.path("key") + " (needed: text or a whole number)")),
                        bucket.path("doc_count").asLong(),
                        beside(bucket)));
        return values.all();
    }

    /** The first value of each aggregation within a bucket. */
    private static Map<String, Optional<String>> beside(JsonNode bucket) {
        Map<String, Optional<String>> beside = new HashMap<>();
        Json.members(bucket).forEach((name, within) -> {
            if (!OF_BUCKETS.contains(name)) {
                beside.put(name, text(within.path("buckets").path(0).path("key")));
            }
        });
        return beside;
    }

    private static Optional<String> text(JsonNode key) {
        return key.isTextual() || key.isIntegralNumber() ? Optional.of(key.asText()) : Optional.empty();
    }

    private String place() {
        return "the index " + events.index();
    }
}
