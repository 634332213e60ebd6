package siemload.database.mongodb.layout;

import com.mongodb.client.MongoCollection;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.bson.BsonBinary;
import org.bson.BsonReader;
import org.bson.BsonValue;
import org.bson.BsonWriter;
import org.bson.Document;
import org.bson.codecs.BsonValueCodec;
import org.bson.codecs.Codec;
import org.bson.codecs.DecoderContext;
import org.bson.codecs.EncoderContext;
import org.bson.codecs.configuration.CodecRegistries;
import org.jspecify.annotations.Nullable;
import siemload.config.Choices;
import siemload.config.Problems;
import siemload.config.YamlDocument;
import siemload.config.YamlNode;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.LayoutFolder;
import siemload.database.SearchSession.RowReader.DetachedRow;
import siemload.database.Variant;
import siemload.database.layout.FolderFiles;
import siemload.database.layout.LayoutOffer;
import siemload.database.layout.Loading;
import siemload.database.layout.ValueLines;
import siemload.database.layout.document.BadTemplateException;
import siemload.database.layout.document.DocumentPart;
import siemload.database.layout.document.DocumentTemplate;
import siemload.database.layout.document.DocumentWriter;
import siemload.database.layout.document.FileRules;
import siemload.database.layout.document.JsonTemplate;
import siemload.database.layout.document.JsonTemplate.Value;
import siemload.database.layout.document.TemplateFiles;
import siemload.database.layout.document.TemplateLayout;
import siemload.database.layout.document.TemplateText.Read;
import siemload.event.AddressRange;
import siemload.query.Order;
import siemload.query.Paging;
import siemload.query.ValueField;

/**
 * A layout of documents: what its {@code layout.yaml} says, and its files of JSON. Siemload's own one and those of users are folders
 * of the same kind, which are read once. Immutable and thread-safe.
 */
public final class DocumentLayout extends TemplateLayout<BsonTemplate> {
    /** Of the names of its files. */
    public static final String ENDING = DocumentFiles.ENDING;
    /** The names of siemload's own layouts, the default first. */
    public static final List<String> LABELS = DocumentAbout.LABELS;

    private static final Document UNSORTED = new Document();
    /** IDEA's own shape. */
    public static final DocumentLayout IDEA = of(builtIn(LABELS.get(0), DocumentFiles.ofFolder(LABELS.get(0))));

    private final DocumentAbout about;
    private final Map<IndexSet, List<Document>> indexes = new EnumMap<>(IndexSet.class);
    private final Set<IndexSet> withPairs = EnumSet.noneOf(IndexSet.class);
    private final Optional<EventCodec> codec;
    private final List<Document> stages;
    private final Document rows;
    private final Object timeOfRows;
    private final Document oldestFirst;
    private final Document newestFirst;

    private DocumentLayout(DocumentAbout about, LayoutFolder folder, Map<String, BsonTemplate> templates) {
        super(folder, about.offer(), templates);
        this.about = about;
        for (IndexSet set : IndexSet.values()) {
            List<Document> ofSet = indexesOf(set);
            indexes.put(set, ofSet);
            if (ofSet.stream().anyMatch(index -> DocumentFiles.PAIRS.equals(index.getString("name")))) {
                withPairs.add(set);
            }
        }
        this.codec = found(DocumentFiles.DOCUMENT).map(BsonTemplate::template).map(EventCodec::of);
        this.stages = found(DocumentFiles.STAGES)
                .map(template -> template.pipeline(Map.of()))
                .orElse(List.of());
        this.rows = template(DocumentFiles.ROWS).document(Map.of());
        this.timeOfRows = DocumentFiles.timeOf(rows);
        this.oldestFirst = template("oldest-first").document(Map.of());
        this.newestFirst = template("newest-first").document(Map.of());
    }

    /** The one of a variant that the target offers. */
    public static DocumentLayout of(Variant variant) {
        return variant.ownLayout().map(DocumentLayout::of).orElse(IDEA);
    }

    /**
     * The one of a folder.
     *
     * @throws siemload.config.ConfigException with everything that is wrong with its files
     */
    public static DocumentLayout of(LayoutFolder folder) {
        Problems problems = new Problems();
        String yaml = folder.files().getOrDefault(LayoutFolder.ABOUT, "");
        DocumentAbout about = DocumentAbout.read(folder.shown(LayoutFolder.ABOUT), yaml, problems);
        Map<String, String> texts = texts(folder, about.base(), DocumentFiles::ofFolder);
        Map<String, Read> read = DocumentFiles.read(about, folder, texts, problems);
        problems.throwIfAny();
        return new DocumentLayout(about, folder, templates(read, BsonTemplate::new));
    }

