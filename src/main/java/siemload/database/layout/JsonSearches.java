package siemload.database.layout;

import java.time.Instant;
import java.util.Map;
import siemload.database.layout.Condition.Leaf;
import siemload.event.WholeText;
import siemload.query.Criterion.PortBetween;
import siemload.query.PageKey;
import siemload.query.Window;

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
        if (of instanceof Window window) {
            return time(name, name.startsWith("from") ? window.from() : window.until());
        } else if (of instanceof PageKey key && !name.endsWith("id")) {
            return time(name, key.detectTime());
        }
        return switch (name) {
            case "id" -> WholeText.of(id(of));
            case "text" -> EventText.searchable(text(of));
            case "pattern" -> notation.pattern(EventText.searchable(text(of)));
            case "category" -> WholeText.of(of instanceof EventFields.Pair pair ? pair.category() : text(of));
            case "detector" -> WholeText.of(of instanceof EventFields.Pair pair ? pair.detector() : text(of));
            case "port" -> port(of);
            case "first" ->
                of instanceof PortBetween ports
                        ? ports.first()
                        : notation.address(range(of).first());
            case "last" ->
                of instanceof PortBetween ports
                        ? ports.last()
                        : notation.address(range(of).last());
            default ->
                of instanceof PageKey || of instanceof String
                        ? notation.id(name, id(of))
                        : notation.address(name, range(of));
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
