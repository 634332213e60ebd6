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
    protected final T leaf(String block, Map<String, ?> values) {
        return (T) layout.block(PREFIX + block).object(name -> value(name, values));
    }

    /** The value of this name: a time also in milliseconds, from the first whole one on, or as the database has it. */
    protected final Object value(String name, Map<String, ?> of) {
        if (name.equals("id_hash")) {
            return EventText.idHash((String) Objects.requireNonNull(of.get("id")));
        } else if (name.equals("pattern")) {
            return layout.notation().pattern((String) Objects.requireNonNull(of.get("text")));
        }
        String time = name.startsWith("from") ? "from" : name.startsWith("until") ? "until" : "time";
        Object value = Objects.requireNonNullElseGet(of.get(name), () -> Objects.requireNonNull(of.get(time), name));
        if (!(value instanceof Instant instant) || name.endsWith("time")) {
            return value;
        }
        long micros = EventText.micros(instant);
        return name.endsWith("millis") ? EventText.millisFrom(micros) : micros;
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