    private List<Document> indexesOf(IndexSet set) {
        return found(DocumentFiles.INDEXES + set.label())
                .map(template -> template.pipeline(Map.of()))
                .orElse(List.of());
    }

    /** The collection that it searches, where it {@link #isForSearchesAlone is for that alone}; else empty. */
    public String collection() {
        return about.collection();
    }

    /** What comes before each search: stages that make events of somebody's documents. */
    public List<Document> stages() {
        return stages;
    }

    /** One of its pipelines, behind {@link #stages}. */
    public List<Document> pipeline(String name, Map<String, ?> values) {
        return behindStages(template(name).pipeline(values));
    }

    private List<Document> behindStages(List<Document> own) {
        if (stages.isEmpty()) {
            return own;
        }
        List<Document> all = new ArrayList<>(stages);
        all.addAll(own);
        return all;
    }

    /** The time of a row, in microseconds, as an expression over a document. */
    public Object timeOfRows() {
        return timeOfRows;
    }

    /** The queries for values that it has, by what the values are of, behind {@link #stages}. */
    public Map<ValueField, List<Document>> values() {
        Map<ValueField, List<Document>> values = new EnumMap<>(ValueField.class);
        found(DocumentFiles.VALUES)
                .map(asked -> asked.document(Map.of()))
                .ifPresent(queries -> queries.keySet()
                        .forEach(kind -> ValueLines.KINDS
                                .find(kind)
                                .ifPresent(field ->
                                        values.put(field, behindStages(queries.getList(kind, Document.class))))));
        return values;
    }

    /** The indexes of a set, each with name and key as {@code createIndexes} takes them. */
    public List<Document> indexes(IndexSet set) {
        return indexes.getOrDefault(set, List.of());
    }

    /** Whether a set has an index of pairs of category and detector. */
    public boolean hasPairs(IndexSet set) {
        return withPairs.contains(set);
    }

    /** The projection that makes a row of a document. */
    public Document rows() {
        return rows;
    }

    /** What documents are sorted by; nothing for any order. */
    public Document order(Order order) {
        return switch (order) {
            case NEWEST_FIRST -> newestFirst;
            case OLDEST_FIRST -> oldestFirst;
            case UNSORTED -> UNSORTED;
        };
    }

    /** The key that documents are sorted by first: an index that begins with it is one of the time. */
    public String timeKey() {
        return newestFirst.keySet().stream().findFirst().orElse("");
    }

    /** The same collection, into which events are written as this layout has them. */
    public MongoCollection<MongodbEvent> writable(MongoCollection<?> events) {
        return events.withDocumentClass(MongodbEvent.class)
                .withCodecRegistry(CodecRegistries.fromRegistries(
                        CodecRegistries.fromCodecs(codec.orElseThrow()), events.getCodecRegistry()));
    }

    /**
     * Which files a layout of this database needs, and what may stand in them beside what its own files have. Immutable.
     *
     * @param model siemload's files for a layout of this kind, by their names without the ending
     */
    private record DocumentFiles(DocumentAbout about, Map<String, Read> model) implements FileRules {
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
                    files.problem(
                            ROWS, "gives no " + key + " (needed: what a row has are " + String.join(", ", ROW) + ")");
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

    /**
     * What {@code layout.yaml} of a layout of documents says. Immutable.
     *
     * @param base the folders of siemload whose files stand in where its own has none, the first one first
     * @param collection the one that is searched, where siemload loads none; else empty
     */
    private record DocumentAbout(LayoutOffer offer, List<String> base, String collection) {
        /** The names of siemload's own layouts, the default first. */
        static final List<String> LABELS = List.of("idea");
        /** Pipelines over documents of any kind: a base of layouts without loading, and no layout by itself. */
        static final String ROWS = "rows";

        private static final List<Paging> PAGINGS = List.of(Paging.OFFSET, Paging.KEYSET, Paging.CURSOR);
        private static final String TARGET = "mongodb";
        private static final List<Hint> HINTS = List.of(Hint.NONE, Hint.FULL_SCAN, Hint.INDEX, Hint.TIME_INDEX);
        /** Those that name no index. */
        private static final List<Hint> OF_ANY_COLLECTION = List.of(Hint.NONE, Hint.FULL_SCAN);

        private static final Choices<String> BASES =
                Choices.names(Stream.concat(LABELS.stream(), Stream.of(ROWS)).toList());
        /** What the server takes: neither a dollar nor NUL, and none of its own. */
        private static final Pattern COLLECTION = Pattern.compile("(?!system[.])[^$\\x00.][^$\\x00]{0,199}");

        DocumentAbout {
            base = List.copyOf(base);
        }

        /**
         * Reads the text of one.
         *
         * @throws siemload.config.ConfigException with everything that is wrong
         */
        static DocumentAbout read(String shownAs, String yaml, Problems problems) {
            return YamlDocument.parse(shownAs, yaml, problems, DocumentAbout::of);
        }

