package siemload.database.opensearch.layout;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import siemload.config.Problems;
import siemload.database.IndexSet;
import siemload.database.LayoutFolder;
import siemload.database.layout.FolderFiles;
import siemload.database.layout.LayoutOffer;
import siemload.database.layout.Loading;
import siemload.database.layout.ValueLines;
import siemload.database.layout.document.BadTemplateException;
import siemload.database.layout.document.DocumentTemplate;
import siemload.database.layout.document.FileRules;
import siemload.database.layout.document.JsonTemplate;
import siemload.database.layout.document.JsonTemplate.Value;
import siemload.database.layout.document.TemplateFiles;
import siemload.database.layout.document.TemplateText.Read;

/** Which files a layout of this database needs, and what may stand in them beside what its own files have. Stateless. */
enum IndexFiles implements FileRules {
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
