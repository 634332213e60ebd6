package siemload.dataset;

import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import siemload.event.SecurityEvent;

/** In the place of a data set where a run asks data that are there already: no events that anybody knows of. Immutable. */
public final class ExistingData implements EventSource {

    @Override
    public String name() {
        return "existing data";
    }

    @Override
    public long count() {
        return 0;
    }

    @Override
    public Instant first() {
        return Instant.EPOCH;
    }

    @Override
    public Instant until() {
        return Instant.EPOCH;
    }

    @Override
    public String fingerprint() {
        return "";
    }

    @Override
    public long seed() {
        return 0;
    }

    @Override
    public void read(int batch, Consumer<List<SecurityEvent>> batches) {}

    @Override
    public FeedEvents feed() {
        return new NoFeed();
    }

    /** Nothing is fed, so that nobody asks. */
    private record NoFeed() implements FeedEvents {
        @Override
        public SecurityEvent event(long number, Instant detectTime) {
            throw new UnsupportedOperationException("nothing is fed into data that are there already");
        }

        @Override
        public String id(long number) {
            throw new UnsupportedOperationException("nothing is fed into data that are there already");
        }
    }
}
