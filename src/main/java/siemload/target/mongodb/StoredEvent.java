package siemload.target.mongodb;

import siemload.event.IdeaWriter;
import siemload.event.SecurityEvent;

/** An event on its way into the database, with its JSON; nobody changes the array. */
@SuppressWarnings("ArrayRecordComponent") // Never compared.
record StoredEvent(SecurityEvent event, byte[] idea) {

    static StoredEvent of(SecurityEvent event, IdeaWriter writer) {
        return new StoredEvent(event, writer.toBytes(event));
    }
}
