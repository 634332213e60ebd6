package siemload.database.opensearch;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.LayoutFolder;
import siemload.database.Variant;
import siemload.database.layout.EventFields;
import siemload.database.layout.JsonLayout;
import siemload.database.layout.JsonTemplate;
import siemload.database.layout.JsonTemplate.BadTemplateException;
import siemload.database.layout.LayoutAbout;
import siemload.database.layout.LayoutAbout.Vocabulary;
import siemload.database.layout.LayoutFormat;
import siemload.database.layout.ValueLines;
import siemload.event.AddressRange;
import siemload.event.JsonFault;
import siemload.query.Field;
import siemload.query.Order;
import siemload.query.ValueField;

/** A layout of an index, which is read once. Immutable and thread-safe as far as nobody changes what it gives. */
final class IndexLayout extends JsonLayout {
    private static final String ROWS = "rows";
    private static final String NEWEST_FIRST = "newest-first";
    private static final String OLDEST_FIRST = "oldest-first";
    private static final String FIELD = "field";
    private static final String SETTINGS = "settings";
    private static final String PREFIX = "index.";
    /** Where pages go on after a row, in the form in which hits of others are sorted. */
    private static final String AFTER_KEY = "after-key";
    /** One flat document an event. */
    static final IndexLayout IDEA = new IndexLayout(Format.INSTANCE.builtIn(LABELS.get(0)));

    private final Map<String, Object> rows;
    private final HitParts parts;

    private IndexLayout(LayoutFormat.Read read) {
        super(Format.INSTANCE, read);
        Map<String, Object> sent = new LinkedHashMap<>(block(ROWS).object(Map.of()));
        this.parts = isForSearchesAlone() ? HitParts.of(sent) : new HitParts("id", "detect_micros", "event");
        sent.remove(HitParts.KEY);
        this.rows = Collections.unmodifiableMap(sent);
    }

    /**
     * The one of a variant that the target offers.
     *
     * @throws siemload.config.ConfigException with everything that is wrong with the files of one of a user's own
     */
    static IndexLayout of(Variant variant) {
        return variant.ownLayout().map(IndexLayout::of).orElse(IDEA);
    }

    /** The one of a folder. @throws siemload.config.ConfigException as {@link #of(Variant)} */
    static IndexLayout of(LayoutFolder folder) {
        return new IndexLayout(Format.INSTANCE.read(folder));
    }

    /**
     * The body of the request that makes the index of a set.
     *
     * @param parameters settings beside those of the layout, by their full names
     * @param alias by which it is written
     */
    Map<String, Object> creation(IndexSet set, Map<String, String> parameters, String alias) {
        Map<String, Object> body =
                new LinkedHashMap<>(block(Format.INDEXES + set.label()).object(Map.of()));
        Map<String, Object> settings = settings(set);
        settings.putAll(parameters);
        body.put(SETTINGS, settings);
        body.put("aliases", Map.of(alias, Map.of()));
        return body;
    }

    /** The settings of an index as the layout has them, by their full names; none of one that was there before. */
    SortedMap<String, Object> settings(IndexSet set) {
        SortedMap<String, Object> flat = new TreeMap<>();
        if (!isForSearchesAlone()
                && block(Format.INDEXES + set.label()).object(Map.of()).get(SETTINGS) instanceof Map<?, ?> settings) {
            addAll("", settings, flat);
        }
        return flat;
    }

    private static void addAll(String path, Map<?, ?> settings, Map<String, Object> flat) {
        settings.forEach((key, value) -> {
            String name = path + key;
            if (value instanceof Map<?, ?> section) {
                addAll(name + ".", section, flat);
            } else {
                flat.put(name.startsWith(PREFIX) ? name : PREFIX + name, value);
            }
        });
    }

    /** What of a hit becomes a row. */
    HitParts parts() {
        return parts;
    }

    /**
     * The aggregations for values that it has, by what the values are of.
     *
     * @param most how many values are asked for at most
     */
    Map<ValueField, Map<String, Object>> values(int most) {
        Map<ValueField, Map<String, Object>> values = new EnumMap<>(ValueField.class);
        queriesForValues(Map.of("limit", most))
                .forEach((field, aggregations) -> values.put(field, PlainJson.object(aggregations)));
        return values;
    }

    /** What is added to a search, so that its hits have what rows are made of. */
    Map<String, Object> rows() {
        return rows;
    }

    /** What hits are sorted by, a field each; nothing for any order. */
    List<Object> order(Order order) {
        return orderOf(order).map(IndexLayout::list).orElse(List.of());
    }

    private static List<Object> list(Object json) {
        return List.copyOf((List<?>) json);
    }

    /** The field that hits are sorted by first. */
    String timeField() {
        return String.valueOf(((Map<?, ?>) order(Order.NEWEST_FIRST).get(0))
                .keySet()
                .iterator()
                .next());
    }

