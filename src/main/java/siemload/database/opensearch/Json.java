package siemload.database.opensearch;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import siemload.event.JsonFault;

/** What requests and answers are written in. Stateless. */
final class Json {
    private static final ObjectMapper MAPPER = JsonMapper.builder().build();

    static {
        // A whole event is one text here, however long it is.
        MAPPER.getFactory()
                .setStreamReadConstraints(StreamReadConstraints.builder()
                        .maxStringLength(Integer.MAX_VALUE)
                        .build());
    }

    private Json() {}

    static byte[] bytes(Object value) {
        try {
            return MAPPER.writeValueAsBytes(value);
        } catch (JsonProcessingException impossible) {
            throw new IllegalArgumentException("cannot be written as JSON: " + value.getClass(), impossible);
        }
    }

    /** @throws IOException if it is no JSON */
    static JsonNode read(byte[] text) throws IOException {
        try {
            return MAPPER.readTree(text);
        } catch (JsonProcessingException broken) {
            throw new IOException("the answer is no JSON: " + JsonFault.words(broken), broken);
        }
    }

    /** For people. */
    static String indented(JsonNode json) {
        return json.toPrettyString();
    }

    /** The elements of an array, or the values of an object. */
    static Stream<JsonNode> elements(JsonNode json) {
        return StreamSupport.stream(json.spliterator(), false);
    }

    /** The members of an object. */
    static SortedMap<String, JsonNode> members(JsonNode json) {
        SortedMap<String, JsonNode> members = new TreeMap<>();
        json.properties().forEach(member -> members.put(member.getKey(), member.getValue()));
        return members;
    }
}
