package siemload.event;

import java.time.Instant;

/**
 * What an index of events must know of one. Immutable.
 *
 * @param id its identifier
 * @param detectTime when the detector saw the incident
 */
public record EventOutline(String id, Instant detectTime) {

    /** The outline of an event that was read whole. */
    public static EventOutline of(SecurityEvent event) {
        return new EventOutline(event.id(), event.detectTime());
    }
}
