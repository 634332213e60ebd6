package siemload.dataset;

import java.time.Instant;
import java.util.function.LongFunction;
import siemload.event.SecurityEvent;

/**
 * An endless supply of events like those of the data set, numbered from 0. Thread-safe.
 *
 * @param ids returns the id of an event, which does not occur in the data set
 * @param maker makes the events
 */
public record FeedEvents(LongFunction<String> ids, Maker maker) {

    /** Makes the event with this number and id, as if it had been detected at this time. */
    @FunctionalInterface
    public interface Maker {
        SecurityEvent make(long number, String id, Instant detectTime);
    }

    public SecurityEvent event(long number, Instant detectTime) {
        return maker.make(number, id(number), detectTime);
    }

    public String id(long number) {
        return ids.apply(number);
    }

    /** Returns the events from this number on, which are numbered from 0 again. */
    public FeedEvents from(long first) {
        return new FeedEvents(
                number -> id(first + number), (number, id, detectTime) -> maker.make(first + number, id, detectTime));
    }
}
