package siemload.database.mongodb.layout;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.InsertManyOptions;
import java.util.List;
import siemload.database.layout.document.EventWithJson;
import siemload.event.IdeaWriter;
import siemload.event.SecurityEvent;

/** An event on its way into the database, with its JSON; nobody changes the array. */
@SuppressWarnings("ArrayRecordComponent") // Never compared.
public record MongodbEvent(SecurityEvent event, byte[] idea) implements EventWithJson {
    private static final InsertManyOptions UNORDERED = new InsertManyOptions().ordered(false);

    public static List<MongodbEvent> of(List<SecurityEvent> batch, IdeaWriter writer) {
        return batch.stream()
                .map(event -> new MongodbEvent(event, writer.toBytes(event)))
                .toList();
    }

    public static void insert(List<MongodbEvent> documents, MongoCollection<MongodbEvent> events) {
        if (!documents.isEmpty()) {
            events.insertMany(documents, UNORDERED);
        }
    }

    /** Their size as IDEA JSON. */
    public static long bytes(List<MongodbEvent> documents) {
        return documents.stream().mapToLong(document -> document.idea.length).sum();
    }
}
