package siemload.database.opensearch.layout;

import com.fasterxml.jackson.core.JsonGenerator;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import siemload.config.Problems;
import siemload.config.YamlDocument;
import siemload.database.IndexSet;
import siemload.database.LayoutFolder;
import siemload.database.Variant;
import siemload.database.layout.MissingFileException;
import siemload.database.layout.ValueLines;
import siemload.database.layout.document.DocumentTemplate;
import siemload.database.layout.document.JsonTemplate;
import siemload.database.layout.document.TemplateFiles;
import siemload.database.layout.document.TemplateLayout;
import siemload.database.layout.document.TemplateText.Read;
import siemload.event.SecurityEvent;
import siemload.query.Field;
import siemload.query.Order;
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
}
