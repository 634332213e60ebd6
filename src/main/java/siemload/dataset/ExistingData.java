package siemload.dataset;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import siemload.event.SecurityEvent;

/**
 * Takes the place of a data set in runs on existing data, from which siemload reads no events and to which it adds none. Immutable.
 *
 * @param count the number of events as counted by the server
 * @param first the detect time of the oldest event
 * @param until the first whole second after the detect time of the newest event
 * @param warnings the warnings about wrong times of events
 */
public record ExistingData(long count, Instant first, Instant until, List<String> warnings) implements EventSource {
    public ExistingData {
        warnings = List.copyOf(warnings);
    }

    /** Existing data of which nothing is known. */
    public ExistingData() {
        this(0, Instant.EPOCH, Instant.EPOCH, List.of());
    }

    /** Existing data with their number of events and the detect times of the oldest and newest event, as the server reports them. */
    public static ExistingData of(long events, Instant oldest, Instant newest, List<String> warnings) {
        return new ExistingData(
                events, oldest, newest.truncatedTo(ChronoUnit.SECONDS).plusSeconds(1), warnings);
    }

    @Override
    public String name() {
        return "existing data";
    }

    @Override
    public String fingerprint() {
        return "";
    }

    @Override
    public FeedEvents feed() {
        return new FeedEvents(number -> event(number).id(), (number, id, detectTime) -> event(number));
    }

    @Override
    public SecurityEvent event(long number) {
        throw new UnsupportedOperationException("a run on existing data neither reads nor adds events");
    }
}
