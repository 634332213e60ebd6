package siemload.database;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/** Adds up what the sessions of a run were found to be doing, reading by reading. Used by one thread at a time. */
public final class SessionCounts {
    private final Map<SessionState, Long> found = new EnumMap<>(SessionState.class);
    private long readings;

    public SessionCounts() {
        for (SessionState state : SessionState.values()) {
            found.put(state, 0L);
        }
    }

    /**
     * Adds one reading.
     *
     * @param now how many sessions are in each state, by its name in lower case; states without one may be missing
     */
    public void add(Map<String, Long> now) {
        readings++;
        found.replaceAll(
                (state, sessions) -> sessions + now.getOrDefault(state.name().toLowerCase(Locale.ROOT), 0L));
    }

    /** All so far, as {@link CounterReading#counters} has them. */
    public Map<String, Long> counters() {
        Map<String, Long> counters = new HashMap<>();
        for (SessionState state : SessionState.values()) {
            counters.put(state.counter(), Objects.requireNonNull(found.get(state), "every state has a sum"));
        }
        counters.put(SessionState.READINGS, readings);
        return counters;
    }
}