        private static DocumentAbout of(YamlNode top) {
            LayoutOffer offer = LayoutOffer.read(top, TARGET, HINTS, PAGINGS);
            Optional<YamlNode> base = top.optional("base");
            List<String> folders =
                    base.map(list -> LayoutOffer.distinct(list, BASES)).orElse(List.of());
            return switch (offer.loading()) {
                case EVENTS -> {
                    base.filter(list -> folders.contains(ROWS))
                            .ifPresent(
                                    list -> list.problem("'" + ROWS + "' is for layouts with loading: none (allowed: "
                                            + String.join(", ", LABELS) + ")"));
                    top.optional("collection")
                            .ifPresent(node -> node.problem("means nothing to a layout with loading: siemload names the"
                                    + " collections that it makes (leave it out)"));
                    yield new DocumentAbout(offer, folders, "");
                }
                case NONE -> {
                    top.optional("hints")
                            .filter(list -> !OF_ANY_COLLECTION.containsAll(offer.hints()))
                            .ifPresent(list ->
                                    list.problem("names indexes of siemload's, which this collection does not have"
                                            + " (allowed without loading: none, full-scan)"));
                    yield new DocumentAbout(
                            offer, base.isPresent() ? folders : List.of(ROWS), collection(top.required("collection")));
                }
            };
        }

        private static String collection(YamlNode node) {
            String name = node.text();
            if (!COLLECTION.matcher(name).matches()) {
                node.problem("'" + name
                        + "' is no name of a collection (needed: one that is searched, without $, and none of"
                        + " the server's own)");
            }
            return name;
        }

        /** Whether it says how to search documents that are there already, and nothing else. */
        boolean isForSearchesAlone() {
            return offer.loading() == Loading.NONE;
        }
    }

    /** Writes events as documents of a layout. Immutable and thread-safe. */
    record EventCodec(DocumentTemplate document) implements Codec<MongodbEvent> {
        private static final String ID = "_id";

        /** @throws BadTemplateException if an event has nothing of a name, or the document no {@code _id} by which it is one event's */
        static EventCodec of(JsonTemplate template) {
            if (!DocumentTemplate.contains(DocumentTemplate.keys(template).get(ID), "id")) {
                throw new BadTemplateException(
                        "no {\"$param\": \"id\"} is in _id (needed: the server tells by it that an event is there already)",
                        0,
                        0);
            }
            return new EventCodec(DocumentTemplate.of(template, DocumentPart.EVENT));
        }

        @Override
        public Class<MongodbEvent> getEncoderClass() {
            return MongodbEvent.class;
        }

        @Override
        public void encode(BsonWriter writer, MongodbEvent event, EncoderContext context) {
            document.write(new BsonEventWriter(writer), event);
        }

        @Override
        public MongodbEvent decode(BsonReader reader, DecoderContext context) {
            throw new UnsupportedOperationException("results are read as " + DetachedRow.class);
        }

        /** Writes documents as BSON: addresses and JSON as bytes, times in milliseconds. Used by one thread. */
        private record BsonEventWriter(BsonWriter bson) implements DocumentWriter {
            private static final BsonValueCodec CONSTANTS = new BsonValueCodec();
            private static final EncoderContext CONTEXT =
                    EncoderContext.builder().build();

            @Override
            public void startObject() {
                bson.writeStartDocument();
            }

            @Override
            public void name(String key) {
                bson.writeName(key);
            }

            @Override
            public void endObject() {
                bson.writeEndDocument();
            }

            @Override
            public void startList() {
                bson.writeStartArray();
            }

            @Override
            public void endList() {
                bson.writeEndArray();
            }

            @Override
            public void text(String text) {
                bson.writeString(text);
            }

            @Override
            public void number(long number) {
                bson.writeInt64(number);
            }

            @Override
            public void smallNumber(int number) {
                bson.writeInt32(number);
            }

            @Override
            public void flag(boolean flag) {
                bson.writeBoolean(flag);
            }

            @Override
            public void time(Instant time) {
                bson.writeDateTime(time.toEpochMilli());
            }

            @Override
            public void firstAddress(AddressRange range) {
                bson.writeBinaryData(new BsonBinary(range.firstBytes()));
            }

            @Override
            public void lastAddress(AddressRange range) {
                bson.writeBinaryData(new BsonBinary(range.lastBytes()));
            }

            @Override
            public void json(byte[] utf8) {
                bson.writeBinaryData(new BsonBinary(utf8));
            }

            @Override
            public void constant(@Nullable Object constant) {
                CONSTANTS.encode(bson, (BsonValue) Objects.requireNonNull(constant), CONTEXT);
            }
        }
    }
}
