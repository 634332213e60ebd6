package siemload.database.opensearch.layout;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import siemload.config.Choices;
import siemload.config.Problems;
import siemload.config.YamlDocument;
import siemload.config.YamlNode;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.LayoutFolder;
import siemload.database.Variant;
import siemload.database.layout.FolderFiles;
import siemload.database.layout.LayoutOffer;
import siemload.database.layout.Loading;
import siemload.database.layout.MissingFileException;
import siemload.database.layout.ValueLines;
import siemload.database.layout.document.BadTemplateException;
import siemload.database.layout.document.DocumentTemplate;
import siemload.database.layout.document.DocumentWriter;
import siemload.database.layout.document.EventWithJson;
import siemload.database.layout.document.FileRules;
import siemload.database.layout.document.JsonNotation;
import siemload.database.layout.document.JsonTemplate;
import siemload.database.layout.document.JsonTemplate.Value;
import siemload.database.layout.document.TemplateFiles;
import siemload.database.layout.document.TemplateLayout;
import siemload.database.layout.document.TemplateText.Read;
import siemload.event.AddressRange;
import siemload.event.JsonFault;
import siemload.event.SecurityEvent;
import siemload.query.Field;
import siemload.query.Order;
import siemload.query.Paging;
import siemload.query.ValueField;

/**
 * A layout of an index: what its {@code layout.yaml} says, and its files of JSON. Siemload's own one and those of users are folders of
 * the same kind, which are read once. What it gives has been made once as well, and is changed by nobody; immutable and thread-safe
 * under that condition.
 */
public final class IndexLayout extends TemplateLayout<JsonTemplate> {
    /** Of the names of its files. */
    public static final String ENDING = TemplateFiles.ENDING;
    /** The names of siemload's own layouts, the default first. */
    public static final List<String> LABELS = IndexAbout.LABELS;

    /** One flat document an event. */
    public static final IndexLayout IDEA = of(builtIn(LABELS.get(0), IndexFiles.ofFolder(LABELS.get(0))));

    private final IndexAbout about;
    private final Optional<DocumentTemplate> document;
    private final Map<String, Object> rows;
    private final Optional<HitParts> parts;
    private final List<Object> oldestFirst;
    private final List<Object> newestFirst;

    private IndexLayout(IndexAbout about, LayoutFolder folder, Map<String, JsonTemplate> templates) {
        super(folder, about.offer(), templates);
        this.about = about;
        this.document = found(TemplateFiles.DOCUMENT).map(read -> DocumentTemplate.of(read, EventFields.EVENT));
        Map<String, Object> sent = new LinkedHashMap<>(template(IndexFiles.ROWS).object(Map.of()));
        this.parts = isForSearchesAlone() ? Optional.of(HitParts.of(sent)) : Optional.empty();
        this.parts.ifPresent(found -> sent.remove(HitParts.KEY));
        this.rows = Collections.unmodifiableMap(sent);
        this.oldestFirst =
                List.copyOf((List<?>) template(IndexFiles.OLDEST_FIRST).value(Map.of()));
        this.newestFirst =
                List.copyOf((List<?>) template(IndexFiles.NEWEST_FIRST).value(Map.of()));
    }

    /**
     * The one of a variant that the target offers.
     *
     * @throws siemload.config.ConfigException with everything that is wrong with the files of one of a user's own
     */
    public static IndexLayout of(Variant variant) {
        return variant.ownLayout().map(IndexLayout::of).orElse(IDEA);
    }

    /**
     * The one of a folder.
     *
     * @throws siemload.config.ConfigException with everything that is wrong with its files
     */
    public static IndexLayout of(LayoutFolder folder) {
        Problems problems = new Problems();
        String yaml = folder.files().getOrDefault(LayoutFolder.ABOUT, "");
        IndexAbout about = YamlDocument.parse(folder.shown(LayoutFolder.ABOUT), yaml, problems, IndexAbout::read);
        Map<String, String> texts = texts(folder, about.base(), IndexFiles::ofFolder);
        Map<String, Read> read = IndexFiles.of(about.offer().loading()).read(about.offer(), folder, texts, problems);
        problems.throwIfAny();
        return new IndexLayout(about, folder, templates(read, template -> template));
    }

    /** What an event's document is called: a hash of its id, which may be longer than such a name. 43 characters of ASCII. */
    public static String idHash(String id) {
        return EventFields.idHash(id);
    }

    /**
     * The body of the request that makes the index of a set.
     *
     * @throws MissingFileException if the layout does not have the set
     */
    public Map<String, Object> index(IndexSet set) {
        return template(IndexFiles.index(set)).object(Map.of());
    }

