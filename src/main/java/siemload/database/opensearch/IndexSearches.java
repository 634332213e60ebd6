package siemload.database.opensearch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import siemload.database.IndexSet;
import siemload.database.SearchSession.RowReader.DetachedRow;
import siemload.database.layout.Condition;
import siemload.database.layout.EventText;
import siemload.database.layout.JsonSearches;
import siemload.database.opensearch.IndexLayout.HitParts;
import siemload.database.opensearch.OpenSearchClient.OpenSearchException;
import siemload.database.server.Portions;
import siemload.event.AddressRange;
import siemload.query.Field;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.PageClass;
import siemload.query.PageKey;
import siemload.query.Search;
import siemload.query.Summary;

/** Translates searches into requests by a layout, and answers into rows and lines. Immutable and thread-safe. */
final class IndexSearches extends JsonSearches<Map<String, Object>> {
    private static final String SIZE = "size";
    /** The key that says whether all that is found is counted. */
    static final String TOTAL = "track_total_hits";

    private static final String QUERY = "query";
    private static final String STEPS = "steps";
    private static final long MICROS_PER_MILLI = 1_000;
    /** The family and the bytes of an address: in the order of addresses as text. */
    private static final Pattern IN_ORDER = Pattern.compile("4[0-9a-f]{8}|6[0-9a-f]{32}");

    private final IndexLayout layout;
    private final IndexSet indexes;

    IndexSearches(IndexLayout layout, IndexSet indexes) {
        super(layout);
        this.layout = layout;
        this.indexes = indexes;
    }

    IndexLayout layout() {
        return layout;
    }

    /** A request that finds rows: what to look for, in which order, and what a row has. Counting what else there is would keep the server from ending early. */
    Map<String, Object> rows(Search search, Order order) {
        Map<String, Object> body = new LinkedHashMap<>(layout.rows());
        body.put(TOTAL, false);
        body.put(QUERY, query(search));
        List<Object> sort = layout.order(order);
        if (!sort.isEmpty()) {
            body.put("sort", sort);
        }
        return body;
    }

    /** The same request with one more part. */
    static Map<String, Object> with(Map<String, Object> body, String part, Object value) {
        Map<String, Object> more = new LinkedHashMap<>(body);
        more.put(part, value);
        return more;
    }

    /** The same for so many rows. */
    static Map<String, Object> sized(Map<String, Object> body, int size) {
        return with(body, SIZE, size);
    }

    /**
     * The same from a row on.
     *
     * @param offset how many rows are passed over
     */
    static Map<String, Object> from(Map<String, Object> body, int offset) {
        return offset == 0 ? body : with(body, "from", offset);
    }

    /** What is asked first for the rows of a search's page. */
    Map<String, Object> first(Search search) {
        if (Portions.isSingle(search)) {
            return sized(rows(search, Order.UNSORTED), 1);
        }
        boolean backwards = search.page() instanceof Page.Last;
        Map<String, Object> sized = sized(
                rows(search, backwards ? search.order().reversed() : search.order()),
                Portions.of(search.page().mostRows().orElse(Portions.ROWS)));
        if (search.page() instanceof Page.After page) {
            return with(sized, "search_after", place(page.key()));
        }
        return search.page() instanceof Page.Numbered page ? from(sized, offset(page)) : sized;
    }

    /** How many rows come before a page, as far as the server counts. */
    static int offset(Page.Numbered page) {
        return (int) Math.min(page.offset(), Integer.MAX_VALUE - page.size());
    }

    /** What a row of this key was sorted by. */
    List<Object> place(PageKey key) {
        return layout.isForSearchesAlone()
                ? layout.place(name -> value(name, key))
                : List.of(EventText.micros(key.detectTime()), key.id());
    }

    /** A request that counts. */
    Map<String, Object> counting(Search search) {
        return withoutRows(new LinkedHashMap<>(), search, true);
    }

