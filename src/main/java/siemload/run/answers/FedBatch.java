package siemload.run.answers;

import java.util.List;
import java.util.OptionalLong;
import java.util.function.Consumer;
import siemload.event.SecurityEvent;
import siemload.run.answers.SampledAnswer.Visibility;

/**
 * Events that were fed together during a run, and when. Instants are those of {@link System#nanoTime}. Immutable.
 *
 * @param sentNanos for the first time
 * @param acknowledgedNanos empty where the server may have stored them, but never said so
 */
public record FedBatch(List<SecurityEvent> events, long sentNanos, OptionalLong acknowledgedNanos) {
    public FedBatch {
        events = List.copyOf(events);
    }

    /** A batch that the server acknowledged. */
    public static FedBatch acknowledged(List<SecurityEvent> events, long sentNanos, long acknowledgedNanos) {
        return new FedBatch(events, sentNanos, OptionalLong.of(acknowledgedNanos));
    }

    /** A batch that the server never acknowledged. */
    public static FedBatch unacknowledged(List<SecurityEvent> events, long sentNanos) {
        return new FedBatch(events, sentNanos, OptionalLong.empty());
    }

    /** Whether the events belong into an answer. */
    Visibility visibilityTo(SampledAnswer answer) {
        if (sentNanos - answer.endNanos() >= 0) {
            return Visibility.NEVER;
        }
        boolean settled = acknowledgedNanos.isPresent() && acknowledgedNanos.getAsLong() - answer.seenFromNanos() < 0;
        return settled ? Visibility.MUST : Visibility.MAY;
    }

    /** All batches that were sent during a run, acknowledged or not. */
    @FunctionalInterface
    public interface FedBatches {
        /** Hands over every batch; memory does not grow with their number. */
        void forEach(Consumer<FedBatch> taker);
    }
}
