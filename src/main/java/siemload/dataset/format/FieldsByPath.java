package siemload.dataset.format;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The fields of an event by their ways. Lists are gone through, element by element, and it makes no difference whether keys stand in
 * objects or in one name ({@code "source.ip": ...}). Not thread-safe.
 */
final class FieldsByPath {
    /** Behind a longer one nothing is looked for. */
    private static final int LONGEST_WAY = 1_000;

    /** In the place of all values that nobody asks for, and behind the last one of a way. */
    static final Field OTHER = new Field(MissingNode.getInstance(), "", 0);

    private final ObjectNode event;
    private final Set<String> wanted;
    private final List<Field> fields = new ArrayList<>();
    /** The first one of each way. */
    private final Map<String, Field> byKeys = new HashMap<>(64);

    /**
     * The way to a field in an event: {@code source.ip}. Where a key is written with {@code []} behind it ({@code
     * evidences[].src_endpoint.ip}), each element of that list is something of its own. Immutable.
     *
     * @param text as the mapping file has it
     * @param keys without {@code []}
     * @param list the way to the list whose elements are told apart; empty if there is none
     */
    record FieldPath(String text, String keys, String list) {
        static FieldPath of(String text) {
            return new FieldPath(text, text.replace("[]", ""), text.substring(0, Math.max(0, text.indexOf("[]"))));
        }

        boolean hasElements() {
            return !list.isEmpty();
        }
    }

    /** One value. */
    static final class Field {
        final JsonNode value;
        boolean isTaken;
        private final String list;
        private final int element;
        /** Where lists have more of the same way; itself behind the last one. */
        private Field next = this;
        /** Known of the first one alone. */
        private Field last = this;

        private Field(JsonNode value, String list, int element) {
            this.value = value;
            this.list = list;
            this.element = element;
        }

        /** The next value of the same way; {@link #OTHER} behind the last one. */
        Field next() {
            return next == this ? OTHER : next;
        }

        /** In which element of a list it is; 0 where that is not the outermost one that it is in. */
        int element(String of) {
            return list.equals(of) ? element : 0;
        }
    }

    /** @param wanted the keys of all fields that are asked for */
    FieldsByPath(ObjectNode event, Set<String> wanted) {
        this.event = event;
        this.wanted = wanted;
        add(event, "", "", 0);
    }

    /** @param list the way to the outermost list that the node is in, in the element of this number */
    private void add(JsonNode node, String keys, String list, int element) {
        if (node instanceof ObjectNode object) {
            boolean isTooLong = keys.length() > LONGEST_WAY;
            for (Map.Entry<String, JsonNode> entry : object.properties()) {
                String key = keys.isEmpty() ? entry.getKey() : isTooLong ? keys : keys + "." + entry.getKey();
                add(entry.getValue(), key, list, element);
            }
        } else if (node instanceof ArrayNode elements) {
            for (int i = 0; i < elements.size(); i++) {
                if (!elements.get(i).isArray()) {
                    add(elements.get(i), keys, list.isEmpty() ? keys : list, list.isEmpty() ? i : element);
                }
            }
        } else if (wanted.contains(keys)) {
            Field field = new Field(node, list, element);
            fields.add(field);
            Field first = byKeys.putIfAbsent(keys, field);
            if (first != null) {
                first.last.next = field;
                first.last = field;
            }
        } else {
            fields.add(OTHER);
        }
    }

    /** The first value of this way; {@link #OTHER} where there is none. */
    Field first(FieldPath path) {
        return byKeys.getOrDefault(path.keys(), OTHER);
    }

    /** The event without what was taken; objects and lists of which nothing is left go as well. */
    ObjectNode rest() {
        removeTaken(event, fields.iterator());
        return event;
    }

    /** Goes through the values in the order in which they were added; true where all that was here has been taken. */
    private static boolean removeTaken(JsonNode node, Iterator<Field> values) {
        if (node.isValueNode()) {
            return values.next().isTaken;
        }
        boolean wasEmpty = node.isEmpty();
        if (node instanceof ObjectNode object) {
            object.properties().removeIf(entry -> removeTaken(entry.getValue(), values));
        } else if (node instanceof ArrayNode list) {
            List<JsonNode> left = new ArrayList<>(list.size());
            list.forEach(value -> {
                if (value.isArray() || !removeTaken(value, values)) {
                    left.add(value);
                }
            });
            if (left.size() < list.size()) {
                list.removeAll();
                list.addAll(left);
            }
        }
        return !wasEmpty && node.isEmpty();
    }
}
