package siemload.dataset;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongUnaryOperator;
import siemload.event.SecurityEvent;

/**
 * A generated data set. Event i depends on the specification and i alone, so any part can be made by itself, on any
 * machine and thread, with the same bytes. Detect times ascend with i. Thread-safe.
 */
public final class EventGenerator implements EventSource {
    private final DatasetSpec spec;
    private final Timeline timeline;
    private final EventMaker maker;
    private final long contentSeed;
    private final long idSeed;
    private final int threads;

    /** A generator that makes batches on as many threads as there are other processors, up to 4. */
    public EventGenerator(DatasetSpec spec) {
        this(spec, OrderedBatches.usualThreads());
    }

    EventGenerator(DatasetSpec spec, int threads) {
        this.spec = spec;
        this.threads = threads;
        timeline = new Timeline(spec);
        maker = new EventMaker(spec.profile(), spec.seed());
        contentSeed = Stream.CONTENT.seed(spec.seed());
        idSeed = Stream.ID.seed(spec.seed());
    }

    /** The event with this number, 0 to {@code count() - 1}. */
    public SecurityEvent event(long index) {
        if (index < 0 || index >= spec.events()) {
            throw new IllegalArgumentException("there are events 0 to " + (spec.events() - 1) + ", not " + index);
        }
        return maker.make(id(index), timeline.time(index), SeededRandom.of(contentSeed, index));
    }

    /** The id of the event with this number. */
    public String id(long index) {
        return EventIds.id(idSeed, index);
    }

    @Override
    public String name() {
        return spec.name();
    }

    @Override
    public long count() {
        return spec.events();
    }

    @Override
    public Instant first() {
        return timeline.time(0);
    }

    @Override
    public Instant until() {
        return timeline.time(count() - 1).truncatedTo(ChronoUnit.SECONDS).plusSeconds(1);
    }

    /** Made from all numbers of the specification and from a sample of the events, so a change of the maker shows. */
    @Override
    public String fingerprint() {
        Fingerprint fingerprint = new Fingerprint();
        fingerprint.add(spec.events() + " " + spec.start() + " " + spec.span() + " " + spec.seed() + " ");
        fingerprint.add(spec.profile().toString());
        long step = Math.max(1, count() / 100);
        for (long index = 0; index < count(); index += step) {
            fingerprint.add(event(index));
        }
        return fingerprint.value();
    }

    @Override
    public long seed() {
        return spec.seed();
    }

    @Override
    public void read(int batch, Consumer<List<SecurityEvent>> batches) {
        read(batch, events -> events, batches);
    }

    /** Only the events of the part are made; they are prepared by the threads that make them. */
    @Override
    public <T> void readPart(
            int batch, int part, int parts, Function<List<SecurityEvent>, T> prepare, Consumer<T> take) {
        long own = Math.max(0, count() - part + parts - 1) / parts;
        try (OrderedBatches<T> batches = new OrderedBatches<>(threads, take)) {
            for (long from = 0; from < own; from += batch) {
                long first = from;
                long until = Math.min(own, from + batch);
                batches.add(() -> prepare.apply(events(first, until, index -> part + index * parts)));
            }
            batches.finish();
        }
    }

    @Override
    public Map<String, SearchedValues> searched() {
        return spec.searched();
    }

    @Override
    public FeedEvents feed() {
        return new GeneratedFeed(maker, spec.seed());
    }

    private List<SecurityEvent> events(long from, long until, LongUnaryOperator index) {
        List<SecurityEvent> events = new ArrayList<>((int) (until - from));
        for (long nth = from; nth < until; nth++) {
            events.add(event(index.applyAsLong(nth)));
        }
        return events;
    }

    private record GeneratedFeed(EventMaker maker, long seed) implements FeedEvents {
        @Override
        public SecurityEvent event(long number, Instant detectTime) {
            return maker.make(id(number), detectTime, SeededRandom.of(Stream.FEED_CONTENT.seed(seed), number));
        }

        @Override
        public String id(long number) {
            return EventIds.id(Stream.FEED_ID.seed(seed), number);
        }
    }
}
