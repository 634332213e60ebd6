package siemload.database.mongodb;

import com.mongodb.MongoBulkWriteException;
import com.mongodb.client.MongoCollection;
import java.time.Duration;
import java.util.List;
import siemload.database.EventSink;
import siemload.database.mongodb.layout.MongodbEvent;
import siemload.event.IdeaWriter;
import siemload.event.SecurityEvent;

/**
 * Inserts batches with the server's own write concern. A batch is no transaction, which a server of its own does not
 * offer: one that failed may be stored in part, and is completed when it is written again.
 */
final class MongodbSink implements EventSink {
    private final MongoCollection<MongodbEvent> events;
    private final Duration timeout;
    private final IdeaWriter writer = new IdeaWriter();

    MongodbSink(MongoCollection<MongodbEvent> events, Duration timeout) {
        this.events = events;
        this.timeout = timeout;
    }

    @Override
    public long write(List<SecurityEvent> batch) {
        List<MongodbEvent> documents = MongodbEvent.of(batch, writer);
        return MongodbErrors.answering(timeout, () -> {
            try {
                MongodbEvent.insert(documents, events);
            } catch (MongoBulkWriteException e) {
                if (!areAllStored(e)) {
                    throw e;
                }
            }
            return MongodbEvent.bytes(documents);
        });
    }

    @Override
    public void close() {}

    /** Whether nothing went wrong but that some events were there already. */
    private static boolean areAllStored(MongoBulkWriteException e) {
        return e.getWriteConcernError() == null
                && e.getWriteErrors().stream().allMatch(error -> error.getCode() == MongodbErrors.DUPLICATE_KEY);
    }
}
