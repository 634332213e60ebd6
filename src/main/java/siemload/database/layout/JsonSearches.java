package siemload.database.layout;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import siemload.config.Choices;
import siemload.database.TargetPlugin.Product;
import siemload.database.Variant;
import siemload.database.layout.Blocks.Block;
import siemload.database.layout.Blocks.Syntax;
import siemload.database.layout.EventField.EventText;
import siemload.database.layout.JsonSearches.JsonTemplate.Names;
import siemload.database.layout.JsonSearches.JsonTemplate.Notation;
import siemload.database.layout.JsonSearches.JsonTemplate.Output;
import siemload.database.layout.JsonSearches.JsonTemplate.Piece;
import siemload.event.AddressRange;
import siemload.event.AddressRange.Family;
import siemload.event.Endpoint;
import siemload.event.JsonFault;
import siemload.event.Node;
import siemload.event.SecurityEvent;
import siemload.event.Utf8Sanitizer;
import siemload.query.Order;
import siemload.query.PageClass;
import siemload.query.Search;
import siemload.query.Summary;

/**
 * A layout of documents. Its blocks of JSON translate searches, one block for each condition, and store events. Immutable and thread-safe.
 *
 * @param <T> an object of the database's notation
 */
public abstract class JsonSearches<T extends Map<String, Object>> extends SearchConditions<T> {
    /** The name of siemload's own layout. */
    public static final String LAYOUT = "idea";

    private static final String DOCUMENT = "document";
    private static final Pattern UNKNOWN_KEY = Pattern.compile("(?<!\\\\)\"(\\$(?!(?:param|each)\")\\w+)\"\\s*:");

    private static final double MICROS_PER_MILLI = 1_000;

    /** The names for parts of an event in a document: {@code $param} stands for a value, {@code $each} goes through a list. */
    private static final Names<Stored> EVENT = new Names<>();

    private static final Names<AddressRange> ADDRESS = new Names<AddressRange>()
            .value("first", AddressRange::first)
            .value("last", AddressRange::last)
            .value("wide", range -> !range.isSingle());

    static {
        for (EventField field : EventField.values()) {
            if (EnumSet.range(EventField.Kind.TEXT, EventField.Kind.NUMBERS).contains(field.kind())) {
                EVENT.value(field.label(), stored -> field.of(stored.event));
            }
        }
        EVENT.value("id_hash", stored -> EventText.idHash(stored.event.id()))
                .value("detect_micros", stored -> EventText.micros(stored.event.detectTime()))
                .value(
                        "hour",
                        stored -> stored.event
                                .detectTime()
                                .truncatedTo(ChronoUnit.HOURS)
                                .toString())
                .value("json", stored -> stored.idea)
                .value("lowest_source", stored -> lowestSource(stored))
                .value("port", stored -> EventField.ofBothSides(stored.event, Endpoint::ports))
                .list(
                        "node",
                        new Names<Node>()
                                .value("name", Node::name)
                                .value("type", Node::types)
                                .value("software", Node::software),
                        stored -> stored.event.nodes())
                .list("address", ADDRESS, stored -> EventField.ofBothSides(stored.event, Endpoint::addresses));
        addSide("source", stored -> stored.event.sources());
        addSide("target", stored -> stored.event.targets());
    }

    public final LayoutFormat.LayoutAbout about;
    private final Notation notation;
    private final Map<String, JsonTemplate> templates = new HashMap<>();
    private final Optional<Piece<Stored>> document;

    /**
     * The layout of a variant.
     *
     * @throws siemload.config.ConfigException with all problems of the files of a user's layout
     */
    protected JsonSearches(Format format, Variant variant) {
        this(variant.ownLayout().map(format::read).orElseGet(() -> format.builtIn(LAYOUT)), format.notation);
    }

    private JsonSearches(LayoutFormat.Read read, Notation notation) {
        super(read.blocks().all()::containsKey);
        this.about = read.about();
        this.notation = notation;
        this.document = read.blocks().find(DOCUMENT).map(block -> JsonTemplate.made(block, EVENT));
        read.blocks().all().forEach((name, block) -> {
            if (!name.equals(DOCUMENT)) {
                templates.put(name, JsonTemplate.read(block, notation));
            }
        });
    }

