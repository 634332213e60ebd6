package siemload.database.mongodb.layout;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import siemload.config.Problems;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.LayoutFolder;
import siemload.database.layout.FolderFiles;
import siemload.database.layout.ValueLines;
import siemload.database.layout.document.FileRules;
import siemload.database.layout.document.JsonTemplate;
import siemload.database.layout.document.JsonTemplate.Value;
import siemload.database.layout.document.TemplateFiles;
import siemload.database.layout.document.TemplateText.Read;

/**
 * Which files a layout of this database needs, and what may stand in them beside what its own files have. Immutable.
 *
 * @param model siemload's files for a layout of this kind, by their names without the ending
 */
record DocumentFiles(DocumentAbout about, Map<String, Read> model) implements FileRules {
    static final String ENDING = TemplateFiles.ENDING;
    static final String DOCUMENT = TemplateFiles.DOCUMENT;
    static final String INDEXES = "indexes-";
    static final String ROWS = "rows";
    /** What comes before each search of documents that are there already. */
    static final String STAGES = "stages";
    /** A pipeline for each kind of values. */
    static final String VALUES = ValueLines.FILE;

    /** Asked where a set has the index of this name. */
    static final String PAIRS = "category_detector";

    private static final String OF_PAIRS = "condition-category-detector";
    private static final String TIME = "time";
    /** Those that the hints {@code index} and {@code time-index} name. */
    private static final List<String> HINTED = List.of(TIME, "category", "detector", "address", "port");

    private static final Set<String> WRITING = Set.of("$out", "$merge");

    private static final Set<String> NEEDED_ALONE =
            Set.of(ROWS, "newest-first", "oldest-first", "condition-window", "times");
    /** Files that no search reads, or that ask for an index. */
    private static final Set<String> OF_LOADING = Set.of(DOCUMENT, "presence", OF_PAIRS);

    private static final List<String> ROW = List.of("_id", "DetectMicros", "Event");
    private static final List<String> ADDRESSES =
            List.of("first_text", "last_text", "first_number", "last_number", "texts");
    /** The values of others' documents have other types than those that siemload stores. */
    private static final Map<String, List<String>> OTHER_TYPES = Map.ofEntries(
            Map.entry("condition-window", List.of("from_time", "until_time")),
            Map.entry("condition-after-key", List.of("time", "object_id", "number_id")),
            Map.entry("condition-before-key", List.of("time", "object_id", "number_id")),
            Map.entry("condition-id", List.of("object_id", "number_id")),
            Map.entry("condition-address", ADDRESSES),
            Map.entry("condition-source-ip4", ADDRESSES),
            Map.entry("condition-source-ip6", ADDRESSES),
            Map.entry("condition-target-ip4", ADDRESSES),
            Map.entry("condition-target-ip6", ADDRESSES),
            Map.entry("condition-one-side-ip4", ADDRESSES),
            Map.entry("condition-one-side-ip6", ADDRESSES));

    private static final Map<String, Read> OF_EVENTS = model(DocumentAbout.LABELS);
    private static final Map<String, Read> OF_SEARCHES =
            model(List.of(DocumentAbout.LABELS.get(0), DocumentAbout.ROWS));

    DocumentFiles {
        model = Map.copyOf(model);
    }

    private static Map<String, Read> model(List<String> folders) {
        return TemplateFiles.model(BsonTemplate.FOLDER, folders, ExtendedJson.NOTATION);
    }

    /** The files of one of siemload's layouts. */
    static Map<String, String> ofFolder(String folder) {
        return TemplateFiles.ofFolder(BsonTemplate.FOLDER + folder);
    }

    /**
     * Reads the files of a folder, and notes what is wrong with them.
     *
     * @param texts the files with those of its base, by their names without the ending
     * @return those that are of use to it
     */
    static Map<String, Read> read(
            DocumentAbout about, LayoutFolder folder, Map<String, String> texts, Problems problems) {
        DocumentFiles rules = new DocumentFiles(about, about.isForSearchesAlone() ? OF_SEARCHES : OF_EVENTS);
        Set<String> known = rules.known();
        TemplateFiles files =
                new TemplateFiles(rules.model, rules.needed(), known, INDEXES, ExtendedJson.NOTATION, rules);
        Map<String, Read> read = files.read(folder, texts, problems);
        if (problems.isEmpty() && !about.isForSearchesAlone()) {
            FolderFiles own = new FolderFiles(folder, ENDING, problems);
            about.offer().indexSets().forEach(set -> rules.checkIndexes(own, set, read));
        }
        return read;
    }

    private Set<String> needed() {
        if (about.isForSearchesAlone()) {
            return NEEDED_ALONE;
        }
        Set<String> needed = known();
        needed.remove(OF_PAIRS);
        return needed;
    }

