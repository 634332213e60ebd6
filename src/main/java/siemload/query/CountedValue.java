package siemload.query;

import java.util.Map;

/**
 * A value of existing events. Immutable.
 *
 * @param value as text
 * @param events the number of events that have it, 0 or more
 * @param beside other values of one of these events
 */
public record CountedValue(String value, long events, Map<ValueField, String> beside) {
    public CountedValue {
        beside = Map.copyOf(beside);
    }
}
