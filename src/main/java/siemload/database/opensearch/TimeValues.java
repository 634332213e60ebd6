package siemload.database.opensearch;

import java.time.Instant;
import java.util.function.Function;
import siemload.database.layout.document.EventText;
import siemload.event.WholeText;
import siemload.query.PageKey;
import siemload.query.Window;

/** Times as the values of files by their names, each worked out only where a file asks for it. Stateless. */
final class TimeValues {
    private static final int MICROS_PER_MILLI = 1_000;

    private TimeValues() {}

    /** Of a window that has bounds. */
    static Function<String, Object> of(Window window) {
        return name -> switch (name) {
            case "from" -> EventText.micros(window.from());
            case "until" -> EventText.micros(window.until());
            case "from_millis" -> EventText.millisFrom(EventText.micros(window.from()));
            case "until_millis" -> EventText.millisFrom(EventText.micros(window.until()));
            case "from_time" -> window.from().toString();
            case "until_time" -> window.until().toString();
            default -> throw unknown(name);
        };
    }

    /** Of a row: the time to the precision that it was read with. */
    static Function<String, Object> of(PageKey key) {
        return name -> switch (name) {
            case "millis" -> EventText.millisFrom(EventText.micros(key.detectTime()));
            case "micros" -> EventText.micros(key.detectTime());
            case "time" -> key.detectTime().toString();
            case "id" -> WholeText.of(key.id());
            default -> throw unknown(name);
        };
    }

    /**
     * Of the steps of a timeline.
     *
     * @param time the field of the time
     * @param field whose values are counted
     * @param step microseconds
     */
    static Function<String, Object> of(Instant from, long step, String time, String field) {
        long offset = Math.floorMod(EventText.micros(from), step);
        return name -> switch (name) {
            case "step" -> step;
            case "offset" -> offset;
            case "step_millis" -> millis(step);
            case "offset_millis" -> millis(offset);
            case "time" -> time;
            case "field" -> field;
            default -> throw unknown(name);
        };
    }

    /** Whole ones wherever they are. */
    private static Number millis(long micros) {
        if (micros % MICROS_PER_MILLI == 0) {
            return micros / MICROS_PER_MILLI;
        }
        return micros / (double) MICROS_PER_MILLI;
    }

    private static IllegalArgumentException unknown(String name) {
        return new IllegalArgumentException("no value " + name);
    }
}
