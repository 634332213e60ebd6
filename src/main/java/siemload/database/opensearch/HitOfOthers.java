package siemload.database.opensearch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import siemload.database.RowReader.DetachedRow;
import siemload.database.opensearch.layout.HitParts;

/** A hit in an index that siemload has not made, as a row. Immutable. */
record HitOfOthers(JsonNode hit) {

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
        return OpenSearchException.incomplete("rows.json gives as " + part + ", in " + name + ", "
                + (found.isMissingNode() ? "nothing" : found.toString()) + " (needed: " + needed + ")");
    }
}
