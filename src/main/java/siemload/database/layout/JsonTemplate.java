package siemload.database.layout;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import siemload.config.Choices;
import siemload.database.layout.Blocks.Block;
import siemload.event.AddressRange;
import siemload.event.JsonFault;
import siemload.event.WholeText;

/**
 * A condition, an expression or a list of them from a block. Wherever it has {@code {"$param": "name"}} a value is put in, as a value and
 * never as text. What has no values is the same object in all that is made of it: nobody changes the JSON; thread-safe under that
 * condition.
 */
public final class JsonTemplate {
    private static final String PARAMETER = "$param";
    /** What stands for a list whose elements are put in. */
    private static final String EACH = "$each";

    private static final String ELEMENT = "in";

    /** Numbers stay as they are written. */
    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();

    private final Function<Function<String, ?>, Object> made;
    private final List<String> values;

    private JsonTemplate(Function<Function<String, ?>, Object> made, List<String> values) {
        this.made = made;
        this.values = values;
    }

    /**
     * The template that a block is.
     *
     * @throws IllegalArgumentException if it is none; its message goes on after the name of the block
     */
    public static JsonTemplate read(Block block, Notation notation) {
        List<String> values = new ArrayList<>();
        Names<Function<String, ?>> given = new Names<>() {
            @Override
            Function<Function<String, ?>, @Nullable Object> value(String name) {
                values.add(name);
                return all -> all.apply(name);
            }
        };
        return new JsonTemplate(made(block, notation, given), values);
    }

    /** What makes the JSON of a block, with the values of a whole under these names. @throws IllegalArgumentException as {@link #read} */
    static <T> Function<T, Object> made(Block block, Notation notation, Names<T> names) {
        return piece(parsed(block), notation, names);
    }

    /** The JSON of a block as it is written. */
    static Object parsed(Block block) {
        try {
            return Objects.requireNonNullElseGet(MAPPER.readValue(block.text(), Object.class), () -> {
                throw new IllegalArgumentException("is null (needed: an object, a list or a value)");
            });
        } catch (JsonProcessingException wrong) {
            throw new IllegalArgumentException("is no JSON: " + JsonFault.words(wrong), wrong);
        } catch (NumberFormatException tooLarge) {
            throw new IllegalArgumentException("has a number that is too large", tooLarge);
        }
    }

    /** Whether a key stands for something that is put in. */
    static boolean isOurs(String key) {
        return key.equals(PARAMETER) || key.equals(EACH);
    }

    /** Whether JSON is an object, and stands for nothing else. */
    static boolean isObject(@Nullable Object json) {
        return json instanceof Map<?, ?> object && !object.containsKey(PARAMETER);
    }

    /** Whether a value of this name is put in somewhere within the objects of this JSON, lists left out. */
    static boolean contains(@Nullable Object json, String name) {
        return json instanceof Map<?, ?> object
                && (name.equals(object.get(PARAMETER))
                        || object.values().stream().anyMatch(part -> contains(part, name)));
    }

    /**
     * Which objects a database makes of JSON, and its types for what JSON has none for: unless it says otherwise, maps in the order of their
     * keys, and texts. Stateless and thread-safe.
     */
    @FunctionalInterface
    public interface Notation {
        /** A pattern that finds a text anywhere, of which no character means anything but itself. */
        String pattern(String text);

        default Map<String, Object> object() {
            return new LinkedHashMap<>();
        }

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

        /** What a value is here. */
        default @Nullable Object value(@Nullable Object value) {
            if (value instanceof String text) {
                return WholeText.of(text);
            } else if (value instanceof AddressRange single) {
                return address(single);
            } else if (value instanceof Instant time) {
                return time(time);
            } else if (value instanceof byte[] utf8) {
                return json(utf8);
            }
            return value instanceof List<?> several
                    ? several.stream().map(this::value).toList()
                    : value;
        }
    }

