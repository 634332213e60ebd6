package siemload.target.memory;

import siemload.event.SecurityEvent;
import siemload.query.PageKey;
import siemload.query.SearchMeaning;

/** An event with its place in the order of searches. */
record StoredEvent(SecurityEvent event, PageKey place) {

    static StoredEvent of(SecurityEvent event) {
        return new StoredEvent(event, SearchMeaning.place(event));
    }
}
