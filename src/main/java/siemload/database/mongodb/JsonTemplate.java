package siemload.database.mongodb;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/**
 * A filter, an expression or a pipeline from a resource file. Wherever the file has {@code {"$param": "name"}} a value
 * is put in, as a BSON value and never as text. Nobody changes the value; thread-safe under that condition.
 */
record JsonTemplate(BsonValue json) {
    private static final String PARAMETER = "$param";

    /** Reads a file of this package's resources. */
    static JsonTemplate read(String file) {
        try (InputStream stream =
                Objects.requireNonNull(JsonTemplate.class.getResourceAsStream(file), () -> "no resource " + file)) {
            String text = new String(stream.readAllBytes(), StandardCharsets.UTF_8);
            return new JsonTemplate(BsonArray.parse("[" + text + "]").get(0));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The filter with its values. */
    BsonDocument document(Map<String, ? extends BsonValue> values) {
        return with(json, values).asDocument();
    }

    /** The pipeline with its values. */
    List<BsonDocument> pipeline(Map<String, ? extends BsonValue> values) {
        List<BsonDocument> stages = new ArrayList<>();
        for (BsonValue stage : with(json, values).asArray()) {
            stages.add(stage.asDocument());
        }
        return stages;
    }

    private static BsonValue with(BsonValue json, Map<String, ? extends BsonValue> values) {
        if (json instanceof BsonDocument document) {
            BsonValue name = document.get(PARAMETER);
            if (name != null) {
                String parameter = name.asString().getValue();
                return Objects.requireNonNull(values.get(parameter), () -> "no value " + parameter);
            }
            BsonDocument filled = new BsonDocument(document.size());
            document.forEach((key, value) -> filled.append(key, with(value, values)));
            return filled;
        }
        if (json instanceof BsonArray array) {
            BsonArray filled = new BsonArray(array.size());
            array.forEach(value -> filled.add(with(value, values)));
            return filled;
        }
        return json;
    }
}
