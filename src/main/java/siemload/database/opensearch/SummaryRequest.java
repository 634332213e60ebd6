package siemload.database.opensearch;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import siemload.database.layout.EventText;
import siemload.event.AddressRange;
import siemload.query.Field;
import siemload.query.Search;
import siemload.query.Summary;

/**
 * A summary as aggregations of the server. Several shards count each for itself, so that a list of some of their values may be wrong: an
 * answer of which the server cannot say that it is exact is none.
 *
 * @param start the time of lines that have none of their own
 * @param keyMicros how many microseconds the keys of steps count in: those of others' dates are milliseconds
 */
record SummaryRequest(Map<String, Object> body, Field field, Instant start, long keyMicros) {
    private static final String STEPS = "steps";
    private static final String VALUES = "values";
    private static final int NANOS_PER_MICRO = 1_000;
    private static final long MICROS_PER_MILLI = 1_000;
    /** The family and the bytes of an address: in the order of addresses as text. */
    private static final Pattern IN_ORDER = Pattern.compile("4[0-9a-f]{8}|6[0-9a-f]{32}");

    static SummaryRequest of(Search search, Summary summary, IndexVariant variant) {
        IndexLayout layout = variant.layout();
        String field = layout.field(summary.field());
        Map<String, Object> aggregations;
        if (summary instanceof Summary.OverTime timeline) {
            long step = timeline.step(search.window()).toNanos() / NANOS_PER_MICRO;
            aggregations =
                    layout.block("timeline").object(steps(search.window().from(), step, layout.timeField(), field));
        } else if (summary instanceof Summary.TopList top) {
            aggregations = layout.block("top-list").object(Map.of("field", field, "limit", top.size()));
        } else {
            throw new AssertionError("a kind of summary without aggregations: " + summary);
        }
        Map<String, Object> body = Map.of("size", 0, "query", SearchQuery.of(search, layout), "aggs", aggregations);
        long unit = layout.isForSearchesAlone() ? MICROS_PER_MILLI : 1;
        return new SummaryRequest(body, summary.field(), search.window().start(), unit);
    }

    /**
     * Of the steps of a timeline.
     *
     * @param time the field of the time
     * @param field whose values are counted
     * @param step microseconds
     */
    private static Function<String, Object> steps(Instant from, long step, String time, String field) {
        long offset = Math.floorMod(EventText.micros(from), step);
        return name -> switch (name) {
            case "step" -> step;
            case "offset" -> offset;
            case "step_millis" -> millis(step);
            case "offset_millis" -> millis(offset);
            case "time" -> time;
            case "field" -> field;
            default -> throw new IllegalArgumentException("no value " + name);
        };
    }

    /** Whole ones wherever they are. */
    private static Number millis(long micros) {
        if (micros % MICROS_PER_MILLI == 0) {
            return micros / MICROS_PER_MILLI;
        }
        return micros / (double) MICROS_PER_MILLI;
    }

    /** @throws OpenSearchException if the answer may not be exact */
    List<Summary.Line> lines(JsonNode answer) {
        JsonNode aggregations = EventSearch.whole(answer).path("aggregations");
        return aggregations.has(STEPS)
                ? Json.elements(aggregations.path(STEPS).path("buckets"))
                        .flatMap(step -> lines(
                                EventText.instant(Math.round(step.path("key").asDouble() * keyMicros)),
                                step,
                                Wanted.ALL))
                        .toList()
                : lines(start, aggregations, Wanted.MOST_FREQUENT).toList();
    }

    /** Which values of a field are asked for. */
    private enum Wanted {
        ALL,
        MOST_FREQUENT
    }

    private Stream<Summary.Line> lines(Instant from, JsonNode of, Wanted wanted) {
        JsonNode values = of.path(VALUES);
        long wrong = values.path("doc_count_error_upper_bound").asLong(0);
        long others = wanted == Wanted.ALL ? values.path("sum_other_doc_count").asLong(0) : 0;
        if (wrong != 0 || others != 0) {
            throw OpenSearchException.incomplete("the shards have more values than they were asked for, so that the"
                    + " summary would not be exact (take one shard, or a larger size in the layout)");
        }
        return Json.elements(values.path("buckets"))
                .map(line -> new Summary.Line(
                        from,
                        value(line.path("key").asText()),
                        line.path("doc_count").asLong()));
    }

    private String value(String stored) {
        return field == Field.SOURCE ? address(stored).toString() : stored;
    }

    /** In {@code lowest_source}, or as text. @throws OpenSearchException if it is none */
    private static AddressRange address(String stored) {
        try {
            return IN_ORDER.matcher(stored).matches()
                    ? AddressRange.ofBytes(HexFormat.of().parseHex(stored, 1, stored.length()))
                    : AddressRange.parse(stored);
        } catch (IllegalArgumentException none) {
            throw OpenSearchException.incomplete("a line of the summary has a value that is no address");
        }
    }
}