    /** The field whose values a summary groups by. */
    String field(Field field) {
        return String.valueOf(
                block(FIELD + "-" + field.label()).object(Map.of()).get(FIELD));
    }

    /**
     * The values that a row was sorted by.
     *
     * @param values by their names in the block
     */
    List<Object> place(Function<String, ?> values) {
        return list(block(AFTER_KEY).value(values));
    }

    /**
     * What of a hit becomes a row; where siemload has not made the documents, the key {@code row} of the block {@code rows}. Each part is
     * {@code _id}, {@code _source}, or the name of a field: one that the search asks for by {@code fields} or {@code docvalue_fields}, or
     * else a path into {@code _source}. Immutable.
     *
     * @param id tells rows apart
     * @param time when the event was, as text in ISO 8601
     * @param event what a row shows
     */
    record HitParts(String id, String time, String event) {
        /** The name of the document in its index. */
        static final String ID = "_id";
        /** The document as a whole, as far as the search asks for it. */
        static final String SOURCE = "_source";
        /** The key that is not sent. */
        static final String KEY = "row";

        private static final String TIME = "time";
        private static final Set<String> KNOWN = Set.of("id", TIME, "event");

        /** Those of a block in which nothing is {@link #wrong}. */
        static HitParts of(Map<?, ?> rows) {
            return new HitParts(part(rows, "id", ID), part(rows, TIME, ""), part(rows, "event", SOURCE));
        }

        private static String part(Map<?, ?> rows, String part, String usual) {
            return rows.get(KEY) instanceof Map<?, ?> parts && parts.get(part) instanceof String field ? field : usual;
        }

        /** What is wrong with such a block, as the end of a sentence; empty if nothing is. */
        static Optional<String> wrong(Map<?, ?> rows) {
            if (!(rows.get(KEY) instanceof Map<?, ?> parts) || !parts.containsKey(TIME)) {
                return Optional.of(
                        "does not say when an event was (needed: {\"row\": {\"time\": \"@timestamp\"}}, and what is sent"
                                + " beside it)");
            }
            return parts.entrySet().stream()
                    .filter(part -> !(KNOWN.contains(part.getKey())
                            && part.getValue() instanceof String field
                            && !field.isEmpty()))
                    .findFirst()
                    .map(part -> "has '" + part.getKey()
                            + "' in row (allowed: id, time and event, each the name of a field)");
        }
    }

    /** How layouts of this database are read. */
    static final class Format extends JsonLayout.Format {
        /** Reads them. */
        static final Format INSTANCE = new Format();

        /** The aggregation whose buckets are lines. */
        private static final String LINES = "values";

        private static final String MAPPINGS = "mappings";
        /** What a row has: the key of its document, and the value that it must be. */
        private static final Map<String, String> ROW =
                Map.of("id", "id", "detect_micros", "detect_micros", "event", "json");
        /** What the server takes, several with commas between; each as it is written, none that leaves others out. */
        private static final Pattern INDEX = Pattern.compile("(?:^|,)(?![-_])[a-z0-9*._-]{1,255}(?=,|$)");

        private static final Pattern COMMA = Pattern.compile(",");
        /** Such names as siemload makes. */
        private static final List<String> OWN = List.of("siemload_registry", "siemload_data_0_0", "siemload_run_0_0");

        private Format() {
            super(
                    new Vocabulary(
                            "opensearch",
                            List.of(Hint.NONE),
                            List.of(Hint.NONE),
                            LABELS,
                            Set.of(),
                            "index",
                            Format::refusalOfIndex),
                    new Rules(
                            Set.of(DOCUMENT, "presence"),
                            Set.of(),
                            Set.of(),
                            Set.of(ROWS, NEWEST_FIRST, OLDEST_FIRST, "condition-window", AFTER_KEY)),
                    PlainJson.NOTATION,
                    List.of(
                            new Shape(
                                    INDEXES + ".*",
                                    Format::isIndex,
                                    "does not make an index (needed: {\"settings\": {...}, \"mappings\": {...}} alone; its"
                                            + " name and its aliases are siemload's)"),
                            new Shape(
                                    FIELD + "-.*",
                                    json -> isSingle(json) && ((Map<?, ?>) json).get(FIELD) instanceof String,
                                    "names no field (needed: {\"field\": \"name\"} alone)"),
                            new Shape(
                                    NEWEST_FIRST + "|" + OLDEST_FIRST,
                                    json -> json instanceof List<?> keys
                                            && !keys.isEmpty()
                                            && keys.stream().allMatch(Format::isSingle),
                                    "is no order (needed: [{\"field\": \"desc\"}, ...])"),
                            new Shape(
                                    "timeline",
                                    json -> at(json, "steps", "aggs", LINES) instanceof Map<?, ?>,
                                    "has no aggregation values within the aggs of steps (needed: lines are made of their"
                                            + " buckets)"),
                            new Shape(
                                    "top-list",
                                    json -> at(json, LINES) instanceof Map<?, ?>,
                                    "has no aggregation values (needed: lines are made of its buckets)"),
                            new Shape(ROWS, Map.class::isInstance, "is no object (needed: {...})"),
                            new Shape(
                                    AFTER_KEY,
                                    json -> json instanceof List<?> place && !place.isEmpty(),
                                    "is no place (needed: a value for each field of the orders: [{\"$param\": \"millis\"},"
                                            + " {\"$param\": \"id\"}])"),
                            new Shape(ValueLines.BLOCK, json -> true, ""),
                            new Shape(
                                    ".*",
                                    Format::isSingle,
                                    "is no query (needed: an object with one key, which says of which kind it is)")));
        }