    /** What it searches, where it {@link #isForSearchesAlone is for that alone}; else empty. */
    public String searched() {
        return about.index();
    }

    /** What of a hit becomes a row, in the same case; else empty. */
    public Optional<HitParts> parts() {
        return parts;
    }

    /**
     * The aggregations for values that it has, by what the values are of.
     *
     * @param most how many values are asked for at most
     */
    public Map<ValueField, Map<String, Object>> values(int most) {
        Map<ValueField, Map<String, Object>> values = new EnumMap<>(ValueField.class);
        found(ValueLines.FILE)
                .map(asked -> asked.object(Map.of("limit", most)))
                .ifPresent(kinds -> kinds.forEach((kind, aggregations) -> ValueLines.KINDS
                        .find(kind)
                        .ifPresent(field -> values.put(field, PlainJson.object(aggregations)))));
        return values;
    }

    /** What is added to a search, so that its hits have what rows are made of. */
    public Map<String, Object> rows() {
        return rows;
    }

    /** What hits are sorted by, a field each; nothing for any order. */
    public List<Object> order(Order order) {
        return switch (order) {
            case NEWEST_FIRST -> newestFirst;
            case OLDEST_FIRST -> oldestFirst;
            case UNSORTED -> List.of();
        };
    }

    /** The field that hits are sorted by first. */
    public String timeField() {
        return String.valueOf(
                ((Map<?, ?>) newestFirst.get(0)).keySet().iterator().next());
    }

    /** The field whose values a summary groups by. */
    public String field(Field field) {
        return String.valueOf(template(IndexFiles.FIELD + "-" + field.label())
                .object(Map.of())
                .get(IndexFiles.FIELD));
    }

    /**
     * The values that a row was sorted by.
     *
     * @param values by their names in the file
     */
    public List<Object> place(Function<String, ?> values) {
        return List.copyOf((List<?>) template(IndexFiles.AFTER_KEY).value(values));
    }

    /**
     * Writes the document of an event, without its name.
     *
     * @param idea its JSON in UTF-8
     * @param source writes bytes in UTF-8
     * @throws java.io.UncheckedIOException if it cannot be written
     */
    public void write(SecurityEvent event, byte[] idea, JsonGenerator source) {
        document.orElseThrow().write(new IndexEventWriter(source), new IndexedEvent(event, idea));
    }

    /** What the document of an event is called, its {@code _id}: the event is there already where one of that name is. */
    public String documentId(SecurityEvent event) {
        return idHash(event.id());
    }

    /**
     * What {@code layout.yaml} of a layout of an index says. Immutable.
     *
     * @param base the folders of siemload whose files stand in where its own has none, the first one first
     * @param index what is searched, where siemload loads nothing: the name of an index, an alias or a data stream, or a pattern; else
     *     empty
     */
    private record IndexAbout(LayoutOffer offer, List<String> base, String index) {
        /** The names of siemload's own layouts, the default first. */
        static final List<String> LABELS = List.of("idea");
        /** Files for indexes of any kind: a base of layouts without loading, and no layout by itself. */
        static final String ROWS = "rows";

        private static final String TARGET = "opensearch";
        private static final List<Paging> PAGINGS = List.of(Paging.OFFSET, Paging.KEYSET, Paging.CURSOR);
        /** What the server takes, several with commas between; each as it is written, none that leaves others out. */
        private static final Pattern INDEX = Pattern.compile("(?:^|,)(?![-_])[a-z0-9*._-]{1,255}(?=,|$)");

        private static final Pattern COMMA = Pattern.compile(",");
        /** Such names as siemload makes. */
        private static final List<String> OWN = List.of("siemload_registry", "siemload_data_0_0", "siemload_run_0_0");

        IndexAbout {
            base = List.copyOf(base);
        }

        /** Reads one, and notes what is wrong with it. */
        static IndexAbout read(YamlNode top) {
            LayoutOffer offer = LayoutOffer.read(top, TARGET, List.of(Hint.NONE), PAGINGS);
            Optional<YamlNode> base = top.optional("base");
            return switch (offer.loading()) {
                case EVENTS -> {
                    top.optional("index")
                            .ifPresent(node -> node.problem("means nothing to a layout with loading: siemload names the"
                                    + " indexes that it makes (leave it out)"));
                    yield new IndexAbout(offer, folders(base, LABELS).orElse(List.of()), "");
                }
                case NONE ->
                    new IndexAbout(
                            offer,
                            folders(
                                            base,
                                            Stream.concat(LABELS.stream(), Stream.of(ROWS))
                                                    .toList())
                                    .orElse(List.of(ROWS)),
                            index(top.required("index")));
            };
        }

