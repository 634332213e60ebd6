package siemload.database;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import siemload.database.ExistingTarget.ExistingStore;
import siemload.query.CountedValue;
import siemload.query.ValueField;

/**
 * Events in tables of somebody's, which a layout without loading says how to search. The server keeps each of its sessions from
 * writing.
 */
public interface ExistingEvents extends ExistingStore {

    /**
     * When the events were, and how many there are.
     *
     * @param oldest the earliest detect time
     * @param newest the latest one, not before it
     * @param events 1 or more
     * @param infinite how many of them have an infinite time, which no window holds
     * @param timeless how many have no time
     */
    record Span(Instant oldest, Instant newest, long events, long infinite, long timeless) {
        /** Of events that all have finite times, as far as that is known. */
        public Span(Instant oldest, Instant newest, long events) {
            this(oldest, newest, events, 0, 0);
        }
    }

    /**
     * Asks for it now.
     *
     * @throws TargetException if the server cannot be asked, or there are no events
     */
    Span span();

    /** The number of events now. */
    @Override
    default long events() {
        return span().events();
    }

    /**
     * The values that the layout gives searches to look for, each kind as its query has it.
     *
     * @param most how many rows of a query are taken at most
     * @throws TargetException if a query fails, gives none, or gives what cannot be looked for
     */
    Map<ValueField, List<CountedValue>> values(int most);

    /**
     * Opens a session that is told another hint than the run's.
     *
     * @throws TargetException if the server refuses
     */
    SearchSession openSession(Hint hint);
}