    public final Optional<JsonTemplate> find(String name) {
        return Optional.ofNullable(templates.get(name));
    }

    /** The template of this name. @throws Blocks.MissingBlockException if there is no block of this name */
    public final JsonTemplate block(String name) {
        return find(name).orElseThrow(() -> new Blocks.MissingBlockException(name));
    }

    /** The JSON of a block without parameters. @throws Blocks.MissingBlockException if there is no such block */
    protected final Object constant(String name) {
        return block(name).value(unused -> "");
    }

    /** The sort order of rows; empty for any order. */
    protected final Optional<Object> sort(Order order) {
        return switch (order) {
            case NEWEST_FIRST -> Optional.of(constant("newest-first"));
            case OLDEST_FIRST -> Optional.of(constant("oldest-first"));
            case UNSORTED -> Optional.empty();
        };
    }

    /** Writes the document of an event. */
    public final void write(Stored event, Output output) throws IOException {
        document.orElseThrow().write(event, output);
    }

    public final T conditions(Search search) {
        return all(of(search));
    }

    @Override
    @SuppressWarnings("unchecked") // The notation makes no other objects.
    protected final T leaf(String block, Map<String, ?> values) {
        return (T) block(PREFIX + block).value(name -> value(name, values));
    }

    /** The value of this name: a time is in microseconds, in milliseconds rounded up, or in the database's form. */
    protected final Object value(String name, Map<String, ?> of) {
        if (name.equals("id_hash")) {
            return EventText.idHash((String) Objects.requireNonNull(of.get("id")));
        } else if (name.equals("pattern")) {
            return notation.pattern((String) Objects.requireNonNull(of.get("text")));
        }
        String time = name.startsWith("from") ? "from" : name.startsWith("until") ? "until" : "time";
        Object value = Objects.requireNonNullElseGet(of.get(name), () -> Objects.requireNonNull(of.get(time), name));
        if (!(value instanceof Instant instant) || name.endsWith("time")) {
            return value;
        }
        long micros = EventText.micros(instant);
        return name.endsWith("millis") ? EventText.millisFrom(micros) : micros;
    }

    /**
     * The block of a summary with its values.
     *
     * @param beside further values that the database needs, by name
     */
    protected final Object summed(Search search, Summary summary, Map<String, ?> beside) {
        Map<String, Object> values = new HashMap<>(beside);
        values.put("field", constant("field-" + summary.field().label()));
        if (summary instanceof Summary.OverTime timeline) {
            long from = EventText.micros(search.window().from());
            long step = timeline.step(search.window()).toNanos() / 1_000;
            values.put("from", from);
            values.put("step", step);
            values.put("step_millis", step / MICROS_PER_MILLI);
            values.put("offset", Math.floorMod(from, step));
            values.put("offset_millis", Math.floorMod(from, step) / MICROS_PER_MILLI);
            return block("timeline").value(values::get);
        } else if (summary instanceof Summary.TopList top) {
            values.put("limit", top.size());
            return block("top-list").value(values::get);
        }
        throw new AssertionError("a kind of summary without a block: " + summary);
    }

    protected abstract Object summed(Search search, Summary summary);

    /** Translates a search for this class of page. @throws Blocks.MissingBlockException */
    public final void translate(Search search, PageClass page) {
        Object unused = page == PageClass.SUMMARY
                ? search.summary().map(summary -> summed(search, summary))
                : conditions(search);
    }

    /** An event with its IDEA JSON in UTF-8; nobody changes the array. */
    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    public record Stored(SecurityEvent event, byte[] idea) {}

    private static void addSide(String side, Function<Stored, List<Endpoint>> ends) {
        Names<Endpoint> end = new Names<Endpoint>()
                .value("type", Endpoint::types)
                .value("port", Endpoint::ports)
                .value("protocol", Endpoint::protocols)
                .list("address", ADDRESS, Endpoint::addresses);
        Function<Stored, List<AddressRange>> addresses =
                stored -> EventField.distinct(ends.apply(stored), Endpoint::addresses);
        for (Family family : Family.values()) {
            Predicate<AddressRange> isOfFamily = range -> range.family() == family;
            end.list("ip" + digit(family), ADDRESS, one -> only(one.addresses(), isOfFamily));
            // A server may have separate types for single addresses and ranges.
            for (boolean single : new boolean[] {true, false}) {
                Predicate<AddressRange> isOfKind = isOfFamily.and(range -> range.isSingle() == single);
                EVENT.list(
                        side + (single ? "_ip" : "_range") + digit(family),
                        ADDRESS,
                        stored -> only(addresses.apply(stored), isOfKind));
            }
        }
        EVENT.list(side, end, ends).list(side + "_address", ADDRESS, addresses);
    }

