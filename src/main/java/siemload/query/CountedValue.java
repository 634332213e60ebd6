package siemload.query;

import java.util.Map;

/** A value of existing events, the number of events with it, and other values in one of these events. Immutable. */
public record CountedValue(String value, long events, Map<ValueField, String> beside) {
    public CountedValue {
        beside = Map.copyOf(beside);
    }
}
