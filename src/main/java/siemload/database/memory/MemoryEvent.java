package siemload.database.memory;

import siemload.event.SecurityEvent;
import siemload.query.PageKey;
import siemload.query.SearchMeaning;

/** An event with its place in the order of searches. */
record MemoryEvent(SecurityEvent event, PageKey place) {

    static MemoryEvent of(SecurityEvent event) {
        return new MemoryEvent(event, SearchMeaning.place(event));
    }
}
