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
    /** The largest number of keys in a path; further points belong to the last key. */
    private static final int MOST_KEYS = 30;

    private final Step top = new Step();
    private final Map<String, Field> fields = new HashMap<>();

    /** A field; {@code listPath} leads to the list with {@code []}, whose step is {@code list}: empty and {@link Step#NONE} without one. */
    record Field(int number, String text, String listPath, Step list) {}

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
        String listPath = text.substring(0, Math.max(0, text.indexOf("[]")));
        Field field = new Field(fields.size(), text, listPath, list);
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

    /** A value, an object or a list of an event, and its place in the object or list above it; the top is above itself. */
    private static final class Spot {
        private final JsonNode node;
        private final Spot above;
        private final String key;
        private final int index;
        private boolean isTaken;

        Spot(JsonNode top) {
            this.node = top;
            this.above = this;
            this.key = "";
            this.index = 0;
        }

        Spot(JsonNode node, Spot above, String key, int index) {
            this.node = node;
            this.above = above;
            this.key = key;
            this.index = index;
        }

        /** Removes this, and all objects and lists above that become empty. */
        void remove() {
            if (above.node instanceof ObjectNode object) {
                object.remove(key);
            } else {
                ((ArrayNode) above.node).remove(index);
            }
            if (above.node.isEmpty() && above.above != above) {
                above.remove();
            }
        }
    }

    /** A value of a field, which is not null, and the field's next value; {@code element} is the index in the list with {@code []}. */
    static final class Found {
        /** Marks the end of the values of each field. */
        static final Found END = new Found(new Spot(MissingNode.getInstance()), 0);

        private final Spot spot;
        private final int element;
        private Found next = this;

        private Found(Spot spot, int element) {
            this.spot = spot;
            this.element = element;
        }

        JsonNode value() {
            return spot.node;
        }

        int element() {
            return element;
        }

        Found next() {
            return next;
        }

        boolean isTaken() {
            return spot.isTaken;
        }

        /** Notes that the value has a place in IDEA, so that the event loses it. */
        void take() {
            spot.isTaken = true;
        }
    }

    /** The values of all fields of one event. Not thread-safe. */
    static final class Values {
        private final Found[] first;
        private final Found[] last;
        private final List<Spot> spots = new ArrayList<>();

        Values(FieldPaths paths, ObjectNode event) {
            first = new Found[paths.fields.size()];
            Arrays.fill(first, Found.END);
            last = first.clone();
            visit(new Spot(event), paths.top, Step.NONE, 0);
        }

        /** Returns the first value of a field, or {@link Found#END}. */
        Found first(Field field) {
            return first[field.number];
        }

        /** Removes the taken values from the event, the last one first, so that the indexes of the others stay. */
        void removeTaken() {
            for (int i = spots.size() - 1; i >= 0; i--) {
                if (spots.get(i).isTaken) {
                    spots.get(i).remove();
                }
            }
        }

        /** @param list the outermost list around the spot, which is in this list's element {@code element} */
        private void visit(Spot spot, Step step, Step list, int element) {
            if (spot.node instanceof ObjectNode object) {
                for (Map.Entry<String, JsonNode> entry : object.properties()) {
                    Step next = step.next.get(entry.getKey());
                    if (next != null) {
                        visit(new Spot(entry.getValue(), spot, entry.getKey(), 0), next, list, element);
                    }
                }
            } else if (spot.node.isArray()) {
                boolean isOutermost = list == Step.NONE;
                for (int i = 0; i < spot.node.size(); i++) {
                    JsonNode one = spot.node.get(i);
                    if (!one.isArray()) {
                        visit(new Spot(one, spot, "", i), step, isOutermost ? step : list, isOutermost ? i : element);
                    }
                }
            } else if (!spot.node.isNull()) {
                spots.add(spot);
                for (Field field : step.ends) {
                    Found found = new Found(spot, field.list == list ? element : 0);
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
}