    /** A request that aggregates the events of a search. */
    Map<String, Object> aggregating(Search search, Map<String, Object> aggregations) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("aggs", aggregations);
        return withoutRows(body, search, false);
    }

    /** In one order, so that a search is the same text in every process. */
    private Map<String, Object> withoutRows(Map<String, Object> body, Search search, boolean counts) {
        body.put(SIZE, 0);
        body.put(TOTAL, counts);
        body.put(QUERY, query(search));
        return body;
    }

    /** A request that sums up. */
    Map<String, Object> summing(Search search, Summary summary) {
        Map<String, Object> values = new HashMap<>();
        values.put("field", layout.field(summary.field()));
        if (summary instanceof Summary.TopList top) {
            values.put("limit", top.size());
            return aggregating(search, layout.block("top-list").object(values));
        } else if (summary instanceof Summary.OverTime timeline) {
            long step = timeline.step(search.window()).toNanos() / 1_000;
            long offset = Math.floorMod(EventText.micros(search.window().from()), step);
            values.put("time", layout.timeField());
            values.put("step", step);
            values.put("offset", offset);
            values.put("step_millis", millis(step));
            values.put("offset_millis", millis(offset));
            return aggregating(search, layout.block("timeline").object(values));
        }
        throw new AssertionError("a kind of summary without aggregations: " + summary);
    }

    /** Whole ones wherever they are. */
    private static Number millis(long micros) {
        if (micros % MICROS_PER_MILLI == 0) {
            return micros / MICROS_PER_MILLI;
        }
        return micros / (double) MICROS_PER_MILLI;
    }

    /** Translates a search that users come to in this way. @throws siemload.database.layout.Blocks.MissingBlockException */
    void translate(Search search, PageClass page) {
        if (page == PageClass.SUMMARY) {
            search.summary().ifPresent(summary -> summing(search, summary));
        } else {
            query(search);
        }
    }

    /** Whether events lie in the index as this order has them, so that nothing is sorted. */
    boolean isSortedBy(Order order) {
        SortedMap<String, Object> settings = layout.settings(indexes);
        List<String> fields = new ArrayList<>();
        List<String> ways = new ArrayList<>();
        for (Object key : layout.order(order)) {
            ((Map<?, ?>) key).forEach((field, way) -> {
                fields.add(String.valueOf(field));
                ways.add(String.valueOf(way instanceof Map<?, ?> options ? options.get("order") : way));
            });
        }
        return !fields.isEmpty()
                && begins(settings.get("index.sort.field"), fields)
                && begins(settings.get("index.sort.order"), ways);
    }

    private static boolean begins(@Nullable Object setting, List<String> with) {
        List<String> all = setting instanceof List<?> list
                ? list.stream().map(String::valueOf).toList()
                : List.of(String.valueOf(setting));
        return all.size() >= with.size() && all.subList(0, with.size()).equals(with);
    }

    /** What finds all events of a search, and scores nothing. */
    private Map<String, Object> query(Search search) {
        List<Condition> conditions = of(search);
        return conditions.isEmpty()
                ? Map.of("match_all", Map.of())
                : all(conditions, Condition.written(conditions, this));
    }

    @Override
    public Map<String, Object> all(List<Condition> conditions, List<Map<String, Object>> parts) {
        return Map.of("bool", Map.of("filter", parts));
    }

    @Override
    public Map<String, Object> any(List<Condition> conditions, List<Map<String, Object>> parts) {
        Map<String, Object> any = new LinkedHashMap<>();
        any.put("should", parts);
        any.put("minimum_should_match", 1);
        return Map.of("bool", any);
    }

    /** An answer of all shards, which none of them has cut short. @throws OpenSearchException if it is another one */
    static JsonNode whole(JsonNode answer) {
        if (answer.path("timed_out").asBoolean(false)) {
            throw OpenSearchException.incomplete("the server gave up before it had looked at all events");
        }
        int failed = answer.at("/_shards/failed").asInt(0);
        if (failed > 0) {
            throw OpenSearchException.incomplete(failed + " shards gave no answer");
        }
        return answer;
    }

    /** The rows of an answer. @throws OpenSearchException if it is not the whole one */
    static List<JsonNode> hits(JsonNode answer) {
        return whole(answer).at("/hits/hits").valueStream().toList();
    }

    /** How many events an answer to {@link #counting} has found. */
    static long total(JsonNode answer) {
        return whole(answer).at("/hits/total/value").asLong();
    }

    /**
     * The lines of an answer to {@link #summing}. Several shards count each for itself, so that a list of some of their values may be
     * wrong: an answer of which the server cannot say that it is exact is none.
     *
     * @throws OpenSearchException if the answer may not be exact
     */
    List<Summary.Line> lines(Search search, Summary summary, JsonNode answer) {
        JsonNode aggregations = whole(answer).path("aggregations");
        boolean isTimeline = aggregations.has(STEPS);
        // The dates of others are in milliseconds.
        long unit = layout.isForSearchesAlone() ? MICROS_PER_MILLI : 1;
        List<Summary.Line> lines = new ArrayList<>();
        for (JsonNode step : isTimeline ? aggregations.path(STEPS).path("buckets") : List.of(aggregations)) {
            JsonNode values = step.path("values");
            // Of a timeline all values are wanted.
            if (values.path("doc_count_error_upper_bound").asLong(0) != 0
                    || (isTimeline && values.path("sum_other_doc_count").asLong(0) != 0)) {
                throw OpenSearchException.incomplete("the shards have more values than they were asked for, so that the"
                        + " summary would not be exact (take one shard, or a larger size in the layout)");
            }
            Instant from = isTimeline
                    ? EventText.instant(Math.round(step.path("key").asDouble() * unit))
                    : search.window().start();
            values.path("buckets").forEach(line -> {
                String value = line.path("key").asText();
                lines.add(new Summary.Line(
                        from,
                        summary.field() == Field.SOURCE ? address(value) : value,
                        line.path("doc_count").asLong()));
            });
        }
        return lines;
    }

    /** In {@code lowest_source}, or as text. @throws OpenSearchException if it is none */
    private static String address(String stored) {
        try {
            AddressRange address = IN_ORDER.matcher(stored).matches()
                    ? AddressRange.ofBytes(HexFormat.of().parseHex(stored, 1, stored.length()))
                    : AddressRange.parse(stored);
            return address.toString();
        } catch (IllegalArgumentException none) {
            throw OpenSearchException.incomplete("a line of the summary has a value that is no address");
        }
    }

    /** @throws OpenSearchException if the layout's files do not give what a row has */
    DetachedRow row(JsonNode hit) {
        HitParts parts = layout.parts();
        return new DetachedRow(id(hit, parts.id()), time(hit, parts.time()), event(hit, parts.event()));
    }

    private static String id(JsonNode hit, String name) {
        JsonNode id = part(hit, name);
        if (!id.isTextual() && !id.isIntegralNumber()) {
            throw wrong("id", name, id, "text or a whole number");
        }
        return id.asText();
    }

    /** In microseconds where siemload has stored it. */
    private Instant time(JsonNode hit, String name) {
        JsonNode time = part(hit, name);
        if (time.isIntegralNumber() && !layout.isForSearchesAlone()) {
            return EventText.instant(time.asLong());
        }
        try {
            if (time.isTextual()) {
                return Instant.from(DateTimeFormatter.ISO_OFFSET_DATE_TIME.parse(time.asText()));
            }
        } catch (DateTimeParseException none) {
            // Told below, as what else is no time.
        }
        throw wrong(
                "time",
                name,
                time,
                "a time such as 2024-02-20T00:00:00.123Z; ask for it by docvalue_fields with the format"
                        + " strict_date_optional_time_nanos");
    }

    private static byte[] event(JsonNode hit, String name) {
        JsonNode event = part(hit, name);
        if (event.isMissingNode() || event.isNull()) {
            throw wrong("event", name, event, "text or an object");
        }
        return event.isTextual() ? event.asText().getBytes(StandardCharsets.UTF_8) : OpenSearchClient.bytes(event);
    }

    /** What the search asked for comes as a list, even of one value. */
    private static JsonNode part(JsonNode hit, String name) {
        if (name.equals(HitParts.ID) || name.equals(HitParts.SOURCE)) {
            return hit.path(name);
        }
        JsonNode asked = hit.path("fields").path(name).path(0);
        return asked.isMissingNode() ? inSource(hit.path(HitParts.SOURCE), name) : asked;
    }

    /** In documents, {@code a.b} may be one key, or one within the other. */
    private static JsonNode inSource(JsonNode source, String path) {
        if (source.has(path)) {
            return source.path(path);
        }
        int dot = path.indexOf('.');
        return dot < 0
                ? MissingNode.getInstance()
                : inSource(source.path(path.substring(0, dot)), path.substring(dot + 1));
    }

    private static OpenSearchException wrong(String part, String name, JsonNode found, String needed) {
        return OpenSearchException.incomplete("the block rows gives as " + part + ", in " + name + ", "
                + (found.isMissingNode() ? "nothing" : found.toString()) + " (needed: " + needed + ")");
    }
}
