package siemload.database.layout;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import siemload.database.layout.Blocks.Block;
import siemload.database.layout.Blocks.Place;
import siemload.event.AddressRange;
import siemload.event.JsonFault;
import siemload.event.WholeText;

/**
 * A condition, an expression or a list of them from a block. Wherever it has {@code {"$param": "name"}} a value is put in, as a value and
 * never as text. What has no values is the same object in all that is made of it: nobody changes the JSON; thread-safe under that
 * condition.
 */
public final class JsonTemplate {
    /** What stands for a list whose elements are put in. */
    static final String EACH = "$each";

    /** Numbers stay as they are written. */
    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();

    private static final String PARAMETER = "$param";
    private static final String ELEMENT = "in";

    private final Object json;
    private final Notation notation;
    private final List<Place> values = new ArrayList<>();
    /** The very objects and lists that values are put in; all others are shared by all that is made. */
    private final Set<Object> open = Collections.newSetFromMap(new IdentityHashMap<>());

    private JsonTemplate(Block block, Notation notation) {
        this.notation = notation;
        Deque<Place> places = new ArrayDeque<>(block.places().stream()
                .filter(place -> place.name().equals(PARAMETER) || place.name().equals(EACH))
                .toList());
        this.json = template(parsed(block.text()), places);
    }

    private static Object parsed(String text) {
        try {
            return Objects.requireNonNullElseGet(MAPPER.readValue(text, Object.class), () -> {
                throw new BadTemplateException("is null (needed: an object, a list or a value)");
            });
        } catch (JsonProcessingException wrong) {
            throw new BadTemplateException("is no JSON: " + JsonFault.words(wrong));
        } catch (NumberFormatException tooLarge) {
            throw new BadTemplateException("has a number that is too large");
        }
    }

    /**
     * Which objects a database makes of JSON, and its types for what JSON has none for: unless it says otherwise, maps in the order of their
     * keys, and texts. Stateless and thread-safe.
     */
    @FunctionalInterface
    public interface Notation {
        /** A pattern that finds a text anywhere, of which no character means anything but itself. */
        String pattern(String text);

        /** A new object without keys. */
        default Map<String, Object> object() {
            return new LinkedHashMap<>();
        }

        /** A single address. */
        default Object address(AddressRange single) {
            return single.toString();
        }

        /** A time as far as there is a type for it; may be less exact than microseconds. */
        default Object time(Instant time) {
            return time.toString();
        }

        /** The JSON of an event, in UTF-8. */
        default Object json(byte[] utf8) {
            return new String(utf8, StandardCharsets.UTF_8);
        }

        /** What a part of an event is here: a list of its elements' names where it has several parts of its own. */
        @SuppressWarnings("unchecked") // The only functions are elements.
        default @Nullable Object value(@Nullable Object part) {
            if (part instanceof String text) {
                return WholeText.of(text);
            } else if (part instanceof AddressRange single) {
                return address(single);
            } else if (part instanceof Instant time) {
                return time(time);
            } else if (part instanceof byte[] utf8) {
                return json(utf8);
            } else if (part instanceof List<?> several) {
                return several.stream().map(this::value).toList();
            } else if (part instanceof Function<?, ?> element) {
                return ((Function<Notation, Object>) element).apply(this);
            }
            return part;
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

    /**
     * The template that a block is.
     *
     * @throws BadTemplateException if it is none
     */
    public static JsonTemplate read(Block block, Notation notation) {
        return new JsonTemplate(block, notation);
    }

    private Object template(Object piece, Deque<Place> places) {
        if (piece instanceof Map<?, ?> object) {
            if (object.containsKey(PARAMETER)) {
                values.add(value(object, PARAMETER, Set.of(PARAMETER), places));
                return new Value(values.get(values.size() - 1));
            } else if (object.containsKey(EACH)) {
                Place each = value(object, EACH, Set.of(EACH, ELEMENT), places);
                return new Each(each, template(Objects.requireNonNull(object.get(ELEMENT)), places));
            }
            Map<String, Object> keys = notation.object();
            object.forEach((key, value) -> keys.put((String) key, template(value, places)));
            return opened(keys, keys.values());
        } else if (piece instanceof List<?> list) {
            List<Object> elements = new ArrayList<>(list.size());
            list.forEach(element -> elements.add(template(element, places)));
            return opened(elements, elements);
        }
        return piece;
    }

    private Object opened(Object whole, Collection<Object> parts) {
        if (parts.stream().anyMatch(part -> part instanceof Value || part instanceof Each || open.contains(part))) {
            open.add(whole);
        }
        return whole;
    }

    /** The keys of one of our own have the same order in the text and in the object. */
    private static Place value(Map<?, ?> object, String key, Set<String> keys, Deque<Place> places) {
        Place place = places.isEmpty() ? new Place(key, 0) : places.removeFirst();
        if (!object.keySet().equals(keys) || object.containsValue(null) || !(object.get(key) instanceof String name)) {
            throw new BadTemplateException(
                    key + " stands for what is put in (needed: {\"$param\": \"name\"}, or {\"$each\": \"name\", \"in\":"
                            + " {...}}, alone)",
                    place);
        }
        return new Place(name, place.offset());
    }

    @SuppressWarnings("unchecked") // Each element of a list gives its values by their names.
    private Object filled(Object piece, Function<String, ?> with) {
        if (piece instanceof Value value) {
            return with.apply(value.place().name());
        } else if (piece instanceof Each each) {
            List<Object> elements = new ArrayList<>();
            ((List<Function<String, ?>>) with.apply(each.list().name()))
                    .forEach(one -> elements.add(filled(each.element(), one)));
            return elements;
        } else if (!open.contains(piece)) {
            return piece;
        } else if (piece instanceof List<?> list) {
            List<Object> elements = new ArrayList<>(list.size());
            list.forEach(element -> elements.add(filled(element, with)));
            return elements;
        }
        Map<String, Object> object = notation.object();
        ((Map<?, ?>) piece).forEach((key, value) -> object.put((String) key, filled(value, with)));
        return object;
    }

    /** An object of the notation, a list or a value, in which something else stands for each value that is put in. */
    Object json() {
        return json;
    }

    /** The names of the values that are put in, with their places. */
    List<Place> values() {
        return values;
    }

    Notation notation() {
        return notation;
    }

    /** The object with its values; of the notation's kind. */
    public Map<String, Object> object(Map<String, ?> values) {
        return object(name -> Objects.requireNonNull(values.get(name), () -> "no value " + name));
    }

    /**
     * The same.
     *
     * @param values gives the value of a name, and is asked for those alone that stand in the block
     */
    @SuppressWarnings("unchecked") // The keys of all objects of JSON are strings.
    public Map<String, Object> object(Function<String, ?> values) {
        return (Map<String, Object>) filled(json, values);
    }

    /** Whatever it is, with its values. */
    public Object value(Function<String, ?> values) {
        return filled(json, values);
    }

    /** Whether a value of this name is put in somewhere within the objects of this JSON, lists left out. */
    static boolean contains(@Nullable Object json, String name) {
        return json instanceof Map<?, ?> object
                ? object.values().stream().anyMatch(value -> contains(value, name))
                : json instanceof Value value && value.place().name().equals(name);
    }

    /** A text is no template. The message says why. */
    static final class BadTemplateException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final int offset;

        /** As a whole. */
        BadTemplateException(String message) {
            this(message, new Place("", 0));
        }

        /** At a place. */
        BadTemplateException(String message, Place place) {
            super(message);
            this.offset = place.offset();
        }

        /** Where it is wrong in its block. */
        int offset() {
            return offset;
        }
    }
}
