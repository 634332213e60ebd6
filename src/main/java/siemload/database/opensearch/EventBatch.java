package siemload.database.opensearch;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import siemload.database.layout.EventFields;
import siemload.event.IdeaWriter;
import siemload.event.SecurityEvent;

/**
 * Events as the bulk interface takes them: a line for what is to be done with each, and its document on the next. One that is there already
 * is left as it is.
 *
 * @param lines nobody changes the array
 * @param bytes the size of the events as IDEA JSON
 */
@SuppressWarnings("ArrayRecordComponent") // Never compared.
record EventBatch(byte[] lines, long bytes) {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String ANSWER = "filter_path=errors,items.*.status,items.*.error";

    static EventBatch of(List<SecurityEvent> events, IndexLayout layout, IdeaWriter writer) {
        ByteArrayOutputStream lines = new ByteArrayOutputStream();
        long bytes = 0;
        // A generator of its own separates documents by nothing but these line ends.
        try (JsonGenerator generator = JSON.createGenerator(lines).setRootValueSeparator(null)) {
            for (SecurityEvent event : events) {
                byte[] idea = writer.toBytes(event);
                bytes += idea.length;
                generator.writeStartObject();
                generator.writeObjectFieldStart("create");
                generator.writeStringField("_id", EventFields.idHash(event.id()));
                generator.writeEndObject();
                generator.writeEndObject();
                generator.writeRaw('\n');
                generator.writeObject(layout.document(event, idea));
                generator.writeRaw('\n');
            }
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return new EventBatch(lines.toByteArray(), bytes);
    }

    /** What becomes of an event that is there already. */
    enum Twice {
        REFUSED,
        LEFT_ALONE
    }

    /**
     * Stores them, as durable as the index is set up. It is not made where it is not there any more.
     *
     * @param alias of the index
     * @param parameters of the request beside its own, with an ampersand after each
     * @return whether one was there already, and was left alone
     * @throws OpenSearchException if one of them was not stored
     */
    boolean store(OpenSearchClient client, String alias, String parameters, Twice twice, Duration timeout) {
        if (lines.length == 0) {
            return false;
        }
        String path = "/" + alias + "/_bulk?require_alias=true&" + parameters + ANSWER;
        JsonNode answer = client.answer(new RestCall("POST", path, lines, timeout));
        if (!answer.path("errors").asBoolean(true)) {
            return false;
        }
        List<JsonNode> failed = Json.elements(answer.path("items"))
                .map(item -> item.path("create"))
                .filter(created -> created.has("error"))
                .toList();
        failed.stream()
                .filter(created -> twice == Twice.REFUSED || !isThereAlready(created))
                .findFirst()
                .ifPresent(EventBatch::fail);
        return failed.stream().anyMatch(EventBatch::isThereAlready);
    }

    private static boolean isThereAlready(JsonNode created) {
        return created.path("status").asInt() == OpenSearchErrors.CONFLICT;
    }

    private static void fail(JsonNode item) {
        int status = item.path("status").asInt();
        JsonNode error = item.path("error");
        // Its words for a conflict have the id.
        String reason = status == OpenSearchErrors.CONFLICT
                ? "the document is there already"
                : error.path("reason").asText();
        throw new OpenSearchException(status, error.path("type").asText(), reason);
    }
}