        private static Optional<List<String>> folders(Optional<YamlNode> base, List<String> known) {
            return base.map(list -> LayoutOffer.distinct(list, Choices.names(known)));
        }

        private static String index(YamlNode node) {
            String name = node.text();
            if (!INDEX.matcher(name).replaceAll("").isEmpty()) {
                node.problem("'" + name
                        + "' is no name of an index (needed: an index, an alias, a data stream or a pattern such as"
                        + " logs-*, in lower case; several with commas between)");
            } else if (COMMA.splitAsStream(name).anyMatch(IndexAbout::isOwn)) {
                node.problem(
                        "'" + name + "' is, or may be, an index of siemload's own (needed: those of others alone)");
            }
            return name;
        }

        private static boolean isOwn(String part) {
            Pattern named = Pattern.compile("\\Q" + part.replace("*", "\\E.*\\Q") + "\\E");
            return part.startsWith("siemload_")
                    || OWN.stream().anyMatch(own -> named.matcher(own).matches());
        }
    }

    /** Which files a layout of this database needs, and what may stand in them beside what its own files have. Stateless. */
    private enum IndexFiles implements FileRules {
        /** For events that siemload loads. */
        OF_EVENTS,
        /** For what is searched alone. */
        OF_SEARCHES;

        static final String INDEX = "index-";
        static final String ROWS = "rows";
        static final String NEWEST_FIRST = "newest-first";
        static final String OLDEST_FIRST = "oldest-first";
        static final String FIELD = "field";
        /** Where pages go on after a row, in the form in which hits of others are sorted. */
        static final String AFTER_KEY = "after-key";
        /** The aggregation whose buckets are lines. */
        static final String LINES = "values";

        private static final String TIMELINE = "timeline";
        private static final String TOP_LIST = "top-list";
        private static final String MAPPINGS = "mappings";
        private static final String FOLDER = "/siemload/database/opensearch/";
        /** What a row has: the key of its document, and the value that it must be. */
        private static final Map<String, String> ROW =
                Map.of("id", "id", "detect_micros", "detect_micros", "event", "json");

        private static final Map<String, Set<String>> FURTHER =
                Map.of("condition-id", Set.of("id"), "presence", Set.of("ids"));
        /** Times of others are dates. */
        private static final Map<String, Set<String>> FURTHER_OF_OTHERS = Map.of(
                "condition-id",
                Set.of("id"),
                "condition-window",
                Set.of("from_millis", "until_millis", "from_time", "until_time"),
                AFTER_KEY,
                Set.of("micros", "time"),
                ValueLines.FILE,
                Set.of("limit"));

        private static final Set<String> NEEDED_ALONE =
                Set.of(ROWS, NEWEST_FIRST, OLDEST_FIRST, "condition-window", AFTER_KEY);
        /** Files that no search reads. */
        private static final Set<String> OF_LOADING = Set.of(TemplateFiles.DOCUMENT, "presence");

        private static final Map<String, Read> MODEL_OF_EVENTS = model(IndexAbout.LABELS);
        private static final Map<String, Read> MODEL_OF_SEARCHES =
                model(List.of(IndexAbout.LABELS.get(0), IndexAbout.ROWS));

        private static Map<String, Read> model(List<String> folders) {
            return TemplateFiles.model(FOLDER, folders, PlainJson.NOTATION);
        }

        /** Those of a layout for which siemload stores this. */
        static IndexFiles of(Loading loading) {
            return switch (loading) {
                case EVENTS -> OF_EVENTS;
                case NONE -> OF_SEARCHES;
            };
        }

        /** The files of one of siemload's layouts. */
        static Map<String, String> ofFolder(String folder) {
            return TemplateFiles.ofFolder(FOLDER + folder);
        }

        /**
         * Reads the files of a folder, and notes what is wrong with them.
         *
         * @param texts the files with those of its base, by their names without the ending
         * @return those that are of use to it
         */
        Map<String, Read> read(LayoutOffer offer, LayoutFolder folder, Map<String, String> texts, Problems problems) {
            return files(offer).read(folder, texts, problems);
        }

