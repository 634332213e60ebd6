package siemload.database;

import java.util.List;
import siemload.event.SecurityEvent;

/**
 * Events on their way into a server by its fastest way. Used by one thread, but for {@link #prepare}. Closing it before
 * {@link #store} returned gives up what is under way.
 */
public interface BulkLoad extends AutoCloseable {

    /**
     * Does with events what needs no connection, before it is their turn. Called by any thread, by several at once, and
     * perhaps still when the load is closed.
     *
     * @param events each with an id of its own
     */
    PreparedEvents prepare(List<SecurityEvent> events);

    /** Prepares events and appends them. @throws TargetException as {@link PreparedEvents#write} does */
    default void write(List<SecurityEvent> events) {
        prepare(events).write();
    }

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
