package siemload.dataset.format;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * The way to a field in an event: {@code source.ip}. Lists on the way are gone through, element by element, and a key that
 * has the whole rest of the way in it ({@code "source.ip": ...}) is found as well. Where a key is written with {@code []}
 * behind it ({@code evidences[].src_endpoint.ip}), each element of that list is something of its own. Immutable.
 *
 * @param text as the mapping file has it
 * @param keys one after the other
 * @param rests of each key, itself and those behind it
 * @param list the number of the key whose elements are told apart; -1 if there is none
 * @param kept the number of the key whose elements keep their place, since this way or another one tells them apart; -1 if
 *     there is none
 */
record FieldPath(String text, List<String> keys, List<String> rests, int list, int kept) {
    /** What is not in an element of a list that is told apart. */
    static final int NO_ELEMENT = -1;

    private static final String ELEMENTS = "[]";

    FieldPath {
        keys = List.copyOf(keys);
        rests = List.copyOf(rests);
    }

    /** Decides on a value that was found, and in which element of the list whose elements are told apart. */
    interface Taker {
        boolean takes(JsonNode value, int element);
    }

    /** What becomes of elements of which nothing is left. */
    private enum Emptied {
        /** They keep their place, so that the next field finds the others under the same number. */
        STAY,
        GO
    }

    static FieldPath of(String text) {
        List<String> keys = new ArrayList<>();
        int list = NO_ELEMENT;
        for (String key : text.split("\\.", -1)) {
            boolean elements = key.endsWith(ELEMENTS);
            list = elements ? keys.size() : list;
            keys.add(elements ? key.substring(0, key.length() - ELEMENTS.length()) : key);
        }
        List<String> rests = new ArrayList<>();
        for (int i = 0; i < keys.size(); i++) {
            rests.add(String.join(".", keys.subList(i, keys.size())));
        }
        return new FieldPath(text, keys, rests, list, list);
    }

    /** The same way, on which elements that one of the others tells apart keep their place. */
    FieldPath beside(List<FieldPath> others) {
        for (FieldPath other : others) {
            if (!hasElements() && (text + ".").startsWith(other.listText() + ".")) {
                return new FieldPath(text, keys, rests, NO_ELEMENT, other.list());
            }
        }
        return this;
    }

    /** Whether it tells the elements of a list apart. */
    boolean hasElements() {
        return list != NO_ELEMENT;
    }

    /** The way to the list whose elements are told apart. */
    String listText() {
        return String.join(".", keys.subList(0, list + 1));
    }

    /**
     * Takes out of the event all values there that are accepted; the others stay, and empty objects go. Elements that are
     * told apart keep their place until {@link #removeEmptied}.
     */
    void take(ObjectNode event, Taker taker) {
        take(event, 0, NO_ELEMENT, taker, Emptied.STAY);
    }

    /** Removes the elements from which everything was taken. */
    void removeEmptied(ObjectNode event) {
        take(event, 0, NO_ELEMENT, (value, element) -> false, Emptied.GO);
    }

    /** Shows all values there; nothing is taken. */
    void visit(ObjectNode event, Consumer<JsonNode> visitor) {
        take(event, (value, element) -> {
            visitor.accept(value);
            return false;
        });
    }

    private void take(ObjectNode object, int depth, int element, Taker taker, Emptied emptied) {
        takeKey(object, keys.get(depth), depth, element, taker, emptied);
        if (depth < keys.size() - 1) {
            takeKey(object, rests.get(depth), keys.size() - 1, element, taker, emptied);
        }
    }

    private void takeKey(ObjectNode object, String key, int depth, int element, Taker taker, Emptied emptied) {
        JsonNode value = object.get(key);
        if (value == null) {
            return;
        }
        boolean taken;
        if (value instanceof ArrayNode values) {
            boolean hadElements = !values.isEmpty();
            for (int i = 0; i < values.size(); i++) {
                int inside = depth == list ? i : element;
                if (!(values.get(i) instanceof ArrayNode) && takeValue(values.get(i), depth, inside, taker, emptied)) {
                    values.set(i, values.missingNode());
                }
            }
            if (depth != kept || emptied == Emptied.GO) {
                removeMissing(values);
            }
            taken = hadElements && values.isEmpty();
        } else {
            taken = takeValue(value, depth, depth == list ? 0 : element, taker, emptied);
        }
        if (taken) {
            object.remove(key);
        }
    }

    private static void removeMissing(ArrayNode values) {
        List<JsonNode> left = new ArrayList<>(values.size());
        values.forEach(value -> {
            if (!value.isMissingNode()) {
                left.add(value);
            }
        });
        if (left.size() < values.size()) {
            values.removeAll();
            values.addAll(left);
        }
    }

    private boolean takeValue(JsonNode value, int depth, int element, Taker taker, Emptied emptied) {
        if (depth == keys.size() - 1) {
            return value.isValueNode() && taker.takes(value, element);
        }
        if (value instanceof ObjectNode object && !object.isEmpty()) {
            take(object, depth + 1, element, taker, emptied);
            return object.isEmpty();
        }
        return false;
    }
}