        private static Optional<String> refusalOfIndex(String name) {
            if (!INDEX.matcher(name).replaceAll("").isEmpty()) {
                return Optional.of(
                        "is no name of an index (needed: an index, an alias, a data stream or a pattern such as"
                                + " logs-*, in lower case; several with commas between)");
            }
            return COMMA.splitAsStream(name).anyMatch(Format::isOwn)
                    ? Optional.of("is, or may be, an index of siemload's own (needed: those of others alone)")
                    : Optional.empty();
        }

        private static boolean isOwn(String part) {
            Pattern named = Pattern.compile("\\Q" + part.replace("*", "\\E.*\\Q") + "\\E");
            return part.startsWith("siemload_")
                    || OWN.stream().anyMatch(own -> named.matcher(own).matches());
        }

        @Override
        protected Set<String> furtherNames(LayoutAbout about, String block) {
            return block.equals("condition-id") ? Set.of("id") : block.equals("presence") ? Set.of("ids") : Set.of();
        }

        @Override
        protected void checkKeys(Map<?, ?> keys) {
            if (keys.containsKey("_id")) {
                throw new BadTemplateException("has the key _id (leave it out: it is the hash of the id)");
            }
            for (Map.Entry<String, String> row : new TreeMap<>(ROW).entrySet()) {
                String key = row.getKey();
                String name = row.getValue();
                if (keys.get(key) instanceof Map<?, ?> || !JsonTemplate.contains(keys.get(key), name)) {
                    throw new BadTemplateException("no {\"$param\": \"" + name + "\"} is in " + key
                            + " (needed: rows are made of id, detect_micros and event)");
                }
            }
        }

        @Override
        protected Optional<String> wrongAlone(String block, Object json) {
            return switch (block) {
                case ROWS -> HitParts.wrong((Map<?, ?>) json);
                case ValueLines.BLOCK ->
                    ValueLines.wrong(
                            json,
                            aggregations -> at(aggregations, LINES) instanceof Map<?, ?>,
                            "{\"values\": {\"terms\": ...}}",
                            "aggregation values (needed: {\"values\": {\"terms\": {\"field\": \"name\"}}})");
                default -> Optional.empty();
            };
        }

        private static boolean isSingle(Object json) {
            return json instanceof Map<?, ?> object && object.size() == 1;
        }

        private static boolean isIndex(Object json) {
            return json instanceof Map<?, ?> index
                    && index.get(MAPPINGS) instanceof Map<?, ?>
                    && index.entrySet().stream()
                            .allMatch(entry -> Set.of(SETTINGS, MAPPINGS).contains(entry.getKey())
                                    && entry.getValue() instanceof Map<?, ?>);
        }

        private static @Nullable Object at(Object json, String... path) {
            Object found = json;
            for (String key : path) {
                found = found instanceof Map<?, ?> object ? object.get(key) : null;
            }
            return found;
        }
    }

    /** JSON without types of a database, whose objects are maps in the order of their keys; all that it has no type for is text. */
    enum PlainJson implements JsonTemplate.Notation {
        NOTATION;

        /** Numbers stay as they are written. */
        private static final ObjectMapper MAPPER = JsonMapper.builder()
                .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                .build();

        @Override
        public String label() {
            return "JSON";
        }

        @Override
        public Object parsed(String text) {
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

        @Override
        public Map<String, Object> object() {
            return new LinkedHashMap<>();
        }

        @Override
        public Object address(AddressRange single) {
            return single.toString();
        }

        @Override
        public Object time(Instant time) {
            return time.toString();
        }

        @Override
        public Object json(byte[] utf8) {
            return new String(utf8, StandardCharsets.UTF_8);
        }

        @Override
        public String pattern(String text) {
            return "*" + text.replaceAll("[\\\\*?]", "\\\\$0") + "*";
        }

        @Override
        public Object id(String name, String id) {
            return EventFields.idHash(id);
        }

        /** JSON that is known to be an object. */
        @SuppressWarnings("unchecked") // The keys of all objects of JSON are strings.
        static Map<String, Object> object(Object json) {
            return (Map<String, Object>) json;
        }
    }
}
