package siemload.dataset.recording;

import java.util.List;
import java.util.function.Consumer;
import siemload.event.SecurityEvent;

/**
 * The events of a small recording, in memory. Immutable.
 *
 * @param events in their order
 */
record KeptEvents(List<SecurityEvent> events) implements NumberedEvents {
    static final int MOST_EVENTS = 10_000;
    static final long MOST_BYTES = 32 << 20;

    KeptEvents {
        events = List.copyOf(events);
    }

    @Override
    public long micros(long number) {
        return Recording.micros(event(number).detectTime());
    }

    @Override
    public SecurityEvent event(long number) {
        return events.get(Math.toIntExact(number));
    }

    @Override
    public void forEach(Consumer<SecurityEvent> consumer) {
        events.forEach(consumer);
    }
}
