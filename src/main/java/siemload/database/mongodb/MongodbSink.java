package siemload.database.mongodb;

import com.mongodb.MongoBulkWriteException;
import com.mongodb.MongoException;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.InsertManyOptions;
import java.time.Duration;
import java.util.List;
import siemload.database.EventSink;
import siemload.event.IdeaWriter;
import siemload.event.SecurityEvent;

/**
 * Inserts batches with the server's own write concern. A batch is no transaction, which a server of its own does not
 * offer: one that failed may be stored in part, and is completed when it is written again.
 */
final class MongodbSink implements EventSink {
    private static final InsertManyOptions UNORDERED = new InsertManyOptions().ordered(false);

    private final MongoCollection<MongodbEvent> events;
    private final Duration timeout;
    private final IdeaWriter writer = new IdeaWriter();

    MongodbSink(MongoCollection<?> events, Duration timeout) {
        this.events = events.withDocumentClass(MongodbEvent.class);
        this.timeout = timeout;
    }

    @Override
    public long write(List<SecurityEvent> batch) {
        List<MongodbEvent> documents =
                batch.stream().map(event -> MongodbEvent.of(event, writer)).toList();
        long start = System.nanoTime();
        try {
            if (!documents.isEmpty()) {
                events.insertMany(documents, UNORDERED);
            }
        } catch (MongoException e) {
            if (!areAllStored(e)) {
                throw MongodbErrors.inRun(e, Duration.ofNanos(System.nanoTime() - start), timeout);
            }
        }
        return documents.stream().mapToLong(document -> document.idea().length).sum();
    }

    @Override
    public void close() {}

    /** Whether nothing went wrong but that some events were there already. */
    private static boolean areAllStored(MongoException e) {
        return e instanceof MongoBulkWriteException bulk
                && bulk.getWriteConcernError() == null
                && bulk.getWriteErrors().stream().allMatch(error -> error.getCode() == MongodbErrors.DUPLICATE_KEY);
    }
}
