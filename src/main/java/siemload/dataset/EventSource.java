package siemload.dataset;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.LongStream;
import siemload.config.DaemonThread;
import siemload.dataset.DatasetSpec.SearchedValues;
import siemload.event.SecurityEvent;

/** A data set, generated or recorded, which has the same events each time it is read. Thread-safe. */
public interface EventSource {
    /** Stands in place of the name of searched values if all values are drawn. */
    String DRAWN = "drawn";

    /** The name of the data set file or of the recording, for people. */
    String name();

    /** The number of events. */
    long count();

    /** The earliest detect time. */
    default Instant first() {
        return event(0).detectTime();
    }

    /** The first whole second after the latest detect time, which is "now" at the start of a run. */
    default Instant until() {
        return event(count() - 1).detectTime().truncatedTo(ChronoUnit.SECONDS).plusSeconds(1);
    }

    /** Returns 16 lower-case hexadecimal digits, which are equal for equal events on any machine. */
    String fingerprint();

    /** The seed that the events were drawn from; 0 for recorded ones. */
    default long seed() {
        return 0;
    }

    /** Returns the event with this number, 0 to {@code count() - 1}, in the order of detect times. */
    SecurityEvent event(long number);

    /** Passes on all events in order, in lists of at most {@code batch}; memory use stays constant. */
    default void read(int batch, Consumer<List<SecurityEvent>> batches) {
        read(batch, events -> events, batches);
    }

    /** Reads all events as {@link #readPart} does. */
    default <T> void read(int batch, Function<List<SecurityEvent>, T> prepare, Consumer<T> take) {
        readPart(batch, 0, 1, prepare, take);
    }

    /**
     * Hands over, in order, the events whose number (from 0) leaves the remainder {@code part} when divided by {@code parts}. Events are
     * read and prepared ahead of their turn.
     *
     * @param batch the most events handed over at once
     * @param part 0 to {@code parts - 1}
     * @param parts 1 or more
     * @param prepare is called by several threads at once
     * @param take is called only by the calling thread
     * @throws CancellationException if the calling thread is interrupted; the thread stays interrupted
     */
    default <T> void readPart(
            int batch, int part, int parts, Function<List<SecurityEvent>, T> prepare, Consumer<T> take) {
        long own = Math.max(0, count() - part + parts - 1) / parts;
        int threads = Math.max(2, Math.min(4, Runtime.getRuntime().availableProcessors() - 1));
        ExecutorService makers = Executors.newFixedThreadPool(threads, DaemonThread.named("siemload-generator"));
        Queue<Future<T>> ahead = new ArrayDeque<>();
        try {
            for (long from = 0; from < own || !ahead.isEmpty(); from += batch) {
                long first = from;
                long until = Math.min(own, from + batch);
                if (first < own) {
                    ahead.add(makers.submit(() -> prepare.apply(LongStream.range(first, until)
                            .mapToObj(nth -> event(part + nth * parts))
                            .toList())));
                }
                if (first >= own || ahead.size() >= 2 * threads) {
                    take.accept(ahead.remove().get());
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw (CancellationException) new CancellationException("interrupted while events were made").initCause(e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException known) {
                throw known;
            }
            throw (Error) Objects.requireNonNull(e.getCause(), "a batch of events failed without a cause");
        } finally {
            // Gives up batches that are still being made, without waiting for their threads.
            makers.shutdownNow();
        }
    }

    /** Warnings for the user, each on a line, for instance about unreadable lines of a recording. */
    default List<String> warnings() {
        return List.of();
    }

    /** A sentence for results about lines that are not events; empty if there are none. */
    default Optional<String> leftOut() {
        return Optional.empty();
    }

    /** The searched values by the name that {@code searched} gives; recordings have none. */
    default Map<String, SearchedValues> searched() {
        return Map.of();
    }

    /** The events that a feeder inserts in addition to the data set. */
    FeedEvents feed();
}
