package siemload.database;

import java.util.List;
import java.util.function.Consumer;
import siemload.event.SecurityEvent;

/**
 * Events that only have to be appended to the load that has prepared them.
 *
 * @param events in their order
 * @param writing appends these events; throws a {@link TargetException} if that fails
 */
public record PreparedEvents(List<SecurityEvent> events, Consumer<List<SecurityEvent>> writing) {
    public PreparedEvents {
        events = List.copyOf(events);
    }

    /** Appends them, once, on the thread of the load; may return before they are stored. @throws TargetException */
    public void write() {
        writing.accept(events);
    }
}
