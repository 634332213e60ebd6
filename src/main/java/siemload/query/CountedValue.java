package siemload.query;

import java.util.Map;

/**
 * A value of existing events. Immutable.
 *
 * @param value the value as text
 * @param events the number of events with the value, 0 or more
 * @param beside other values in one of the events with the value
 */
public record CountedValue(String value, long events, Map<ValueField, String> beside) {
    public CountedValue {
        beside = Map.copyOf(beside);
    }
}
