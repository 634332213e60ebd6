package siemload.run.procedure;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import siemload.dataset.EventSource;
import siemload.event.SecurityEvent;

/**
 * Events of the data set's kind that are newer than all of it, evenly spread over some time: the same ones in every run.
 * Immutable and thread-safe.
 *
 * @param span the time behind the data set over which they lie
 * @param count how many there are, 1 or more
 */
record NewEvents(EventSource source, Duration span, int count) {

    /** As many as a feeder would bring at a thousand a second. */
    static NewEvents everyMillisecond(EventSource source, int count) {
        return new NewEvents(source, Duration.ofMillis(count), count);
    }

    /** The first instant behind all of them. */
    Instant until() {
        return source.until().plus(span);
    }

    /** How many batches of this size they fill, the last one perhaps not whole. */
    int batches(int size) {
        return (count + size - 1) / size;
    }

    /** The events of a batch, 0 for the first. */
    List<SecurityEvent> batch(int number, int size) {
        List<SecurityEvent> events = new ArrayList<>(size);
        for (int i = number * size; i < Math.min(count, (number + 1) * size); i++) {
            long millis = span.toMillis() * i / count;
            events.add(source.feed().event(i, source.until().plusMillis(millis)));
        }
        return events;
    }
}
