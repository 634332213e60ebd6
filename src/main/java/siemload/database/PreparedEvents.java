package siemload.database;

import java.util.List;
import siemload.event.SecurityEvent;

/**
 * Events that only have to be appended to the load that has prepared them.
 *
 * @param events in their order
 * @param writing appends them; throws a {@link TargetException} if that fails
 */
public record PreparedEvents(List<SecurityEvent> events, Runnable writing) {
    public PreparedEvents {
        events = List.copyOf(events);
    }

    /** Appends them, once, on the thread of the load; may return before they are stored. @throws TargetException */
    public void write() {
        writing.run();
    }
}
