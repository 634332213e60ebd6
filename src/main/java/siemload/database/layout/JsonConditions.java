package siemload.database.layout;

import java.time.Instant;
import java.util.Map;
import java.util.function.Function;
import siemload.event.WholeText;
import siemload.query.PageKey;
import siemload.query.Window;

/** The conditions of searches in JSON, each from a block of a layout. Immutable and thread-safe. */
public abstract class JsonConditions extends Conditions {
    /** @param layout has their blocks */
    protected JsonConditions(JsonLayout layout) {
        super(layout::has);
    }

    /** A time in the database's own type, not before this one. */
    protected abstract Object time(Instant time);

    /** An id by the name of a form of it. */
    protected abstract Object id(String id, String name);

    /** A pattern that finds a text anywhere, of which no character means anything but itself. */
    protected abstract String pattern(String text);

    @Override
    protected final Function<String, ?> window(Window window) {
        return name -> name.startsWith("from") ? end(window.from(), name) : end(window.until(), name);
    }

    private Object end(Instant end, String name) {
        return switch (name) {
            case "from", "until" -> EventText.micros(end);
            case "from_millis", "until_millis" -> EventText.millisFrom(EventText.micros(end));
            case "from_time", "until_time" -> time(end);
            default -> throw unknown(name);
        };
    }

    /** The time to the precision that it was read with. */
    @Override
    public final Function<String, ?> key(PageKey key) {
        return name -> switch (name) {
            case "micros" -> EventText.micros(key.detectTime());
            case "millis" -> EventText.millisFrom(EventText.micros(key.detectTime()));
            case "time" -> time(key.detectTime());
            default -> id(key.id(), name);
        };
    }

    @Override
    protected final Function<String, ?> id(String id) {
        return name -> id(id, name);
    }

    @Override
    protected final Object whole(String text) {
        return WholeText.of(text);
    }

    @Override
    protected final Function<String, ?> text(String text) {
        return Map.of("pattern", pattern(EventText.searchable(text)))::get;
    }

    @Override
    protected final Condition description(String text) {
        return new Condition.Leaf("description", Map.of("text", EventText.searchable(text))::get);
    }

    /** A layout with such a name is refused when it is read. */
    protected static IllegalArgumentException unknown(String name) {
        return new IllegalArgumentException("no value " + name);
    }
}