        private TemplateFiles files(LayoutOffer offer) {
            return switch (this) {
                case OF_EVENTS -> {
                    Set<String> known = known(MODEL_OF_EVENTS);
                    offer.indexSets().stream().map(IndexFiles::index).forEach(known::add);
                    yield files(MODEL_OF_EVENTS, known, known);
                }
                case OF_SEARCHES -> {
                    Set<String> known = known(MODEL_OF_SEARCHES);
                    known.removeAll(OF_LOADING);
                    known.add(ValueLines.FILE);
                    yield files(MODEL_OF_SEARCHES, NEEDED_ALONE, known);
                }
            };
        }

        private static Set<String> known(Map<String, Read> model) {
            Set<String> known = new TreeSet<>(model.keySet());
            known.removeIf(name -> name.startsWith(INDEX));
            return known;
        }

        private TemplateFiles files(Map<String, Read> model, Set<String> needed, Set<String> known) {
            return new TemplateFiles(model, needed, known, INDEX, PlainJson.NOTATION, this);
        }

        /** The file that makes the index of a set. */
        static String index(IndexSet set) {
            return INDEX + set.label();
        }

        @Override
        public void checkDocument(JsonTemplate document) {
            Map<?, ?> keys = DocumentTemplate.keys(document);
            if (keys.containsKey("_id")) {
                throw new BadTemplateException("has the key _id (leave it out: it is the hash of the id)", 0, 0);
            }
            for (String key : new TreeSet<>(ROW.keySet())) {
                String name = ROW.get(key);
                if (!(keys.get(key) instanceof Value value && value.name().equals(name))) {
                    throw new BadTemplateException(
                            "no {\"$param\": \"" + name + "\"} is in " + key
                                    + " (needed: rows are made of id, detect_micros and event)",
                            0,
                            0);
                }
            }
            var unused = DocumentTemplate.of(document, EventFields.EVENT);
        }

        @Override
        public Set<String> furtherNames(String file) {
            return (this == OF_EVENTS ? FURTHER : FURTHER_OF_OTHERS).getOrDefault(file, Set.of());
        }

        /** No search of this database writes. */
        @Override
        public Optional<String> refusal(String operator) {
            return Optional.empty();
        }

        @Override
        public void checkShape(FolderFiles files, String file, Object json) {
            if (file.equals(ValueLines.FILE)) {
                ValueLines.check(
                        files,
                        json,
                        aggregations -> at(aggregations, LINES) instanceof Map<?, ?>,
                        "{\"values\": {\"terms\": ...}}",
                        "aggregation values (needed: {\"values\": {\"terms\": {\"field\": \"name\"}}})");
                return;
            }
            wrong(file, json).ifPresent(what -> files.problem(file, what));
        }

        private Optional<String> wrong(String file, Object json) {
            if (file.startsWith(INDEX)) {
                return unless(
                        IndexFiles::isIndex,
                        json,
                        "does not make an index (needed: {\"settings\": {...}, \"mappings\": {...}} alone; its name and its"
                                + " aliases are siemload's)");
            } else if (file.startsWith(FIELD + "-")) {
                return unless(IndexFiles::isField, json, "names no field (needed: {\"field\": \"name\"} alone)");
            } else if (file.equals(NEWEST_FIRST) || file.equals(OLDEST_FIRST)) {
                return unless(IndexFiles::isOrder, json, "is no order (needed: [{\"field\": \"desc\"}, ...])");
            } else if (file.equals(TIMELINE)) {
                return unless(
                        aggregations -> at(aggregations, "steps", "aggs", LINES) instanceof Map<?, ?>,
                        json,
                        "has no aggregation values within the aggs of steps (needed: lines are made of their buckets)");
            } else if (file.equals(TOP_LIST)) {
                return unless(
                        aggregations -> at(aggregations, LINES) instanceof Map<?, ?>,
                        json,
                        "has no aggregation values (needed: lines are made of its buckets)");
            } else if (file.equals(ROWS)) {
                return json instanceof Map<?, ?> rows
                        ? Optional.of(rows).filter(sent -> this == OF_SEARCHES).flatMap(HitParts::wrong)
                        : Optional.of("is no object (needed: {...})");
            } else if (file.equals(AFTER_KEY)) {
                return unless(
                        place -> place instanceof List<?> list && !list.isEmpty(),
                        json,
                        "is no place (needed: a value for each field of the orders: [{\"$param\": \"millis\"}, {\"$param\": \"id\"}])");
            }
            return unless(
                    query -> query instanceof Map<?, ?> object && object.size() == 1,
                    json,
                    "is no query (needed: an object with one key, which says of which kind it is)");
        }

        private static Optional<String> unless(Predicate<Object> right, Object json, String what) {
            return right.test(json) ? Optional.empty() : Optional.of(what);
        }

