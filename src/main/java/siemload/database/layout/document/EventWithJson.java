package siemload.database.layout.document;

import siemload.event.SecurityEvent;

/** An event on its way into a database, with its JSON. */
public interface EventWithJson {

    SecurityEvent event();

    /** Its IDEA JSON in UTF-8; nobody changes the array. */
    byte[] idea();
}
