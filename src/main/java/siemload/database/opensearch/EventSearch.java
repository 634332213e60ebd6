package siemload.database.opensearch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import siemload.database.SearchSession.RowReader.DetachedRow;
import siemload.database.layout.EventText;
import siemload.database.opensearch.IndexLayout.HitParts;
import siemload.query.Order;
import siemload.query.PageKey;
import siemload.query.Search;

/**
 * What a server is sent for searches of one index, and what its answers hold. Immutable and thread-safe.
 *
 * @param timeout how long an answer is waited for
 */
record EventSearch(OpenSearchClient client, String index, IndexVariant variant, Duration timeout) {
    /** Half an answer is none, and a search that nobody waits for any more ends. */
    private static final String PARAMETERS = "allow_partial_search_results=false&cancel_after_time_interval=";

    private static final String SIZE = "size";
    private static final String TOTAL = "track_total_hits";

    /** A request that finds rows: what to look for, in which order, and what a row has. */
    Map<String, Object> rows(Search search, Order order) {
        Map<String, Object> body = new LinkedHashMap<>(variant.layout().rows());
        body.put("query", SearchQuery.of(search, variant.layout()));
        List<Object> sort = variant.layout().order(order);
        if (!sort.isEmpty()) {
            body.put("sort", sort);
        }
        return body;
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

    /**
     * The same beyond a row.
     *
     * @param place the values that the row was sorted by
     */
    static Map<String, Object> after(Map<String, Object> body, Object place) {
        return with(body, "search_after", place);
    }

    /** What a row of this key was sorted by. */
    List<Object> place(PageKey key) {
        return variant.layout().isForSearchesAlone()
                ? variant.layout().place(SearchQuery.place(key))
                : List.of(EventText.micros(key.detectTime()), key.id());
    }

    /** The same request with one more part. */
    static Map<String, Object> with(Map<String, Object> body, String part, Object value) {
        Map<String, Object> more = new LinkedHashMap<>(body);
        more.put(part, value);
        return more;
    }

    /** A request that counts. */
    Map<String, Object> counting(Search search) {
        return Map.of(SIZE, 0, TOTAL, true, "query", SearchQuery.of(search, variant.layout()));
    }

    /** Asks the index. */
    RestCall asking(Map<String, Object> body) {
        return RestCall.post("/" + index + "/_search?" + parameters(), uncounted(body), timeout);
    }

    /** Rows alone are wanted: counting what else there is would keep the server from ending early. */
    private static Map<String, Object> uncounted(Map<String, Object> body) {
        return body.containsKey(TOTAL) ? body : with(body, TOTAL, false);
    }

    /** Asks the index for the first rows of a scroll, which counts in any case. */
    RestCall scrolling(Map<String, Object> body, String kept) {
        return RestCall.post("/" + index + "/_search?scroll=" + kept + "&" + parameters(), body, timeout);
    }

    /** Asks whatever the body names. */
    RestCall askingPointInTime(Map<String, Object> body) {
        return RestCall.post("/_search?" + parameters(), uncounted(body), timeout);
    }

    /** The server ends it when nobody waits any more. */
    private String parameters() {
        return PARAMETERS + timeout.toMillis() + "ms";
    }

    /** The rows of an answer. @throws OpenSearchException if it is not the whole one */
    static List<JsonNode> hits(JsonNode answer) {
        return Json.elements(whole(answer).path("hits").path("hits")).toList();
    }

    /** An answer of all shards, which none of them has cut short. @throws OpenSearchException if it is another one */
    static JsonNode whole(JsonNode answer) {
        if (answer.path("timed_out").asBoolean(false)) {
            throw OpenSearchException.incomplete("the server gave up before it had looked at all events");
        }
        int failed = answer.path("_shards").path("failed").asInt(0);
        if (failed > 0) {
            throw OpenSearchException.incomplete(failed + " shards gave no answer");
        }
        return answer;
    }

    /** How many events an answer to {@link #counting} has found. */
    static long total(JsonNode answer) {
        return whole(answer).path("hits").path("total").path("value").asLong();
    }

    /** @throws OpenSearchException if the layout's files do not give what a row has */
    DetachedRow row(JsonNode hit) {
        var parts = variant.layout().parts();
        return parts.isPresent() ? new HitOfOthers(hit).row(parts.get()) : ownRow(hit);
    }

    private static DetachedRow ownRow(JsonNode hit) {
        JsonNode source = hit.path("_source");
        JsonNode id = source.path("id");
        JsonNode micros = source.path("detect_micros");
        JsonNode event = source.path("event");
        if (!id.isTextual() || !micros.isIntegralNumber() || !event.isTextual()) {
            throw OpenSearchException.incomplete("a hit has no id, detect_micros and event in its _source");
        }
        return new DetachedRow(
                id.asText(), EventText.instant(micros.asLong()), event.asText().getBytes(StandardCharsets.UTF_8));
    }

    /** A hit in an index that siemload has not made, as a row. Immutable. */
    private record HitOfOthers(JsonNode hit) {

        /** @throws OpenSearchException if it has not what a row is made of */
        DetachedRow row(HitParts parts) {
            return new DetachedRow(id(parts.id()), time(parts.time()), event(parts.event()));
        }

        private String id(String name) {
            JsonNode id = part(name);
            if (!id.isTextual() && !id.isIntegralNumber()) {
                throw wrong("id", name, id, "text or a whole number");
            }
            return id.asText();
        }

        private Instant time(String name) {
            JsonNode time = part(name);
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

        private byte[] event(String name) {
            JsonNode event = part(name);
            if (event.isMissingNode() || event.isNull()) {
                throw wrong("event", name, event, "text or an object");
            }
            return event.isTextual() ? event.asText().getBytes(StandardCharsets.UTF_8) : Json.bytes(event);
        }

        /** What the search asked for comes as a list, even of one value. */
        private JsonNode part(String name) {
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
}