        private static boolean isIndex(Object json) {
            return json instanceof Map<?, ?> index
                    && index.get(MAPPINGS) instanceof Map<?, ?>
                    && index.entrySet().stream()
                            .allMatch(entry -> Set.of("settings", MAPPINGS).contains(entry.getKey())
                                    && entry.getValue() instanceof Map<?, ?>);
        }

        private static boolean isField(Object json) {
            return json instanceof Map<?, ?> field && field.size() == 1 && field.get(FIELD) instanceof String;
        }

        private static boolean isOrder(Object json) {
            return TemplateFiles.isListOfObjects(json)
                    && !((List<?>) json).isEmpty()
                    && ((List<?>) json).stream().allMatch(key -> ((Map<?, ?>) key).size() == 1);
        }

        private static @Nullable Object at(Object json, String... path) {
            Object found = json;
            for (String key : path) {
                found = found instanceof Map<?, ?> object ? object.get(key) : null;
            }
            return found;
        }
    }

    /** JSON without types of a database, whose objects are maps in the order of their keys. */
    enum PlainJson implements JsonNotation {
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
        public String keysOfDocuments() {
            return "$param and $each";
        }

        @Override
        public Object parsed(String text) {
            try {
                return Objects.requireNonNullElseGet(MAPPER.readValue(text, Object.class), () -> {
                    throw new BadTemplateException("is null (needed: an object, a list or a value)", 0, 0);
                });
            } catch (JsonProcessingException wrong) {
                throw new BadTemplateException("is no JSON: " + JsonFault.words(wrong), 0, 0);
            }
        }

        @Override
        public Map<String, Object> object() {
            return new LinkedHashMap<>();
        }

        @Override
        public @Nullable Object constant(@Nullable Object json) {
            return json;
        }

        /** JSON that is known to be an object. */
        @SuppressWarnings("unchecked") // The keys of all objects of JSON are strings.
        static Map<String, Object> object(Object json) {
            return (Map<String, Object>) json;
        }
    }

    /**
     * Writes documents as JSON, in which addresses, times and the JSON of an event are texts. Used by one thread. What the generator
     * cannot write is thrown as an {@link UncheckedIOException}.
     *
     * @param json one that writes bytes in UTF-8
     */
    private record IndexEventWriter(JsonGenerator json) implements DocumentWriter {

        @Override
        public void startObject() {
            writing(json::writeStartObject);
        }

        @Override
        public void name(String key) {
            writing(() -> json.writeFieldName(key));
        }

        @Override
        public void endObject() {
            writing(json::writeEndObject);
        }

        @Override
        public void startList() {
            writing(json::writeStartArray);
        }

        @Override
        public void endList() {
            writing(json::writeEndArray);
        }

        @Override
        public void text(String text) {
            writing(() -> json.writeString(text));
        }

        @Override
        public void number(long number) {
            writing(() -> json.writeNumber(number));
        }

        @Override
        public void smallNumber(int number) {
            writing(() -> json.writeNumber(number));
        }

        @Override
        public void flag(boolean flag) {
            writing(() -> json.writeBoolean(flag));
        }

        @Override
        public void time(Instant time) {
            text(time.toString());
        }

        @Override
        public void firstAddress(AddressRange range) {
            text(range.first().toString());
        }

        @Override
        public void lastAddress(AddressRange range) {
            text(range.last().toString());
        }

        @Override
        public void json(byte[] utf8) {
            writing(() -> json.writeUTF8String(utf8, 0, utf8.length));
        }

        @Override
        public void constant(@Nullable Object constant) {
            if (constant instanceof String text) {
                text(text);
            } else if (constant instanceof Boolean flag) {
                flag(flag);
            } else if (constant instanceof Integer || constant instanceof Long) {
                number(((Number) constant).longValue());
            } else if (constant instanceof BigInteger number) {
                writing(() -> json.writeNumber(number));
            } else if (constant instanceof BigDecimal number) {
                writing(() -> json.writeNumber(number));
            } else if (constant == null) {
                writing(json::writeNull);
            } else {
                throw new IllegalArgumentException("no constant of JSON: " + constant.getClass());
            }
        }

        /** A step of writing. */
        private interface Step {
            void run() throws IOException;
        }

        private static void writing(Step step) {
            try {
                step.run();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** An event on its way into an index, with its JSON; nobody changes the array. */
    @SuppressWarnings("ArrayRecordComponent")
    private // Never compared.
    record IndexedEvent(SecurityEvent event, byte[] idea) implements EventWithJson {}
}
