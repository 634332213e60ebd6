package siemload.database.layout.document;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/**
 * A condition, an expression or a list of them from a file. Wherever the file has {@code {"$param": "name"}} a value is put in, as a
 * value and never as text. What has no values is the same object in all that is made of it: nobody changes the JSON; thread-safe under
 * that condition.
 */
public final class JsonTemplate {
    private final Object json;
    private final JsonNotation notation;
    private final Part whole;

    /** @param json an object, a list or a value, with a {@link Value} for each that is put in */
    JsonTemplate(Object json, JsonNotation notation) {
        this.json = json;
        this.notation = notation;
        this.whole = part(json);
    }

    /**
     * A value that is put in.
     *
     * @param line where it stands in the file, from 1
     * @param column where in the line, from 1
     */
    public record Value(String name, int line, int column) {}

    /**
     * A list whose elements are put in, one after the other; in documents alone.
     *
     * @param each what of an event has one of them
     * @param element of which kind each is; its values are those of the element
     */
    record Each(Value each, Object element) {}

    /** A piece of the file that becomes a piece of what is made of it. */
    private interface Part {
        Object with(Function<String, ?> values);
    }

    /** One that has no values. */
    private record Constant(Object json) implements Part {
        @Override
        public Object with(Function<String, ?> values) {
            return json;
        }
    }

    private Part part(Object piece) {
        if (piece instanceof Value value) {
            return values -> Objects.requireNonNull(values.apply(value.name()), () -> "no value " + value.name());
        } else if (piece instanceof Map<?, ?> object) {
            Part[] parts = parts(object.values());
            return isConstant(parts) ? new Constant(object) : filling(object.keySet(), parts);
        } else if (piece instanceof List<?> list) {
            Part[] parts = parts(list);
            return isConstant(parts) ? new Constant(list) : filling(parts);
        }
        return new Constant(piece);
    }

    private Part[] parts(Iterable<?> pieces) {
        List<Part> parts = new ArrayList<>();
        pieces.forEach(piece -> parts.add(part(piece)));
        return parts.toArray(Part[]::new);
    }

    private static boolean isConstant(Part[] parts) {
        return Arrays.stream(parts).allMatch(Constant.class::isInstance);
    }

    private Part filling(Iterable<?> names, Part[] parts) {
        List<String> keys = new ArrayList<>();
        names.forEach(name -> keys.add((String) name));
        String[] inOrder = keys.toArray(String[]::new);
        return values -> {
            Map<String, Object> filled = notation.object();
            for (int i = 0; i < parts.length; i++) {
                filled.put(inOrder[i], parts[i].with(values));
            }
            return filled;
        };
    }

    private static Part filling(Part[] parts) {
        return values -> {
            List<Object> filled = new ArrayList<>(parts.length);
            for (Part part : parts) {
                filled.add(part.with(values));
            }
            return filled;
        };
    }

    /** An object of the notation, a list or a value, with a {@link Value} for each that is put in. */
    public Object json() {
        return json;
    }

    /** In which it is written. */
    JsonNotation notation() {
        return notation;
    }

    /** The object with its values; of the notation's kind. */
    public Map<String, Object> object(Map<String, ?> values) {
        return object(values::get);
    }

    /**
     * The same.
     *
     * @param values gives the value of a name, and is asked for those alone that stand in the file
     */
    @SuppressWarnings("unchecked") // The keys of all objects of JSON are strings.
    public Map<String, Object> object(Function<String, ?> values) {
        return (Map<String, Object>) whole.with(values);
    }

    /** Whatever it is, with its values. */
    public Object value(Map<String, ?> values) {
        return value(values::get);
    }

    /** The same. */
    public Object value(Function<String, ?> values) {
        return whole.with(values);
    }
}
