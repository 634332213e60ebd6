package siemload.database.opensearch.layout;

import siemload.database.layout.document.EventWithJson;
import siemload.event.SecurityEvent;

/** An event on its way into an index, with its JSON; nobody changes the array. */
@SuppressWarnings("ArrayRecordComponent") // Never compared.
record IndexedEvent(SecurityEvent event, byte[] idea) implements EventWithJson {}
