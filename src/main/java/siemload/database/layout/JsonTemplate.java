package siemload.database.layout;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import siemload.config.Origin;
import siemload.database.layout.Blocks.Block;
import siemload.database.layout.Blocks.Place;
import siemload.event.AddressRange;

/**
 * A condition, an expression or a list of them from a block. Wherever it has {@code {"$param": "name"}} a value is put in, as a value and
 * never as text. What has no values is the same object in all that is made of it: nobody changes the JSON; thread-safe under that
 * condition.
 */
public final class JsonTemplate {
    /** What stands for a list whose elements are put in. */
    static final String EACH = "$each";

    private static final String PARAMETER = "$param";
    private static final String ELEMENT = "in";

    private final Object json;
    private final Notation notation;
    private final Part whole;
    private final List<Place> values;

    private JsonTemplate(Object json, Notation notation, List<Place> values) {
        this.json = json;
        this.notation = notation;
        this.whole = part(json);
        this.values = List.copyOf(values);
    }

    /** What a database reads as JSON, which objects it makes of it, and its types for what JSON has none for. Stateless and thread-safe. */
    public interface Notation {
        /** How it is called in messages. */
        String label();

        /** Which keys that begin with {@code $} a document may have, for messages. */
        String keysOfDocuments();

        /**
         * What a text is: an object of the kind of {@link #object}, a list or a value; never null.
         *
         * @param text JSON of one value, as far as Jackson knows
         * @throws BadTemplateException if it is none in this notation
         */
        Object parsed(String text);

        /** A new object without keys. */
        Map<String, Object> object();

        /** A single address. */
        Object address(AddressRange single);

        /** A time as far as there is a type for it; may be less exact than microseconds. */
        Object time(Instant time);

        /** The same, but none before this time. */
        default Object timeFrom(Instant time) {
            return time(time);
        }

        /** The JSON of an event, in UTF-8. */
        Object json(byte[] utf8);

        /** A pattern that finds a text anywhere, of which no character means anything but itself. */
        String pattern(String text);

        /** A form of an id that is none of text. A layout with another name is refused when it is read. */
        Object id(String name, String id);

        /** A form of the addresses of a range. A layout with another name is refused when it is read. */
        default Object address(String name, AddressRange range) {
            throw new IllegalArgumentException("no value " + name);
        }
    }

    /** Stands for a value that is put in. */
    record Value(Place place) {}

    /**
     * Stands for a list whose elements are put in, one after the other; in documents alone.
     *
     * @param list what of an event has one of them
     * @param element of which kind each is; its values are those of the element
     */
    record Each(Place list, Object element) {}

    /** A piece of the block that becomes a piece of what is made of it. */
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

    /**
     * The template that a block is.
     *
     * @throws BadTemplateException if it is none
     */
    public static JsonTemplate read(Block block, Notation notation) {
        Deque<Place> names = new ArrayDeque<>(block.operators().stream()
                .filter(operator ->
                        operator.name().equals(PARAMETER) || operator.name().equals(EACH))
                .toList());
        List<Place> values = new ArrayList<>();
        Object json = template(parsed(block, notation), notation, names, values);
        if (!names.isEmpty()) {
            throw new BadTemplateException("no value can be put into a type of " + notation.label(), names.getFirst());
        }
        return new JsonTemplate(json, notation, values);
    }

    private static Object parsed(Block block, Notation notation) {
        try {
            return notation.parsed(block.text());
        } catch (BadTemplateException bad) {
            throw new BadTemplateException(String.valueOf(bad.getMessage()), block.line(), block.column());
        }
    }

    private static Object template(Object json, Notation notation, Deque<Place> names, List<Place> values) {
        if (json instanceof Map<?, ?> object) {
            if (object.containsKey(PARAMETER)) {
                Place value = value(object, PARAMETER, Set.of(PARAMETER), names);
                values.add(value);
                return new Value(value);
            } else if (object.containsKey(EACH)) {
                Place each = value(object, EACH, Set.of(EACH, ELEMENT), names);
                return new Each(each, template(Objects.requireNonNull(object.get(ELEMENT)), notation, names, values));
            }
            Map<String, Object> filled = notation.object();
            object.forEach((key, value) -> filled.put((String) key, template(value, notation, names, values)));
            return filled;
        } else if (json instanceof List<?> list) {
            List<Object> elements = new ArrayList<>(list.size());
            list.forEach(element -> elements.add(template(element, notation, names, values)));
            return elements;
        }
        return json;
    }

    /** The keys of one of our own have the same order in the text and in the object. */
    private static Place value(Map<?, ?> object, String key, Set<String> keys, Deque<Place> names) {
        Place place = names.removeFirst();
        if (!object.keySet().equals(keys)
                || !(object.get(key) instanceof String name)
                || (keys.contains(ELEMENT) && object.get(ELEMENT) == null)) {
            throw new BadTemplateException(
                    keys.contains(ELEMENT)
                            ? "$each needs the name of a list and what its elements are (needed: {\"$each\": \"name\", \"in\":"
                                    + " {...}} alone)"
                            : "$param stands for a value (needed: {\"$param\": \"name\"} alone)",
                    place);
        }
        return new Place(name, place.line(), place.column());
    }

    private Part part(Object piece) {
        if (piece instanceof Value value) {
            String name = value.place().name();
            return values -> Objects.requireNonNull(values.apply(name), () -> "no value " + name);
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

    /** An object of the notation, a list or a value, in which something else stands for each value that is put in. */
    public Object json() {
        return json;
    }

    /** Whether a value is put in for all of it. */
    public boolean isValue() {
        return json instanceof Value;
    }

    /** The names of the values that are put in, with their places. */
    public List<Place> values() {
        return values;
    }

    Notation notation() {
        return notation;
    }

    /** The object with its values; of the notation's kind. */
    public Map<String, Object> object(Map<String, ?> values) {
        return object(values::get);
    }

    /**
     * The same.
     *
     * @param values gives the value of a name, and is asked for those alone that stand in the block
     */
    @SuppressWarnings("unchecked") // The keys of all objects of JSON are strings.
    public Map<String, Object> object(Function<String, ?> values) {
        return (Map<String, Object>) whole.with(values);
    }

    /** Whatever it is, with its values. */
    public Object value(Function<String, ?> values) {
        return whole.with(values);
    }

    /** Whether a value of this name is put in somewhere within the objects of this JSON, lists left out. */
    public static boolean contains(@Nullable Object json, String name) {
        return json instanceof Map<?, ?> object
                ? object.values().stream().anyMatch(value -> contains(value, name))
                : json instanceof Value value && value.place().name().equals(name);
    }

    /** A text is no template. The message says why. */
    public static final class BadTemplateException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final int line;
        private final int column;

        /** @param line where it is wrong, from 1, with the column; 0 where that is unknown */
        public BadTemplateException(String message, int line, int column) {
            super(message);
            this.line = line;
            this.column = column;
        }

        /** At a place. */
        BadTemplateException(String message, Place place) {
            this(message, place.line(), place.column());
        }

        /** Where it is wrong in a file. */
        Origin origin(String file) {
            return line == 0 ? new Origin.WholeFile(file) : new Origin.InFile(file, line, column);
        }
    }
}
