package siemload.database.postgresql;

import java.time.Instant;
import java.util.List;
import siemload.database.layout.EventField;
import siemload.event.AddressRange;
import siemload.event.SecurityEvent;

/** Takes what an event has of a field as the value of a column: the one mapping, for loading and for feeding alike. */
interface ColumnWriter {
    void text(String text);

    void timestamp(Instant instant);

    void texts(List<String> texts);

    void numbers(List<Integer> numbers);

    /** All the ranges, which are of one family. */
    void ranges(List<AddressRange> ranges);

    /** The smallest range that covers all of them, which are of one family. */
    void hull(List<AddressRange> ranges);

    /** Writes a field's value. @throws IllegalArgumentException if it is not a field of an event alone */
    default void write(EventField field, SecurityEvent event) {
        Object value = field.of(event);
        switch (field.kind()) {
            case TEXT -> text((String) value);
            case TIME -> timestamp((Instant) value);
            case TEXTS -> texts(list(value));
            case NUMBERS -> numbers(list(value));
            case RANGES -> ranges(list(value));
            case HULL -> hull(list(value));
            case WHOLE_EVENT, OF_ADDRESS -> throw new IllegalArgumentException("no field of an event alone: " + field);
        }
    }

    @SuppressWarnings("unchecked") // The kind of a field says what its lists hold.
    private static <T> List<T> list(Object value) {
        return (List<T>) value;
    }
}
