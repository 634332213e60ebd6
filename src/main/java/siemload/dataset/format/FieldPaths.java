package siemload.dataset.format;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The paths of all fields that a mapping names ({@code source.ip}). One walk through an event finds the values of all fields. The walk
 * visits the elements of lists on a path; keys may be nested or dotted. After a key with {@code []} ({@code evidences[].src_endpoint.ip}),
 * each element of that list is a separate endpoint. Thread-safe once all fields are added.
 */
final class FieldPaths {
    private static final JsonNode TAKEN = MissingNode.getInstance();
    /** The largest number of keys in a path; further points belong to the last key. */
    private static final int MOST_KEYS = 30;

    private final Step top = new Step();
    private final Map<String, Field> fields = new HashMap<>();

    /** A field; {@code list} is the step of the list with {@code []} in its path, or {@link Step#NONE}. */
    record Field(int number, String text, Step list) {
        boolean isOfList() {
            return list != Step.NONE;
        }

        /** The path of the field's list. */
        String listPath() {
            return text.substring(0, Math.max(0, text.indexOf("[]")));
        }
    }

    /** A point where paths branch, with an edge to each step below; the name of an edge joins all keys between two steps by points. */
    private static final class Step {
        private static final Step NONE = new Step();

        private final Map<String, Step> next = new HashMap<>();
        private final List<Field> ends = new ArrayList<>(1);
    }

    Field field(String text) {
        Field known = fields.get(text);
        if (known != null) {
            return known;
        }
        List<Step> way = new ArrayList<>(List.of(top));
        String[] keys = text.split("\\.", MOST_KEYS);
        Step list = Step.NONE;
        for (int i = 0; i < keys.length; i++) {
            String dotted = keys[i].replace("[]", "");
            Step step = way.get(i).next.computeIfAbsent(dotted, unused -> new Step());
            for (int from = i - 1; from >= 0; from--) {
                dotted = keys[from].replace("[]", "") + "." + dotted;
                way.get(from).next.put(dotted, step);
            }
            way.add(step);
            list = keys[i].endsWith("[]") ? step : list;
        }
        Field field = new Field(fields.size(), text, list);
        way.get(keys.length).ends.add(field);
        fields.put(text, field);
        return field;
    }

    /** Returns whether an event has this key outside of lists, with any value. */
    static boolean has(JsonNode event, String path) {
        if (event.has(path)) {
            return true;
        }
        for (int dot = path.indexOf('.'); dot > 0; dot = path.indexOf('.', dot + 1)) {
            JsonNode part = event.path(path.substring(0, dot));
            if (part.isObject() && has(part, path.substring(dot + 1))) {
                return true;
            }
        }
        return false;
    }

    /** An object or a list of an event, and its place; the top object is its own parent. */
    private static final class Holder {
        private final JsonNode node;
        private final Holder parent;
        private final String key;
        private final int index;
        private int gone;

        Holder(JsonNode top) {
            this.node = top;
            this.parent = this;
            this.key = "";
            this.index = 0;
        }

        Holder(JsonNode node, Holder parent, String key, int index) {
            this.node = node;
            this.parent = parent;
            this.key = key;
            this.index = index;
        }

        JsonNode child(String childKey, int childIndex) {
            return node.isObject() ? node.path(childKey) : node.path(childIndex);
        }

        /** Removes a value, and all objects and lists that become empty; other lists get gaps. */
        void remove(String childKey, int childIndex, List<Holder> gaps) {
            if (node instanceof ObjectNode object) {
                object.remove(childKey);
            } else if (node instanceof ArrayNode list) {
                list.set(childIndex, TAKEN);
                if (gone++ == 0) {
                    gaps.add(this);
                }
            }
            if (parent != this && (node.isObject() ? node.isEmpty() : gone == node.size())) {
                parent.remove(key, index, gaps);
            }
        }

        void closeGaps() {
            if (node instanceof ArrayNode list && gone < list.size()) {
                List<JsonNode> left = new ArrayList<>(list.size());
                list.forEach(left::add);
                left.removeIf(JsonNode::isMissingNode);
                list.removeAll();
                list.addAll(left);
            }
        }
    }

    /** A value of a field, which is not null, and the field's next value; {@code element} is the index in the list with {@code []}. */
    static final class Found {
        /** Marks the end of the values of each field. */
        static final Found END = new Found(new Holder(TAKEN), "", 0, TAKEN, 0);

        private final Holder holder;
        private final String key;
        private final int index;
        private final JsonNode value;
        private final int element;
        private Found next = this;

        private Found(Holder holder, String key, int index, JsonNode value, int element) {
            this.holder = holder;
            this.key = key;
            this.index = index;
            this.value = value;
            this.element = element;
        }

        JsonNode value() {
            return value;
        }

        int element() {
            return element;
        }

        Found next() {
            return next;
        }

        @SuppressWarnings("ReferenceEquality") // An equal value may be in another place.
        boolean isThere() {
            return holder.child(key, index) == value;
        }
    }

    /** The values of all fields of one event. Not thread-safe. */
    static final class Values {
        private final Found[] first;
        private final Found[] last;
        private final List<Holder> gaps = new ArrayList<>(0);

        Values(FieldPaths paths, ObjectNode event) {
            first = new Found[paths.fields.size()];
            Arrays.fill(first, Found.END);
            last = first.clone();
            visit(new Holder(event), paths.top, Step.NONE, 0);
        }

        /** Returns the first value of a field, or {@link Found#END}. */
        Found first(Field field) {
            return first[field.number];
        }

        void take(Found found) {
            found.holder.remove(found.key, found.index, gaps);
        }

        /** Closes the gaps in lists; must be called after the last value has been taken. */
        void closeGaps() {
            gaps.forEach(Holder::closeGaps);
        }

        /** @param list the outermost list around the holder, which is in this list's element {@code element} */
        private void visit(Holder holder, Step step, Step list, int element) {
            if (holder.node instanceof ObjectNode object) {
                for (Map.Entry<String, JsonNode> entry : object.properties()) {
                    Step next = step.next.get(entry.getKey());
                    if (next != null) {
                        value(entry.getValue(), holder, entry.getKey(), 0, next, list, element);
                    }
                }
            } else {
                boolean isOutermost = list == Step.NONE;
                for (int i = 0; i < holder.node.size(); i++) {
                    JsonNode one = holder.node.get(i);
                    if (!one.isArray()) {
                        value(one, holder, "", i, step, isOutermost ? step : list, isOutermost ? i : element);
                    }
                }
            }
        }

        private void value(JsonNode value, Holder holder, String key, int index, Step step, Step list, int element) {
            if (value.isContainerNode()) {
                visit(new Holder(value, holder, key, index), step, list, element);
                return;
            }
            for (int i = 0; i < step.ends.size() && !value.isNull(); i++) {
                Field field = step.ends.get(i);
                Found found = new Found(holder, key, index, value, field.list == list ? element : 0);
                found.next = Found.END;
                if (first[field.number] == Found.END) {
                    first[field.number] = found;
                } else {
                    last[field.number].next = found;
                }
                last[field.number] = found;
            }
        }
    }
}