    private Set<String> known() {
        Set<String> known = model.keySet().stream()
                .filter(name -> !name.startsWith(INDEXES))
                .collect(Collectors.toCollection(TreeSet::new));
        if (about.isForSearchesAlone()) {
            known.removeAll(OF_LOADING);
            known.addAll(List.of(STAGES, VALUES));
        } else {
            about.offer().indexSets().stream()
                    .filter(set -> set != IndexSet.NONE)
                    .map(set -> INDEXES + set.label())
                    .forEach(known::add);
        }
        return known;
    }

    @Override
    public void checkDocument(JsonTemplate document) {
        var unused = EventCodec.of(document);
    }

    @Override
    public Set<String> furtherNames(String file) {
        return about.isForSearchesAlone() ? Set.copyOf(OTHER_TYPES.getOrDefault(file, List.of())) : Set.of();
    }

    @Override
    public Optional<String> refusal(String operator) {
        return WRITING.contains(operator)
                ? Optional.of(operator + " writes, which no search does (leave it out)")
                : Optional.empty();
    }

    @Override
    public void checkShape(FolderFiles files, String name, Object json) {
        if (name.startsWith(INDEXES)) {
            if (!TemplateFiles.isListOfObjects(json)
                    || !((List<?>) json).stream().allMatch(DocumentFiles::isIndex)) {
                files.problem(name, "is no list of indexes (needed: [{\"name\": ..., \"key\": {...}}, ...])");
            }
        } else if (name.startsWith("field-")) {
            if (json instanceof Value) {
                files.problem(name, "is a value (needed: an expression)");
            }
        } else if (name.equals(VALUES)) {
            ValueLines.check(
                    files,
                    json,
                    TemplateFiles::isListOfObjects,
                    "[...]",
                    "pipeline (needed: an array of stages, which are objects)");
        } else if (isPipeline(name)) {
            if (!TemplateFiles.isListOfObjects(json)) {
                files.problem(name, "is no pipeline (needed: an array of stages, which are objects)");
            }
        } else if (!(json instanceof Document document)) {
            files.problem(name, "is no object (needed: {...})");
        } else if (name.equals(ROWS) && about.isForSearchesAlone()) {
            checkRows(files, document);
        }
    }

    private static void checkRows(FolderFiles files, Document rows) {
        for (String key : ROW) {
            boolean isThere = key.equals(ROW.get(0)) || rows.containsKey(key);
            if (!isThere || isLeftOut(rows.get(key))) {
                files.problem(ROWS, "gives no " + key + " (needed: what a row has are " + String.join(", ", ROW) + ")");
            }
        }
    }

    private static boolean isLeftOut(@Nullable Object projected) {
        return Boolean.FALSE.equals(projected) || (projected instanceof Number number && number.doubleValue() == 0);
    }

    /** The expression of a projection for the time of a row. */
    static Object timeOf(Document rows) {
        String key = ROW.get(1);
        Object projected = Objects.requireNonNullElse(rows.get(key), 1);
        return projected instanceof Number || projected instanceof Boolean ? "$" + key : projected;
    }

    private boolean isPipeline(String name) {
        return name.equals(STAGES) || TemplateFiles.isList(model, name);
    }

    private static boolean isIndex(Object json) {
        return json instanceof Document index
                && index.get("name") instanceof String
                && index.get("key") instanceof Document key
                && !key.isEmpty();
    }

    /** Hints name indexes. */
    private void checkIndexes(FolderFiles files, IndexSet set, Map<String, Read> read) {
        if (set == IndexSet.NONE) {
            return;
        }
        String name = INDEXES + set.label();
        List<String> there = names(read, name);
        for (String index : HINTED) {
            Hint hint = index.equals(TIME) ? Hint.TIME_INDEX : Hint.INDEX;
            boolean isNamed = about.offer().hints().contains(hint)
                    && hint.conflictWith(set).isEmpty();
            if (isNamed && !there.contains(index)) {
                files.problem(
                        name,
                        "has no index with the name " + index + ", which the hint " + hint.label()
                                + " names (add one, or leave the hint out)");
            }
        }
        if (there.contains(PAIRS) && !read.containsKey(OF_PAIRS)) {
            files.problem(
                    OF_PAIRS,
                    "there is no such file, which the index " + PAIRS + " needs (make it, or leave the index out)");
        }
    }

    private static List<String> names(Map<String, Read> read, String name) {
        Read indexes = read.get(name);
        return indexes == null
                ? List.of()
                : ((List<?>) indexes.template().json())
                        .stream()
                                .map(index -> ((Document) index).getString("name"))
                                .toList();
    }
}
