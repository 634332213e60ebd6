package siemload.database.layout;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import siemload.query.PageClass;
import siemload.query.Search;
import siemload.query.Summary;

/**
 * Translates searches into JSON, each condition from a block of a layout. Immutable and thread-safe.
 *
 * @param <T> an object of the layout's notation
 */
public abstract class JsonSearches<T extends Map<String, Object>> extends SearchConditions<T> {
    private static final double MICROS_PER_MILLI = 1_000;

    private final JsonLayout layout;

    /** @param layout has their blocks */
    protected JsonSearches(JsonLayout layout) {
        super(layout::has);
        this.layout = layout;
    }

    /** It has their blocks. */
    public final JsonLayout layout() {
        return layout;
    }

    /** What finds all events of a search. */
    public final T conditions(Search search) {
        return all(of(search));
    }

    @Override
    @SuppressWarnings("unchecked") // The notation makes no other objects.
    protected final T leaf(String block, Object of) {
        return (T) layout.block(PREFIX + block).object(name -> value(name, of));
    }

    /** The value of this name, taken from what a block is about. */
    protected final Object value(String name, Object of) {
        JsonTemplate.Notation notation = layout.notation();
        Object part = part(name, of);
        if (part instanceof Instant time) {
            long micros = EventText.micros(time);
            return name.endsWith("time")
                    ? notation.time(time)
                    : name.endsWith("millis") ? EventText.millisFrom(micros) : micros;
        }
        return switch (name) {
            case "text" -> EventText.searchable((String) part);
            case "pattern" -> notation.pattern(EventText.searchable((String) part));
            case "id_hash" -> EventFields.idHash((String) part);
            default -> Objects.requireNonNull(notation.value(part));
        };
    }

    /**
     * The block of a summary with its values.
     *
     * @param beside those that the database has further ones of, by their names
     */
    protected final Object summed(Search search, Summary summary, Map<String, ?> beside) {
        Map<String, Object> values = new HashMap<>(beside);
        values.put("field", layout.constant("field-" + summary.field().label()));
        if (summary instanceof Summary.OverTime timeline) {
            long from = EventText.micros(search.window().from());
            long step = timeline.step(search.window()).toNanos() / 1_000;
            values.put("from", from);
            values.put("step", step);
            values.put("step_millis", step / MICROS_PER_MILLI);
            values.put("offset", Math.floorMod(from, step));
            values.put("offset_millis", Math.floorMod(from, step) / MICROS_PER_MILLI);
            return layout.block("timeline").value(values::get);
        } else if (summary instanceof Summary.TopList top) {
            values.put("limit", top.size());
            return layout.block("top-list").value(values::get);
        }
        throw new AssertionError("a kind of summary without a block: " + summary);
    }

    /** What sums up the events of a search. */
    protected abstract Object summed(Search search, Summary summary);

    /** Translates a search that users come to in this way. @throws Blocks.MissingBlockException */
    public final void translate(Search search, PageClass page) {
        Object unused = page == PageClass.SUMMARY
                ? search.summary().map(summary -> summed(search, summary))
                : conditions(search);
    }
}
