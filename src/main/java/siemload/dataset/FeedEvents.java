package siemload.dataset;

import java.time.Instant;
import siemload.event.SecurityEvent;

/** An endless supply of events like those of the data set, whose ids do not occur in it. Thread-safe. */
public interface FeedEvents {

    /** The event with this number (0 or more), as if it had been detected at this time. */
    SecurityEvent event(long number, Instant detectTime);

    /** The id of the event with this number, whatever its detect time. */
    String id(long number);
}
