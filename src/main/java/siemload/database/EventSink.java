package siemload.database;

import java.util.List;
import java.util.OptionalLong;
import siemload.event.SecurityEvent;

/** Writes events beside running searches. Used by one thread. */
public interface EventSink extends AutoCloseable {

    /**
     * Stores a batch in one transaction and returns when it is as durable as the server is configured to make it. An
     * event whose id is already stored is left as it is, so that a batch with an unknown outcome can be written again.
     * After a lost connection the next call connects again.
     *
     * @return the size of the batch as IDEA JSON, in bytes
     * @throws SearchException if the batch was not stored, or nobody knows
     */
    long write(List<SecurityEvent> batch);

    /**
     * How many bytes the server has written to its log on account of this sink; empty where it does not tell.
     *
     * @throws SearchException if the server could not be asked
     */
    default OptionalLong logBytes() {
        return OptionalLong.empty();
    }

    @Override
    void close();
}
