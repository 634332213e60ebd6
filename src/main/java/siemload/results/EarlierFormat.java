package siemload.results;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import siemload.results.RunResult.ObjectiveResult;

/**
 * Completes a run.json that an earlier version wrote, which did not measure all that is measured now, or called it otherwise:
 * what is not there is empty or 0, as it is where nothing was measured. Stateless.
 */
final class EarlierFormat {
    private static final List<String> ALWAYS_THERE =
            List.of("formatVersion", "runId", "scenario", "startedAt", "target", "dataset", "searches", "validity");

    private EarlierFormat() {}

    /**
     * Adds the missing keys, and gives the others their names of today.
     *
     * @throws BrokenFileException if it lacks one that every version wrote
     */
    static ObjectNode completed(Path file, JsonNode run) throws BrokenFileException {
        if (!(run instanceof ObjectNode object)) {
            throw new BrokenFileException(file + ": not a JSON object");
        }
        for (String key : ALWAYS_THERE) {
            if (!object.hasNonNull(key)) {
                throw new BrokenFileException(file + ": '" + key + "' is missing, so this is no result of a run");
            }
        }
        renamed(object.path("feeder"), "targetEps", "eventsPerSecond");
        renamed(object.path("feeder"), "achievedEps", "achievedEventsPerSecond");
        if (object.path("validity") instanceof ObjectNode validity) {
            addVerdict(validity);
        }
        object.path("objectives").forEach(EarlierFormat::addOutcome);
        complete(object, RunResult.class);
        return object;
    }

    /** A run was valid or not; then saturation was a third verdict, and its sentences stood behind the other warnings. */
    private static void addVerdict(ObjectNode validity) {
        if (validity.hasNonNull("disturbance")) {
            return;
        }
        JsonNode saturation = validity.path("saturation");
        int ofSaturation =
                saturation.path("gaveOut").size() + saturation.path("signs").size();
        if (validity.path("warnings") instanceof ArrayNode warnings) {
            for (int i = 0; i < ofSaturation && !warnings.isEmpty(); i++) {
                warnings.remove(warnings.size() - 1);
            }
        }
        boolean valid = validity.path("valid").asBoolean()
                || validity.path("verdict").asText().equals("saturated");
        validity.put("valid", valid);
        validity.put("verdict", (valid ? RunVerdict.VALID : RunVerdict.NOT_VALID).label());
    }

    /** An objective was met or it was not, however few searches there were. */
    private static void addOutcome(JsonNode objective) {
        if (objective instanceof ObjectNode object && !object.hasNonNull("outcome")) {
            boolean met = object.path("met").asBoolean();
            object.put("outcome", (met ? ObjectiveResult.Outcome.MET : ObjectiveResult.Outcome.MISSED).label());
        }
    }

    private static void renamed(JsonNode node, String before, String now) {
        if (node instanceof ObjectNode object && object.has(before) && !object.has(now)) {
            object.set(now, object.remove(before));
        }
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
        JsonNodeFactory json = JsonNodeFactory.instance;
        if (type == List.class) {
            return json.arrayNode();
        }
        if (type == Map.class || type.isRecord()) {
            return json.objectNode();
        }
        if (type == boolean.class) {
            return json.booleanNode(false);
        }
        return type.isPrimitive() ? json.numberNode(0) : json.textNode("");
    }
}
