package siemload.config;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.lang.reflect.Constructor;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Makes records from YAML files: each component of a record has the value of the key with its name. A problem is noted at its place and
 * makes the result empty, so that no record has bad values; everything else is still read. Not thread-safe.
 */
public final class YamlRecords {
    private final Consumer<Setting> seen;
    private final Map<Object, ValueType<?>> types = new HashMap<>();
    private final Map<Class<?>, Reader> readers = new HashMap<>();

    /** Reads the values of one class; for a bad value, notes a problem at the value's node and returns empty. */
    public interface Reader {
        /** Returns the value of a node as the type of a record's component, if {@link Key#allowed} allows the value. */
        Optional<?> read(YamlNode node, Type type, String allowed);
    }

    /** Describes the key that gives the value of a component. */
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.RECORD_COMPONENT)
    public @interface Key {
        /** The key, if its name is not that of the component. */
        String value() default "";

        /**
         * A range, {@code 1 to 1000} or {@code 1ms to 1d}, or the name of a registered type; in lists and maps, this applies to each
         * element. A decimal number without a range is a ratio.
         */
        String allowed() default "";

        /** The key's default, as a file would write it, or {@link #NOTHING}; without a default, the key is required. */
        String standard() default "";

        /** Whether a list or map in a file needs at least one entry. */
        boolean filled() default false;

        /** The default that is an empty text, which a file cannot give. */
        String NOTHING = "''";
    }

    /** Marks a component that is a record whose keys are part of the surrounding mapping. */
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.RECORD_COMPONENT)
    public @interface Inline {}

    /** Marks a type for which the value of a key selects one of several records by its name. */
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.TYPE)
    public @interface By {
        /** The key. */
        String value();

        /** The default of the key; without a default, the key is required. */
        String standard() default "";

        /** The records. */
        Class<? extends Record>[] of();
    }

    /** Refuses a part of a text, or values of a record that do not fit together; suppressed exceptions report further problems. */
    public static final class Misfit extends IllegalArgumentException {
        private static final long serialVersionUID = 1;

        final String key;
        private final int offset;

        /** @param key the key whose value is reported, with the number of a list's element; empty for the whole record */
        public Misfit(String key, String message) {
            this(key, -1, message);
        }

        /** @param offset the position of the wrong character in a single value, 0 for the first */
        public Misfit(String key, int offset, String message) {
            super(message);
            this.key = key;
            this.offset = offset;
        }

        /** Refuses the value of a key, or of the whole record if the key is empty, if a condition does not hold. */
        public static void require(boolean holds, String key, String why) {
            if (!holds) {
                throw new Misfit(key, why);
            }
        }

        /** Returns the position of the wrong character, 0 for the first; negative for the whole value. */
        public int offset() {
            return offset;
        }
    }

    /** @param seen receives each value that is read, or its default, with the value's path */
    public YamlRecords(Consumer<Setting> seen) {
        this.seen = seen;
    }

    /** Registers the notation for values of a class, or for components that have a name in {@link Key#allowed}. */
    public YamlRecords with(Object classOrName, ValueType<?> values) {
        types.put(classOrName, values);
        return this;
    }

    /** Registers a reader for values of this class. */
    public YamlRecords reading(Class<?> type, Reader reader) {
        readers.put(type, reader);
        return this;
    }

    /** Registers a reader for values of this class; the reader ignores {@link Key#allowed}. */
    public YamlRecords reading(Class<?> type, Function<YamlNode, Optional<?>> reader) {
        return reading(type, (node, generic, allowed) -> reader.apply(node));
    }

    /** Returns the notation of a type's first argument, such as the keys of a map. */
    public ValueType<?> keys(Type type, String allowed) {
        return single(raw(argument(type, 0)), allowed).orElseThrow();
    }

    /** Returns the record of a mapping, or the record that a key selects. If there are problems, notes them and returns empty. */
    public <T> Optional<T> record(YamlNode node, Class<T> type) {
        By by = type.getAnnotation(By.class);
        if (by != null) {
            return variant(node, by).map(type::cast);
        }
        List<Class<?>> parameters = new ArrayList<>();
        List<Object> values = new ArrayList<>();
        for (RecordComponent component : type.getRecordComponents()) {
            parameters.add(component.getType());
            Optional<?> value = component.isAnnotationPresent(Inline.class)
                    ? value(node, component.getGenericType(), "")
                    : component(node, component);
            value.ifPresent(values::add);
        }
        if (!node.isMapping() || values.size() < parameters.size()) {
            return Optional.empty();
        }
        try {
            Constructor<T> constructor = type.getDeclaredConstructor(parameters.toArray(Class<?>[]::new));
            constructor.setAccessible(true);
            return Optional.of(constructor.newInstance(values.toArray()));
        } catch (ReflectiveOperationException refused) {
            if (!(refused.getCause() instanceof IllegalArgumentException why)) {
                throw new IllegalStateException("cannot make " + type, refused);
            }
            node.problem(why);
            Stream.of(why.getSuppressed())
                    .map(IllegalArgumentException.class::cast)
                    .forEach(node::problem);
            return Optional.empty();
        }
    }

    /** Returns the scalar of a node; notes a problem, and returns empty, if the scalar is bad. */
    public <T> Optional<T> value(YamlNode node, ValueType<T> type) {
        put(node, node.written());
        return node.find(type);
    }

    /** Reports the value that a node has in effect. */
    public void put(YamlNode node, String value) {
        seen.accept(new Setting(node.path(), value, node.origin()));
    }

    /** Returns a mapping with parsed keys and values. If a key or a value is bad, notes the problem and returns empty. */
    public <K, V> Optional<Map<K, V>> map(YamlNode node, ValueType<K> keys, Function<YamlNode, Optional<V>> values) {
        Map<K, V> map = new LinkedHashMap<>();
        node.entries().forEach((written, value) -> {
            Optional<V> read = values.apply(value);
            try {
                K key = keys.parse(written);
                if (map.containsKey(key)) {
                    node.problemWithKey(written, "'" + written + "' is equal to another key here (remove one)");
                } else {
                    read.ifPresent(one -> map.put(key, one));
                }
            } catch (IllegalArgumentException wrong) {
                node.problemWithKey(written, String.valueOf(wrong.getMessage()));
            }
        });
        return node.isMapping() && map.size() == node.entries().size() ? Optional.of(map) : Optional.empty();
    }

    private Optional<?> variant(YamlNode node, By variants) {
        String by = variants.value();
        Map<String, Class<?>> records = new LinkedHashMap<>();
        for (Class<?> one : variants.of()) {
            String name = one.getSimpleName();
            records.put(Character.toLowerCase(name.charAt(0)) + name.substring(1), one);
        }
        String standard = variants.standard();
        YamlNode written =
                node.optional(by).orElseGet(() -> standard.isEmpty() ? node.required(by) : node.standard(by, standard));
        Optional<Class<?>> chosen = value(written, ValueType.choice(new Choices<>(records)));
        Set<String> own = chosen.map(YamlRecords::keys).orElse(Set.of());
        // The known keys depend on the selected record, so no key is refused if no record is selected.
        records.forEach((label, other) -> keys(other).stream()
                .filter(key -> !own.contains(key) && node.peek(key).isPresent())
                .map(node::required)
                .filter(misplaced -> chosen.isPresent())
                .forEach(misplaced -> misplaced.problem(
                        "is for " + by + ": " + label + ", but that is " + written.written() + " (remove it)")));
        return chosen.flatMap(one -> record(node, one));
    }

    private static Set<String> keys(Class<?> type) {
        Set<String> keys = new LinkedHashSet<>();
        for (RecordComponent component : type.getRecordComponents()) {
            keys.addAll(
                    component.isAnnotationPresent(Inline.class) ? keys(component.getType()) : Set.of(key(component)));
        }
        return keys;
    }

    private static String key(RecordComponent component) {
        Key key = component.getAnnotation(Key.class);
        return key == null || key.value().isEmpty() ? component.getName() : key.value();
    }

    private Optional<?> component(YamlNode node, RecordComponent component) {
        Key key = component.getAnnotation(Key.class);
        String allowed = key == null ? "" : key.allowed();
        String standard = key == null ? "" : key.standard();
        Type type = component.getGenericType();
        String name = key(component);
        Optional<YamlNode> written = node.optional(name);
        if (written.isEmpty() && standard.equals(Key.NOTHING)) {
            return Optional.of("");
        }
        if (raw(type) == Optional.class) {
            return written.isEmpty()
                    ? Optional.of(written)
                    : value(written.get(), argument(type, 0), allowed).map(found -> (Object) Optional.of(found));
        }
        YamlNode value = written.orElseGet(
                () -> standard.isEmpty() || !node.isMapping() ? node.required(name) : node.standard(name, standard));
        if (key != null && key.filled() && written.isPresent() && value.isEmpty()) {
            value.problem("is empty (allowed: at least one entry)");
            return Optional.empty();
        }
        return value(value, type, allowed);
    }

    private Optional<?> value(YamlNode node, Type type, String allowed) {
        Class<?> raw = raw(type);
        Reader reader = readers.get(raw);
        if (reader != null) {
            return reader.read(node, type, allowed);
        }
        if (raw == List.class) {
            List<Object> values = new ArrayList<>();
            node.elements()
                    .forEach(one -> value(one, argument(type, 0), allowed).ifPresent(values::add));
            boolean good = node.isList() && values.size() == node.elements().size();
            return good ? Optional.of(List.copyOf(values)) : Optional.empty();
        }
        if (raw == Map.class || raw == SortedMap.class) {
            Function<YamlNode, Optional<Object>> values =
                    one -> value(one, argument(type, 1), allowed).map(Object.class::cast);
            Optional<? extends Map<?, Object>> read = map(node, keys(type, ""), values);
            return raw == Map.class ? read : read.map(one -> new TreeMap<Object, Object>(one));
        }
        Optional<ValueType<?>> single = single(raw, allowed);
        return single.isPresent() ? value(node, single.get()) : record(node, raw);
    }

    private Optional<ValueType<?>> single(Class<?> type, String allowed) {
        ValueType<?> known = types.getOrDefault(allowed, types.get(type));
        if (known != null) {
            return Optional.of(known);
        }
        if (type.isEnum()) {
            return Optional.of(ValueType.choice(Choices.of(type, one -> Choices.camelCase((Enum<?>) one))));
        }
        int between = allowed.indexOf(" to ");
        String from = between < 0 ? allowed : allowed.substring(0, between);
        String to = between < 0 ? allowed : allowed.substring(between + 4);
        return Optional.ofNullable(
                switch (type.getSimpleName()) {
                    case "int", "Integer" -> ValueType.wholeNumber(Integer.parseInt(from), Integer.parseInt(to));
                    case "long", "Long" -> ValueType.wholeNumber(Long.parseLong(from), Long.parseLong(to));
                    case "double", "Double" ->
                        allowed.isEmpty()
                                ? ValueType.ratio()
                                : ValueType.number(Double.parseDouble(from), Double.parseDouble(to));
                    case "Duration" ->
                        ValueType.duration(
                                Durations.parse(from).orElseThrow(),
                                Durations.parse(to).orElseThrow());
                    case "Instant" -> ValueType.instant();
                    case "boolean", "Boolean" -> ValueType.trueOrFalse();
                    case "String" -> ValueType.text();
                    default -> null;
                });
    }

    private static Class<?> raw(Type type) {
        return (Class<?>) (type instanceof ParameterizedType generic ? generic.getRawType() : type);
    }

    private static Type argument(Type type, int index) {
        return ((ParameterizedType) type).getActualTypeArguments()[index];
    }
}
