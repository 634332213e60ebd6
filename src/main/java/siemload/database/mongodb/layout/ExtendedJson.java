package siemload.database.mongodb.layout;

import java.util.Map;
import java.util.Objects;
import org.bson.BsonInvalidOperationException;
import org.bson.Document;
import org.bson.json.JsonParseException;
import org.jspecify.annotations.Nullable;
import siemload.database.layout.document.BadTemplateException;
import siemload.database.layout.document.JsonNotation;

/** MongoDB's Extended JSON, whose objects are {@link Document}s. */
enum ExtendedJson implements JsonNotation {
    NOTATION;

    private static final String KEY = "json";

    @Override
    public String label() {
        return "Extended JSON";
    }

    @Override
    public String keysOfDocuments() {
        return "$param, $each, and the types of Extended JSON";
    }

    @Override
    public Object parsed(String text) {
        try {
            return Objects.requireNonNull(
                    Document.parse("{\"" + KEY + "\": " + text + "}").get(KEY), "null");
        } catch (JsonParseException | BsonInvalidOperationException | IllegalArgumentException wrong) {
            throw new BadTemplateException("is no Extended JSON: " + wrong.getMessage(), 0, 0);
        }
    }

    @Override
    public Map<String, Object> object() {
        return new Document();
    }

    @Override
    public Object constant(@Nullable Object json) {
        return Objects.requireNonNull(new Document(KEY, json).toBsonDocument().get(KEY));
    }
}