    /** What values and lists of several parts a whole has, by their names. */
    static class Names<T> {
        private final Map<String, Function<T, @Nullable Object>> values = new HashMap<>();
        private final Map<String, Elements<T, ?>> lists = new HashMap<>();

        /** @param value what a whole has of it */
        final Names<T> value(String name, Function<T, @Nullable Object> value) {
            values.put(name, value);
            return this;
        }

        /** @param names what each element has */
        final <U> Names<T> list(String name, Names<U> names, Function<T, ? extends Collection<U>> of) {
            lists.put(name, new Elements<>(names, of));
            return this;
        }

        Function<T, @Nullable Object> value(String name) {
            return known("name", name, values);
        }

        private static <V> V known(String kind, String name, Map<String, V> all) {
            V known = all.get(name);
            if (known == null) {
                throw new IllegalArgumentException("has the " + kind + " '" + name + "', which is unknown here ("
                        + Choices.names(new TreeSet<>(all.keySet())).help(name) + ")");
            }
            return known;
        }
    }

    private record Elements<T, U>(Names<U> names, Function<T, ? extends Collection<U>> of) {}

    private record Constant<T>(@Nullable Object value) implements Function<T, @Nullable Object> {
        @Override
        public @Nullable Object apply(T whole) {
            return value;
        }
    }

    private static <T> Function<T, Object> piece(Object json, Notation notation, Names<T> names) {
        if (json instanceof List<?> list) {
            List<Function<T, Object>> parts =
                    list.stream().map(part -> piece(part, notation, names)).toList();
            return once(
                    parts,
                    whole -> parts.stream().map(part -> part.apply(whole)).toList());
        } else if (!(json instanceof Map<?, ?> object)) {
            return new Constant<>(json);
        } else if (object.containsKey(PARAMETER)) {
            Function<T, @Nullable Object> value = names.value(name(object, PARAMETER, Set.of(PARAMETER)));
            return whole -> notation.value(value.apply(whole));
        } else if (object.containsKey(EACH)) {
            String list = name(object, EACH, Set.of(EACH, ELEMENT));
            return each(Names.known("list", list, names.lists), Objects.requireNonNull(object.get(ELEMENT)), notation);
        } else {
            Map<String, Function<T, Object>> parts = new LinkedHashMap<>();
            object.forEach((key, part) -> parts.put((String) key, piece(part, notation, names)));
            return once(parts.values(), whole -> {
                Map<String, Object> keys = notation.object();
                parts.forEach((key, part) -> keys.put(key, part.apply(whole)));
                return keys;
            });
        }
    }

    /** What has no values is made once. */
    private static <T> Function<T, Object> once(Collection<Function<T, Object>> parts, Function<T, Object> made) {
        return parts.stream().allMatch(Constant.class::isInstance) ? new Constant<>(made.apply(null)) : made;
    }

    private static <T, U> Function<T, Object> each(Elements<T, U> list, Object element, Notation notation) {
        Function<U, Object> part = piece(element, notation, list.names);
        return whole -> list.of.apply(whole).stream().map(part).toList();
    }

    private static String name(Map<?, ?> object, String key, Set<String> keys) {
        if (!object.keySet().equals(keys) || object.containsValue(null) || !(object.get(key) instanceof String name)) {
            throw new IllegalArgumentException("has " + key
                    + ", which stands for what is put in (needed: {\"$param\": \"name\"}, or {\"$each\": \"name\", \"in\":"
                    + " {...}}, alone)");
        }
        return name;
    }

    List<String> values() {
        return values;
    }

    /** The object with its values; of the notation's kind. */
    @SuppressWarnings("unchecked") // The keys of all objects of JSON are strings.
    public Map<String, Object> object(Map<String, ?> values) {
        return (Map<String, Object>) value(name -> Objects.requireNonNull(values.get(name), () -> "no value " + name));
    }

    /**
     * Whatever it is, with its values.
     *
     * @param values gives the value of a name, and is asked for those alone that stand in the block
     */
    public Object value(Function<String, ?> values) {
        return made.apply(values);
    }
}