    private static List<AddressRange> only(List<AddressRange> addresses, Predicate<AddressRange> wanted) {
        List<AddressRange> only = new ArrayList<>();
        for (int i = 0; i < addresses.size(); i++) {
            if (wanted.test(addresses.get(i))) {
                only.add(addresses.get(i));
            }
        }
        return only;
    }

    /** The lowest source as a text that sorts like addresses: the family, then the digits of all bytes. */
    private static @Nullable String lowestSource(Stored stored) {
        AddressRange lowest = null;
        for (Endpoint source : stored.event.sources()) {
            for (AddressRange range : source.addresses()) {
                lowest = lowest == null || range.compareTo(lowest) < 0 ? range : lowest;
            }
        }
        return lowest == null ? null : digit(lowest.family()) + HexFormat.of().formatHex(lowest.firstBytes());
    }

    private static String digit(Family family) {
        return family == Family.IP4 ? "4" : "6";
    }

    /**
     * Reads layouts of documents: a block must have the same kind of JSON as siemload's own block of that name. Immutable and thread-safe.
     */
    public static class Format extends LayoutFormat {
        private final Notation notation;
        private final Map<String, String> keys;

        /**
         * Creates the format of one database, as {@link LayoutFormat} does.
         *
         * @param keys the required keys of a document, each with the name of the value that it must hold
         */
        protected Format(
                Product product,
                Notation notation,
                Map<String, String> keys,
                Set<String> neededAlone,
                Function<Variant, BiConsumer<Search, PageClass>> translating) {
            super(Syntax.JSON, product, List.of(LAYOUT), neededAlone, translating);
            this.notation = notation;
            this.keys = new TreeMap<>(keys);
        }

        @Override
        protected List<String> names(Block block) {
            return block.name().equals(DOCUMENT)
                    ? List.of()
                    : JsonTemplate.read(block, notation).values();
        }

        @Override
        protected Optional<String> wrong(Block block) {
            Object json = JsonTemplate.parsed(block);
            if (block.name().equals(DOCUMENT)) {
                Matcher unknown = UNKNOWN_KEY.matcher(block.text());
                if (unknown.find()) {
                    return Optional.of(
                            "has the key " + unknown.group(1) + ", which begins with $ (allowed: $param, $each)");
                }
                Piece<Stored> unused = JsonTemplate.made(block, EVENT);
                return keys.entrySet().stream()
                        .filter(key -> !(json instanceof Map<?, ?> document)
                                || !JsonTemplate.contains(document.get(key.getKey()), key.getValue()))
                        .findFirst()
                        .map(key -> "has no {\"$param\": \"" + key.getValue() + "\"} in " + key.getKey()
                                + " (needed: events are identified and shown by " + String.join(", ", keys.keySet())
                                + ")");
            } else if (block.name().equals(ValueLines.BLOCK)) {
                return json instanceof Map<?, ?> queries
                        ? ValueLines.wrong(queries.keySet())
                        : Optional.of("is not an object (needed: {\"category\": {...}, ...})");
            } else if (block.name().startsWith("field-")) {
                return Optional.empty();
            }
            Optional<Block> own = builtIn(LAYOUT).blocks().find(block.name());
            String needed = own.map(Format::kind).orElse("an object");
            return Optional.of("is " + kind(block) + " (needed: " + needed + ")")
                    .filter(other -> !kind(block).equals(needed));
        }

        /** The kind of a block's JSON. For indexes and rows it contains the keys, of which none may be missing or added. */
        private static String kind(Block block) {
            Object json = JsonTemplate.parsed(block);
            if (json instanceof List<?> list) {
                boolean isOfObjects = list.stream().allMatch(JsonTemplate::isObject);
                return list.isEmpty() ? "an empty list" : isOfObjects ? "a list of objects" : "a list";
            } else if (!JsonTemplate.isObject(json)) {
                return "a value";
            }
            boolean isWhole = block.name().startsWith(INDEXES) || block.name().equals("row");
            return "an object" + (isWhole ? " with " + new TreeSet<>(((Map<?, ?>) json).keySet()) : "");
        }
    }

