package siemload.dataset.format;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * The way to a field in an event: {@code source.ip}. Lists on the way are gone through, element by element, and a key that
 * has the whole rest of the way in it ({@code "source.ip": ...}) is found as well. Immutable.
 */
record FieldPath(String text, List<String> keys, List<String> rests) {

    FieldPath {
        keys = List.copyOf(keys);
        rests = List.copyOf(rests);
    }

    static FieldPath of(String text) {
        List<String> keys = List.of(text.split("\\.", -1));
        List<String> rests = new ArrayList<>();
        for (int i = 0; i < keys.size(); i++) {
            rests.add(String.join(".", keys.subList(i, keys.size())));
        }
        return new FieldPath(text, keys, rests);
    }

    /** Takes out of the event all values there that are accepted; the others stay, and empty objects go. */
    void take(ObjectNode event, Predicate<JsonNode> accepts) {
        take(event, 0, accepts);
    }

    /** Shows all values there; nothing is taken. */
    void visit(ObjectNode event, Consumer<JsonNode> visitor) {
        take(event, 0, value -> {
            visitor.accept(value);
            return false;
        });
    }

    private void take(ObjectNode object, int depth, Predicate<JsonNode> accepts) {
        takeKey(object, keys.get(depth), depth, accepts);
        if (depth < keys.size() - 1) {
            takeKey(object, rests.get(depth), keys.size() - 1, accepts);
        }
    }

    private void takeKey(ObjectNode object, String key, int depth, Predicate<JsonNode> accepts) {
        JsonNode value = object.get(key);
        if (value == null) {
            return;
        }
        boolean taken;
        if (value instanceof ArrayNode list) {
            boolean hadElements = !list.isEmpty();
            for (int i = 0; i < list.size(); i++) {
                if (!(list.get(i) instanceof ArrayNode) && takeValue(list.get(i), depth, accepts)) {
                    list.set(i, list.missingNode());
                }
            }
            removeMissing(list);
            taken = hadElements && list.isEmpty();
        } else {
            taken = takeValue(value, depth, accepts);
        }
        if (taken) {
            object.remove(key);
        }
    }

    private static void removeMissing(ArrayNode list) {
        for (int i = list.size() - 1; i >= 0; i--) {
            if (list.get(i).isMissingNode()) {
                list.remove(i);
            }
        }
    }

    private boolean takeValue(JsonNode value, int depth, Predicate<JsonNode> accepts) {
        if (depth == keys.size() - 1) {
            return value.isValueNode() && accepts.test(value);
        }
        if (value instanceof ObjectNode object && !object.isEmpty()) {
            take(object, depth + 1, accepts);
            return object.isEmpty();
        }
        return false;
    }
}
