package siemload.dataset;

import java.time.Instant;
import java.util.Optional;
import siemload.event.SecurityEvent;

/** An endless supply of events of the data set's kind whose ids do not occur in it. Thread-safe. */
public interface FeedEvents {

    /** The event with this number (0 or more), as if it had been detected at this time. */
    SecurityEvent event(long number, Instant detectTime);

    /** When the events were captured, if they were. */
    default Optional<CapturedTimes> captured() {
        return Optional.empty();
    }

    /** The id of the event with this number, whatever its detect time. */
    String id(long number);

    /**
     * When each of an endless row of captured events came, in microseconds after the first one. The gaps between them are those of
     * the recording, which begins again after its last event. Thread-safe.
     */
    interface CapturedTimes {

        /** When the event with this number came, from 0; below 0 for events before, as if the recording had been repeated then. */
        double micros(long number);

        /** How many events had come by this time, the first of them at 0 microseconds; negative for times before it. */
        long countUntil(double micros);
    }
}