    /**
     * A condition, an expression or a list of them from a block. Each {@code {"$param": "name"}} in it is replaced by a value, never by
     * text. Immutable and thread-safe.
     *
     * @param made builds it, given a function from names to values
     * @param values the names of its values
     */
    public record JsonTemplate(Function<Function<String, ?>, Object> made, List<String> values) {
        private static final String PARAMETER = "$param";
        /** Stands for a list whose elements are inserted. */
        private static final String EACH = "$each";

        private static final String ELEMENT = "in";

        /** Numbers stay as written. */
        private static final ObjectMapper MAPPER = JsonMapper.builder()
                .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                .build();

        /**
         * The template of a block.
         *
         * @throws IllegalArgumentException if the block is not a template; the message continues a sentence that begins with its name
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
            Piece<Function<String, ?>> piece = made(block, given);
            return new JsonTemplate(all -> Tree.of(piece, all, notation), values);
        }

        /** Returns the JSON of a block, for values of these names. @throws IllegalArgumentException as {@link #read} */
        static <T> Piece<T> made(Block block, Names<T> names) {
            return piece(parsed(block), names);
        }

        /** The JSON of a block as maps, lists and values. @throws IllegalArgumentException as {@link #read} */
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

        static boolean isObject(@Nullable Object json) {
            return json instanceof Map<?, ?> object && !object.containsKey(PARAMETER);
        }

        /** Returns whether an object in the JSON of a block has this key. */
        public static boolean hasKey(Block block, String key) {
            return MAPPER.<JsonNode>valueToTree(parsed(block)).findValue(key) != null;
        }

        /** Returns whether a value of this name occurs anywhere within the objects of this JSON; lists are not searched. */
        static boolean contains(@Nullable Object json, String name) {
            return json instanceof Map<?, ?> object
                    && (name.equals(object.get(PARAMETER))
                            || object.values().stream().anyMatch(part -> contains(part, name)));
        }

        /**
         * A database's form of JSON, and of types that JSON lacks: by default maps that keep the order of keys, and texts. Stateless and
         * thread-safe.
         */
        @FunctionalInterface
        public interface Notation {
            /** A pattern that finds a text anywhere, with its special characters quoted. */
            String pattern(String text);

            default Map<String, Object> object() {
                return new LinkedHashMap<>();
            }

            /** The representation of a value that is not a list; bytes are the JSON of an event, in UTF-8, and a time may lose precision. */
            default @Nullable Object value(@Nullable Object value) {
                if (value instanceof String text) {
                    return Utf8Sanitizer.of(text);
                }
                return value instanceof AddressRange || value instanceof Instant ? value.toString() : value;
            }
        }

        /** Receives the parts of a JSON document in order. Used by one thread. */
        public interface Output {
            void startObject() throws IOException;

            /** Writes the key of the next value. */
            void key(String key) throws IOException;

            void endObject() throws IOException;

            void startList() throws IOException;

            void endList() throws IOException;

            /** Writes a value that is not a list as {@link Notation#value} represents it. */
            void single(@Nullable Object value) throws IOException;

            default void value(@Nullable Object value) throws IOException {
                if (!(value instanceof List<?> several)) {
                    single(value);
                    return;
                }
                startList();
                for (int i = 0; i < several.size(); i++) {
                    value(several.get(i));
                }
                endList();
            }
        }

        /** Builds the maps and lists of a JSON document. */
        private static final class Tree implements Output {
            private final Notation notation;
            private final Deque<Object> open = new ArrayDeque<>();
            private String key = "";
            private @Nullable Object whole;

            private Tree(Notation notation) {
                this.notation = notation;
            }

            static <T> Object of(Piece<T> piece, T values, Notation notation) {
                Tree tree = new Tree(notation);
                try {
                    piece.write(values, tree);
                } catch (IOException impossible) {
                    throw new UncheckedIOException(impossible);
                }
                return Objects.requireNonNull(tree.whole);
            }

            @Override
            public void startObject() {
                start(notation.object());
            }

            @Override
            public void startList() {
                start(new ArrayList<>());
            }

