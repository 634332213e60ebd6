package siemload.database.opensearch.layout;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import siemload.database.layout.document.BadTemplateException;
import siemload.database.layout.document.JsonNotation;
import siemload.event.JsonFault;

/** JSON without types of a database, whose objects are maps in the order of their keys. */
enum PlainJson implements JsonNotation {
    NOTATION;

    /** Numbers stay as they are written. */
    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();

    @Override
    public String label() {
        return "JSON";
    }

    @Override
    public String keysOfDocuments() {
        return "$param and $each";
    }

    @Override
    public Object parsed(String text) {
        try {
            return Objects.requireNonNullElseGet(MAPPER.readValue(text, Object.class), () -> {
                throw new BadTemplateException("is null (needed: an object, a list or a value)", 0, 0);
            });
        } catch (JsonProcessingException wrong) {
            throw new BadTemplateException("is no JSON: " + JsonFault.words(wrong), 0, 0);
        }
    }

    @Override
    public Map<String, Object> object() {
        return new LinkedHashMap<>();
    }

    @Override
    public @Nullable Object constant(@Nullable Object json) {
        return json;
    }

    /** JSON that is known to be an object. */
    @SuppressWarnings("unchecked") // The keys of all objects of JSON are strings.
    static Map<String, Object> object(Object json) {
        return (Map<String, Object>) json;
    }
}
