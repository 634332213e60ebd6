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

/** A data set: the same events each time it is read, generated or read as a stream. Thread-safe. */
public interface EventSource {
    /** Given in place of the name of searched values: values are drawn. */
    String DRAWN = "drawn";

    /** The name of the data set file or of the recording, for people. */
    String name();

    /** The number of events. */
    long count();

    /** The earliest detect time. */
    default Instant first() {
        return event(0).detectTime();
    }

    /** The first whole second after the latest detect time: "now" at the start of a run. */
    default Instant until() {
        return event(count() - 1).detectTime().truncatedTo(ChronoUnit.SECONDS).plusSeconds(1);
    }

    /** 16 lower-case hexadecimal digits; equal for equal events, on any machine. */
    String fingerprint();

    /** The seed that the events were drawn from; 0 for recorded ones. */
    default long seed() {
        return 0;
    }

    /** The event with this number, 0 to {@code count() - 1}, in the order of their times. */
    SecurityEvent event(long number);

    /** Passes on all events in order, in lists of at most {@code batch}; memory does not grow with their number. */
    default void read(int batch, Consumer<List<SecurityEvent>> batches) {
        read(batch, events -> events, batches);
    }

    /** Reads all events as {@link #readPart} does. */
    default <T> void read(int batch, Function<List<SecurityEvent>, T> prepare, Consumer<T> take) {
        readPart(batch, 0, 1, prepare, take);
    }

    /**
     * Hands over a part of the events in their order, read and prepared ahead of their turn: those whose number, from 0, divided by {@code
     * parts} leaves the remainder {@code part}.
     *
     * @param batch the most events handed over at once
     * @param part 0 to below the number of parts
     * @param parts 1 or more
     * @param prepare is called by any thread, by several at once
     * @param take is called by this thread
     * @throws CancellationException if this thread is interrupted; it stays interrupted
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
            throw (Error) Objects.requireNonNull(e.getCause(), "why a batch of events could not be made");
        } finally {
            // Batches that are still being made are given up, without waiting for their threads.
            makers.shutdownNow();
        }
    }

    /** Warnings for the user, a line each: unreadable lines of a recording. */
    default List<String> warnings() {
        return List.of();
    }

    /** A sentence for results about lines that are not events; empty if there are none. */
    default Optional<String> leftOut() {
        return Optional.empty();
    }

    /** The values that searches can ask for, by the name given as {@code searched}; none for recordings. */
    default Map<String, SearchedValues> searched() {
        return Map.of();
    }

    /** The events that a feeder inserts in addition to the data set. */
    FeedEvents feed();
}
