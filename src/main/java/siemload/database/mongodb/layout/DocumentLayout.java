package siemload.database.mongodb.layout;

import com.mongodb.client.MongoCollection;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.bson.Document;
import org.bson.codecs.configuration.CodecRegistries;
import siemload.config.Choices;
import siemload.config.Problems;
import siemload.config.YamlDocument;
import siemload.config.YamlNode;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.LayoutFolder;
import siemload.database.Variant;
import siemload.database.layout.LayoutOffer;
import siemload.database.layout.Loading;
import siemload.database.layout.MissingFileException;
import siemload.database.mongodb.layout.TemplateText.Read;
import siemload.query.Order;

/**
 * A layout of documents: what its {@code layout.yaml} says, and its files of JSON. Siemload's own one and those of users are folders
 * of the same kind, which are read once. Immutable and thread-safe.
 */
public final class DocumentLayout {
    /** Of the names of its files. */
    public static final String ENDING = DocumentFiles.ENDING;
    /** The names of siemload's own layouts, the default first. */
    public static final List<String> LABELS = List.of("idea");

    private static final String TARGET = "mongodb";
    private static final List<Hint> HINTS = List.of(Hint.NONE, Hint.FULL_SCAN, Hint.INDEX, Hint.TIME_INDEX);
    private static final Document UNSORTED = new Document();
    private static final Map<String, Read> MODEL = model();
    /** IDEA's own shape. */
    public static final DocumentLayout IDEA = of(builtIn(LABELS.get(0)));

    private final LayoutOffer offer;
    private final LayoutFolder folder;
    private final Map<String, JsonTemplate> templates;
    private final Map<IndexSet, List<Document>> indexes = new EnumMap<>(IndexSet.class);
    private final Set<IndexSet> withPairs = EnumSet.noneOf(IndexSet.class);
    private final EventCodec codec;
    private final Document rows;
    private final Document oldestFirst;
    private final Document newestFirst;

    private DocumentLayout(LayoutOffer offer, LayoutFolder folder, Map<String, JsonTemplate> templates) {
        this.offer = offer;
        this.folder = folder;
        this.templates = Map.copyOf(templates);
        for (IndexSet set : IndexSet.values()) {
            List<Document> ofSet = indexesOf(set);
            indexes.put(set, ofSet);
            if (ofSet.stream().anyMatch(index -> DocumentFiles.PAIRS.equals(index.getString("name")))) {
                withPairs.add(set);
            }
        }
        this.codec = new EventCodec(DocumentTemplate.of(template(DocumentFiles.DOCUMENT)));
        this.rows = template("rows").document(Map.of());
        this.oldestFirst = template("oldest-first").document(Map.of());
        this.newestFirst = template("newest-first").document(Map.of());
    }

    private static Map<String, Read> model() {
        Map<String, Read> model = new HashMap<>();
        DocumentFiles.templates(DocumentFiles.ofFolder(LABELS.get(0)))
                .forEach((name, text) -> model.put(name, TemplateText.read(text)));
        return model;
    }

    private static LayoutFolder builtIn(String label) {
        return new LayoutFolder(label, label, new TreeMap<>(DocumentFiles.ofFolder(label)));
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
        About about = YamlDocument.parse(folder.shown(LayoutFolder.ABOUT), yaml, problems, About::read);
        Map<String, String> texts = DocumentFiles.templates(folder.files());
        about.base()
                .forEach(base ->
                        DocumentFiles.templates(DocumentFiles.ofFolder(base)).forEach(texts::putIfAbsent));
        Map<String, Read> read = new DocumentFiles(about.offer(), MODEL).read(folder, texts, problems);
        problems.throwIfAny();
        Map<String, JsonTemplate> templates = new HashMap<>();
        read.forEach((name, file) -> templates.put(name, file.template()));
        return new DocumentLayout(about.offer(), folder, templates);
    }

    /**
     * What {@code layout.yaml} says.
     *
     * @param base whose files stand in where the folder has none
     */
    private record About(LayoutOffer offer, List<String> base) {
        static About read(YamlNode top) {
            LayoutOffer offer = LayoutOffer.read(top, TARGET, HINTS);
            top.optional("loading")
                    .filter(loading -> offer.loading() == Loading.NONE)
                    .ifPresent(loading -> loading.problem("documents that are there already are searched by no layout"
                            + " (allowed: " + Loading.EVENTS.label() + ")"));
            return new About(
                    offer,
                    top.optional("base")
                            .map(list -> LayoutOffer.distinct(list, Choices.names(LABELS)))
                            .orElse(List.of()));
        }
    }

    /** The files of its folder, with that which says what it is. */
    public SortedMap<String, String> files() {
        return folder.files();
    }

    /** What it offers, and what siemload stores in it. */
    public LayoutOffer offer() {
        return offer;
    }

    /**
     * One of its files.
     *
     * @param name without the ending
     */
    public JsonTemplate template(String name) {
        JsonTemplate template = templates.get(name);
        if (template == null) {
            throw new MissingFileException(name + ENDING);
        }
        return template;
    }

    private List<Document> indexesOf(IndexSet set) {
        JsonTemplate template = templates.get(DocumentFiles.INDEXES + set.label());
        return template == null ? List.of() : template.pipeline(Map.of());
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
                .withCodecRegistry(
                        CodecRegistries.fromRegistries(CodecRegistries.fromCodecs(codec), events.getCodecRegistry()));
    }
}
