package siemload.database;

import java.util.List;
import siemload.event.SecurityEvent;

/**
 * Events on their way into a server by its fastest way. Used by one thread. Closing it before {@link #store} returned gives
 * up what is under way.
 */
public interface BulkLoad extends AutoCloseable {

    /** Appends events, each with an id of its own; may return before they are stored. @throws TargetException */
    void write(List<SecurityEvent> events);

    /**
     * Waits until everything written is as durable as the server is configured to make it; nothing more can be written
     * then.
     *
     * @return the size of all that was written, as IDEA JSON, in bytes
     * @throws TargetException if something could not be stored
     */
    long store();

    @Override
    void close();
}
