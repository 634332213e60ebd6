package siemload.database.layout;

import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import siemload.database.layout.Condition.Leaf;

/**
 * Translates searches into JSON, each condition from a block of a layout. Immutable and thread-safe.
 *
 * @param <T> an object of the layout's notation
 */
public abstract class JsonSearches<T extends Map<String, Object>> extends SearchConditions
        implements Condition.Notation<T> {
    private final JsonLayout layout;

    /** @param layout has their blocks */
    protected JsonSearches(JsonLayout layout) {
        super(layout::has);
        this.layout = layout;
    }

    @Override
    @SuppressWarnings("unchecked") // The notation makes no other objects.
    public final T leaf(Leaf leaf) {
        return (T) layout.block(PREFIX + leaf.name()).object(name -> value(name, leaf.of()));
    }

    /** The value of this name, taken from what a block is about. */
    protected final Object value(String name, Object of) {
        JsonTemplate.Notation notation = layout.notation();
        Object part = part(name, of);
        if (part instanceof Instant time) {
            return time(name, time);
        }
        return switch (name) {
            case "text" -> EventText.searchable((String) part);
            case "pattern" -> notation.pattern(EventText.searchable((String) part));
            case "id", "category", "detector", "port", "first", "last" -> Objects.requireNonNull(notation.value(part));
            default -> part instanceof String id ? notation.id(name, id) : notation.address(name, range(of));
        };
    }

    private Object time(String name, Instant time) {
        if (name.endsWith("time")) {
            return layout.notation().timeFrom(time);
        }
        long micros = EventText.micros(time);
        return name.endsWith("millis") ? EventText.millisFrom(micros) : micros;
    }
}
