package siemload.results;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A run.json of which a test writes what it is about: the rest is empty, 0 or false, and verdicts are as the rest says. */
public final class PartialRun {
    private static final ObjectMapper JSON = new ObjectMapper();

    private PartialRun() {}

    /** Completes the file in this directory of a run, and answers the directory. */
    public static Path in(Path directory) throws IOException {
        Path file = RunFile.RUN.in(directory);
        JsonNode run = JSON.readTree(file.toFile());
        if (run.path("validity") instanceof ObjectNode validity && !validity.has("verdict")) {
            validity.put("verdict", validity.path("valid").asBoolean() ? "valid" : "notValid");
        }
        run.path("objectives").forEach(objective -> {
            if (objective instanceof ObjectNode object && !object.has("outcome")) {
                object.put("outcome", object.path("met").asBoolean() ? "met" : "missed");
            }
        });
        complete(run, RunResult.class);
        JSON.writeValue(file.toFile(), run);
        return directory;
    }

    private static void complete(JsonNode node, Type type) {
        if (type instanceof Class<?> record && record.isRecord() && node instanceof ObjectNode object) {
            for (RecordComponent part : record.getRecordComponents()) {
                if (part.getAccessor().isAnnotationPresent(JsonUnwrapped.class)) {
                    complete(node, part.getType());
                    continue;
                }
                if (!object.hasNonNull(part.getName())) {
                    object.set(part.getName(), empty(part.getType()));
                }
                complete(object.path(part.getName()), part.getGenericType());
            }
        } else if (type instanceof ParameterizedType list && list.getRawType() == List.class) {
            node.forEach(element -> complete(element, list.getActualTypeArguments()[0]));
        }
    }

    private static JsonNode empty(Class<?> type) {
        if (type == List.class) {
            return JSON.createArrayNode();
        } else if (type == Map.class || type.isRecord()) {
            return JSON.createObjectNode();
        } else if (type == boolean.class) {
            return JSON.getNodeFactory().booleanNode(false);
        }
        return type.isPrimitive()
                ? JSON.getNodeFactory().numberNode(0)
                : JSON.getNodeFactory().textNode("");
    }
}
