package siemload.database.mongodb;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.bson.Document;
import siemload.database.ResourceFile;

/**
 * A filter, an expression or a pipeline from a resource file. Wherever the file has {@code {"$param": "name"}} a value
 * is put in, as a value and never as text. Nobody changes the JSON; thread-safe under that condition.
 */
record JsonTemplate(Object json) {
    private static final Map<String, JsonTemplate> READ = new ConcurrentHashMap<>();
    private static final String PARAMETER = "$param";

    /** A file of this package's resources, which is read once. */
    static JsonTemplate read(String file) {
        return READ.computeIfAbsent(file, JsonTemplate::parse);
    }

    private static JsonTemplate parse(String file) {
        String text = ResourceFile.text(JsonTemplate.class, file);
        return new JsonTemplate(Objects.requireNonNull(
                Document.parse("{\"json\": " + text + "}").get("json")));
    }

    /** The filter with its values. */
    Document document(Map<String, ?> values) {
        return (Document) with(json, values);
    }

    /** The pipeline with its values. */
    List<Document> pipeline(Map<String, ?> values) {
        List<Document> stages = new ArrayList<>();
        for (Object stage : (List<?>) json) {
            stages.add((Document) with(stage, values));
        }
        return stages;
    }

    private static Object with(Object json, Map<String, ?> values) {
        if (json instanceof Document document) {
            Object parameter = document.get(PARAMETER);
            if (parameter != null) {
                return Objects.requireNonNull(values.get(parameter), () -> "no value " + parameter);
            }
            Document filled = new Document();
            document.forEach((key, value) -> filled.append(key, with(value, values)));
            return filled;
        }
        return json instanceof List<?> list
                ? list.stream().map(value -> with(value, values)).toList()
                : json;
    }
}
