package siemload.target;

import java.util.List;
import java.util.function.Consumer;
import siemload.event.SecurityEvent;

/**
 * A data set on its way into a server. Used by one thread. Closing it before {@link #finish} returned discards
 * everything.
 */
public interface DatasetLoad extends AutoCloseable {

    /** Appends events, each with an id of its own; may return before they are stored. @throws TargetException */
    void write(List<SecurityEvent> events);

    /** Waits until everything written is stored; nothing more can be written then. @throws TargetException */
    void store();

    /**
     * Completes the load: stores what is still under way, builds indexes, collects statistics, and keeps the data set.
     *
     * @param step is told the name of each step before it starts, for instance {@code index events_detect_time}
     * @throws TargetException if a step fails
     */
    void finish(Consumer<String> step);

    @Override
    void close();
}
