package siemload.run.answers;

import java.time.Instant;
import java.util.List;
import siemload.dataset.EventSource;
import siemload.dataset.FeedEvents;
import siemload.event.SecurityEvent;

/** A data set of some events, the earliest first, which feeds nobody. */
public record EventList(List<SecurityEvent> events) implements EventSource {
    @Override
    public String name() {
        return "some";
    }

    @Override
    public long count() {
        return events.size();
    }

    /** A second after the last one. */
    @Override
    public Instant until() {
        return events.get(events.size() - 1).detectTime().plusSeconds(1);
    }

    @Override
    public String fingerprint() {
        return "0000000000000003";
    }

    @Override
    public SecurityEvent event(long number) {
        return events.get((int) number);
    }

    @Override
    public FeedEvents feed() {
        throw new UnsupportedOperationException("some events feed nobody");
    }
}
