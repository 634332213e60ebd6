package siemload.database.mongodb.layout;

import com.mongodb.client.MongoCollection;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.bson.Document;
import org.bson.codecs.configuration.CodecRegistries;
import siemload.config.Problems;
import siemload.database.IndexSet;
import siemload.database.LayoutFolder;
import siemload.database.Variant;
import siemload.database.layout.ValueLines;
import siemload.database.layout.document.TemplateLayout;
import siemload.database.layout.document.TemplateText.Read;
import siemload.query.Order;
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
}
