package siemload.database.opensearch.layout;

import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What of a hit becomes a row, where siemload has not made the documents: the key {@code row} of {@code rows.json}. Each part is
 * {@code _id}, {@code _source}, or the name of a field: one that the search asks for by {@code fields} or {@code docvalue_fields}, or
 * else a path into {@code _source}. Immutable.
 *
 * @param id tells rows apart
 * @param time when the event was, as text in ISO 8601
 * @param event what a row shows
 */
public record HitParts(String id, String time, String event) {
    /** The name of the document in its index. */
    public static final String ID = "_id";
    /** The document as a whole, as far as the search asks for it. */
    public static final String SOURCE = "_source";

    /** The key of {@code rows.json} that is not sent. */
    static final String KEY = "row";

    private static final String TIME = "time";
    private static final Set<String> KNOWN = Set.of("id", TIME, "event");

    /** Those of a file in which nothing is {@link #wrong}. */
    static HitParts of(Map<?, ?> rows) {
        return new HitParts(part(rows, "id", ID), part(rows, TIME, ""), part(rows, "event", SOURCE));
    }

    private static String part(Map<?, ?> rows, String part, String usual) {
        return rows.get(KEY) instanceof Map<?, ?> parts && parts.get(part) instanceof String field ? field : usual;
    }

    /** What is wrong with such a file, behind its name; empty if nothing is. */
    static Optional<String> wrong(Map<?, ?> rows) {
        if (!(rows.get(KEY) instanceof Map<?, ?> parts) || !parts.containsKey(TIME)) {
            return Optional.of(
                    "does not say when an event was (needed: {\"row\": {\"time\": \"@timestamp\"}}, and what is sent"
                            + " beside it)");
        }
        return parts.entrySet().stream()
                .filter(part ->
                        !(KNOWN.contains(part.getKey()) && part.getValue() instanceof String field && !field.isEmpty()))
                .findFirst()
                .map(part ->
                        "has '" + part.getKey() + "' in row (allowed: id, time and event, each the name of a field)");
    }
}
