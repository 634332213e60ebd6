package siemload.dataset;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import siemload.event.SecurityEvent;

/**
 * In the place of a data set where a run asks data that are there already: no events that anybody can make again. Immutable.
 *
 * @param count as the server has told
 * @param first the detect time of the oldest event
 * @param until the first whole second after that of the newest one
 * @param warnings what is wrong with their times
 */
public record ExistingData(long count, Instant first, Instant until, List<String> warnings)
        implements EventSource, FeedEvents {
    public ExistingData {
        warnings = List.copyOf(warnings);
    }

    /** Of which nothing is known. */
    public ExistingData() {
        this(0, Instant.EPOCH, Instant.EPOCH, List.of());
    }

    /** Of which the server has told how many events they are, and the detect times of the oldest and the newest one. */
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
    public SecurityEvent event(long number) {
        throw new UnsupportedOperationException("existing data are not read");
    }

    @Override
    public FeedEvents feed() {
        return this;
    }

    /** Nothing is fed, so that nobody asks. */
    @Override
    public SecurityEvent event(long number, Instant detectTime) {
        throw new UnsupportedOperationException("existing data are not fed");
    }

    @Override
    public String id(long number) {
        throw new UnsupportedOperationException("existing data are not fed");
    }
}
