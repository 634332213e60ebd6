package siemload.database.layout;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import siemload.database.layout.LayoutFormat.Read;
import siemload.event.SecurityEvent;
import siemload.query.Order;
import siemload.query.ValueField;

/**
 * A layout of documents: what its {@code layout.yaml} says, and its blocks of JSON. Siemload's own one and those of users are folders of
 * the same kind, which are read once. What it gives has been made once as well, and is changed by nobody: immutable and thread-safe under
 * that condition.
 */
public abstract class JsonLayout {
    /** The names of siemload's own layouts, the default first. */
    public static final List<String> LABELS = List.of("idea");

    private final JsonLayoutFormat format;
    private final Read read;
    private final Map<String, JsonTemplate> templates = new HashMap<>();
    private final Map<Order, Object> orders = new EnumMap<>(Order.class);
    private final Optional<EventFields.Document> document;

    protected JsonLayout(JsonLayoutFormat format, Read read) {
        this.format = format;
        this.read = read;
        read.blocks().all().forEach((name, block) -> templates.put(name, format.template(block)));
        orders.put(Order.NEWEST_FIRST, block("newest-first").value(name -> ""));
        orders.put(Order.OLDEST_FIRST, block("oldest-first").value(name -> ""));
        this.document = found(JsonLayoutFormat.DOCUMENT).map(format::document);
    }

    /** What was read of it. */
    public final Read read() {
        return read;
    }

    final JsonTemplate.Notation notation() {
        return format.notation();
    }

    /** Whether it says how to search documents that are there already, and neither loads nor feeds any. */
    public final boolean isForSearchesAlone() {
        return read.about().isForSearchesAlone();
    }

    /** The collection or the index that it searches, where it {@link #isForSearchesAlone is for that alone}; else empty. */
    public final String searched() {
        return read.about().searched();
    }

    /** One of its blocks. @throws Blocks.MissingBlockException if it has none of this name */
    public final JsonTemplate block(String name) {
        return found(name).orElseThrow(() -> new Blocks.MissingBlockException(name));
    }

    /** Whether it has a block of this name. */
    public final boolean has(String name) {
        return templates.containsKey(name);
    }

    /** One of its blocks, where it has it. */
    protected final Optional<JsonTemplate> found(String name) {
        return Optional.ofNullable(templates.get(name));
    }

    /** What rows are sorted by; empty for any order. */
    protected final Optional<Object> orderOf(Order order) {
        return Optional.ofNullable(orders.get(order));
    }

    /**
     * The queries for values that it has, by what the values are of.
     *
     * @param put what is put in by its name
     */
    protected final Map<ValueField, Object> queriesForValues(Map<String, ?> put) {
        Map<ValueField, Object> values = new EnumMap<>(ValueField.class);
        found(ValueLines.BLOCK)
                .ifPresent(
                        block -> block.object(put).forEach((kind, query) -> values.put(ValueLines.field(kind), query)));
        return values;
    }

    /**
     * The document of an event.
     *
     * @param idea its JSON in UTF-8; nobody changes the array
     */
    public final Map<String, Object> document(SecurityEvent event, byte[] idea) {
        return document.orElseThrow().of(event, idea);
    }
}
