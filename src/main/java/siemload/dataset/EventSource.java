package siemload.dataset;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import siemload.event.SecurityEvent;

/** A data set: the same events each time it is read, made or read as a stream. Thread-safe. */
public interface EventSource {
    /** In the place of a name of values: they are drawn. */
    String DRAWN = "drawn";

    /** The name for people: that of the data set file or of the recording. */
    String name();

    /** The number of events. */
    long count();

    /** The earliest detect time. */
    Instant first();

    /** The first whole second after the latest detect time: where "now" starts when a run begins. */
    Instant until();

    /** 16 lower-case hexadecimal digits; equal for equal events, on any machine. */
    String fingerprint();

    /** The seed that the events were drawn from; 0 for recorded ones. */
    long seed();

    /** Hands over all events in their order, in lists of at most {@code batch}; memory does not grow with the count. */
    void read(int batch, Consumer<List<SecurityEvent>> batches);

    /**
     * Hands over all events in their order, prepared ahead of their turn.
     *
     * @param batch at most so many at once
     * @param prepare is called by any thread, by several at once
     * @param take is called by this thread
     * @throws java.util.concurrent.CancellationException if this thread is interrupted; it stays interrupted
     */
    default <T> void read(int batch, Function<List<SecurityEvent>, T> prepare, Consumer<T> take) {
        readPart(batch, 0, 1, prepare, take);
    }

    /**
     * Hands over a part of the events in their order, prepared ahead of their turn: those whose number, from 0, leaves this
     * remainder. All parts together are all events.
     *
     * @param batch at most so many at once
     * @param part 0 to below the number of parts
     * @param parts 1 or more
     * @param prepare is called by any thread, by several at once
     * @param take is called by this thread
     * @throws java.util.concurrent.CancellationException if this thread is interrupted; it stays interrupted
     */
    default <T> void readPart(
            int batch, int part, int parts, Function<List<SecurityEvent>, T> prepare, Consumer<T> take) {
        AtomicLong number = new AtomicLong();
        try (OrderedBatches<T> batches = new OrderedBatches<>(OrderedBatches.usualThreads(), take)) {
            read(batch, events -> {
                List<SecurityEvent> own = events.stream()
                        .filter(event -> number.getAndIncrement() % parts == part)
                        .toList();
                if (!own.isEmpty()) {
                    batches.add(() -> prepare.apply(own));
                }
            });
            batches.finish();
        }
    }

    /** What a user should know before trusting it, a line each: the unreadable lines of a recording. */
    default List<String> warnings() {
        return List.of();
    }

    /** What results say of lines that are no events, in one sentence; empty where there are none. */
    default Optional<String> leftOut() {
        return Optional.empty();
    }

    /** The values that searches can ask for by a name; none for recordings. */
    default Map<String, SearchedValues> searched() {
        return Map.of();
    }

    /** The events that a feeder inserts beside the data set. */
    FeedEvents feed();
}
