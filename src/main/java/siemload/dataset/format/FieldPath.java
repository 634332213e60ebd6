package siemload.dataset.format;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiPredicate;

/**
 * The way to a field in an event: {@code source.ip}. Lists on the way are gone through, element by element, and it makes no difference
 * whether keys stand in objects or in one name ({@code "source.ip": ...}). Where a key is written with {@code []} behind it ({@code
 * evidences[].src_endpoint.ip}), each element of that list is something of its own. Immutable.
 *
 * @param text as the mapping file has it
 * @param keys without {@code []}
 * @param list the way to the list whose elements are told apart; empty if there is none
 */
record FieldPath(String text, String keys, String list) {
    private static final JsonNode TAKEN = MissingNode.getInstance();

    static FieldPath of(String text) {
        return new FieldPath(text, text.replace("[]", ""), text.substring(0, Math.max(0, text.indexOf("[]"))));
    }

    /**
     * Shows all values of the event that have not been taken.
     *
     * @param taker whether it takes this value out of the event, which is in this element of the list whose elements are told apart; 0
     *     where that is not the outermost list that it is in
     */
    void take(ObjectNode event, BiPredicate<JsonNode, Integer> taker) {
        take(event, 0, -1, taker);
    }

    /**
     * Whether a value is taken.
     *
     * @param at where in the keys those begin that lead on from the node
     * @param element of the outermost list; negative outside of any
     */
    private boolean take(JsonNode node, int at, int element, BiPredicate<JsonNode, Integer> taker) {
        if (node instanceof ArrayNode elements) {
            boolean isOwn = !list.isEmpty() && at == list.length() + 1;
            for (int i = 0; i < elements.size(); i++) {
                if (!elements.get(i).isArray()
                        && take(elements.get(i), at, element < 0 ? (isOwn ? i : 0) : element, taker)) {
                    elements.set(i, TAKEN);
                }
            }
        } else if (node instanceof ObjectNode object) {
            for (int end = at; end < keys.length(); ) {
                int dot = keys.indexOf('.', end);
                end = dot < 0 ? keys.length() : dot;
                String key = keys.substring(at, end++);
                JsonNode value = object.get(key);
                if (value != null && take(value, end, element, taker)) {
                    object.set(key, TAKEN);
                }
            }
        } else {
            return at > keys.length() && !node.isMissingNode() && taker.test(node, Math.max(0, element));
        }
        return false;
    }

    /** Removes what was taken; objects and lists of which nothing is left go as well. True where this is one. */
    static boolean removeTaken(JsonNode node) {
        boolean wasEmpty = node.isEmpty();
        if (node instanceof ObjectNode object) {
            object.properties().removeIf(entry -> removeTaken(entry.getValue()));
        } else if (node instanceof ArrayNode elements) {
            List<JsonNode> left = new ArrayList<>(elements.size());
            elements.forEach(value -> {
                if (value.isArray() || !removeTaken(value)) {
                    left.add(value);
                }
            });
            if (left.size() < elements.size()) {
                elements.removeAll();
                elements.addAll(left);
            }
        } else {
            return node.isMissingNode();
        }
        return !wasEmpty && node.isEmpty();
    }
}