            private void start(Object part) {
                add(part);
                open.push(part);
            }

            @Override
            public void key(String next) {
                key = next;
            }

            @Override
            public void single(@Nullable Object value) {
                add(notation.value(value));
            }

            @SuppressWarnings("unchecked") // Only these objects and lists are started.
            private void add(@Nullable Object value) {
                Object around = open.peek();
                if (around instanceof Map<?, ?> object) {
                    ((Map<String, Object>) object).put(key, value);
                } else if (around != null) {
                    ((List<Object>) around).add(value);
                } else {
                    whole = value;
                }
            }

            @Override
            public void endObject() {
                open.pop();
            }

            @Override
            public void endList() {
                open.pop();
            }
        }

        /** A part of a block's JSON that writes itself with the values of an event or a search. */
        interface Piece<T> {
            void write(T whole, Output output) throws IOException;
        }

        /** The names of the values and lists that can be read from a whole, such as an event. */
        static class Names<T> {
            private final Map<String, Function<T, @Nullable Object>> values = new HashMap<>();
            private final Map<String, Elements<T, ?>> lists = new HashMap<>();

            /** @param value reads the value from a whole, such as an event */
            final Names<T> value(String name, Function<T, @Nullable Object> value) {
                values.put(name, value);
                return this;
            }

            /** @param names the names of the values in each element */
            final <U> Names<T> list(String name, Names<U> names, Function<T, List<U>> of) {
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

        private record Elements<T, U>(Names<U> names, Function<T, List<U>> of) {}

        private static <T> Piece<T> piece(Object json, Names<T> names) {
            if (json instanceof List<?> list) {
                List<Piece<T>> parts =
                        list.stream().map(part -> piece(part, names)).toList();
                return (whole, output) -> {
                    output.startList();
                    for (int i = 0; i < parts.size(); i++) {
                        parts.get(i).write(whole, output);
                    }
                    output.endList();
                };
            } else if (!(json instanceof Map<?, ?> object)) {
                return (whole, output) -> output.value(json);
            } else if (object.containsKey(PARAMETER)) {
                Function<T, @Nullable Object> value = names.value(name(object, PARAMETER, Set.of(PARAMETER)));
                return (whole, output) -> output.value(value.apply(whole));
            } else if (object.containsKey(EACH)) {
                String list = name(object, EACH, Set.of(EACH, ELEMENT));
                return each(Names.known("list", list, names.lists), Objects.requireNonNull(object.get(ELEMENT)));
            } else {
                List<String> keys = new ArrayList<>();
                List<Piece<T>> parts = new ArrayList<>();
                object.forEach((key, part) -> {
                    keys.add((String) key);
                    parts.add(piece(part, names));
                });
                return (whole, output) -> {
                    output.startObject();
                    for (int i = 0; i < parts.size(); i++) {
                        output.key(keys.get(i));
                        parts.get(i).write(whole, output);
                    }
                    output.endObject();
                };
            }
        }

        private static <T, U> Piece<T> each(Elements<T, U> list, Object element) {
            Piece<U> part = piece(element, list.names);
            return (whole, output) -> {
                List<U> elements = list.of.apply(whole);
                output.startList();
                for (int i = 0; i < elements.size(); i++) {
                    part.write(elements.get(i), output);
                }
                output.endList();
            };
        }

        private static String name(Map<?, ?> object, String key, Set<String> keys) {
            if (!object.keySet().equals(keys)
                    || object.containsValue(null)
                    || !(object.get(key) instanceof String name)) {
                throw new IllegalArgumentException("has " + key
                        + " in an object of another form (needed: {\"$param\": \"name\"}, or {\"$each\": \"name\","
                        + " \"in\": {...}}, without other keys)");
            }
            return name;
        }

        /** The object with its values, in the database's notation. */
        @SuppressWarnings("unchecked") // The keys of all objects of JSON are strings.
        public Map<String, Object> object(Map<String, ?> values) {
            return (Map<String, Object>)
                    value(name -> Objects.requireNonNull(values.get(name), () -> "no value " + name));
        }

        /**
         * The JSON, of any kind, with its values.
         *
         * @param values returns the value of a name, and is asked only for names in the block
         */
        public Object value(Function<String, ?> values) {
            return made.apply(values);
        }
    }
}
