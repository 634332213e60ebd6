package siemload.database.mongodb;

import siemload.event.IdeaWriter;
import siemload.event.SecurityEvent;

/** An event on its way into the database, with its JSON; nobody changes the array. */
@SuppressWarnings("ArrayRecordComponent") // Never compared.
record MongodbEvent(SecurityEvent event, byte[] idea) {

    static MongodbEvent of(SecurityEvent event, IdeaWriter writer) {
        return new MongodbEvent(event, writer.toBytes(event));
    }
}
