package siemload.run.answers;

import java.util.List;
import siemload.event.SecurityEvent;

/** Events that were fed together during a run, and when. Instants are those of {@link System#nanoTime}. Immutable. */
public final class FedBatch {
    private final List<SecurityEvent> events;
    private final long sentNanos;
    private final long acknowledgedNanos;
    private final Fate fate;

    private enum Fate {
        ACKNOWLEDGED,
        UNKNOWN
    }

    private FedBatch(List<SecurityEvent> events, long sentNanos, long acknowledgedNanos, Fate fate) {
        this.events = List.copyOf(events);
        this.sentNanos = sentNanos;
        this.acknowledgedNanos = acknowledgedNanos;
        this.fate = fate;
    }

    /** A batch that the server acknowledged, sent for the first time and acknowledged at these instants. */
    public static FedBatch acknowledged(List<SecurityEvent> events, long sentNanos, long acknowledgedNanos) {
        return new FedBatch(events, sentNanos, acknowledgedNanos, Fate.ACKNOWLEDGED);
    }

    /** A batch that the server may have stored, but never acknowledged. */
    public static FedBatch unacknowledged(List<SecurityEvent> events, long sentNanos) {
        return new FedBatch(events, sentNanos, sentNanos, Fate.UNKNOWN);
    }

    List<SecurityEvent> events() {
        return events;
    }

    /** Whether the events belong into an answer. */
    Visibility visibilityTo(SampledAnswer answer) {
        if (sentNanos - answer.endNanos() >= 0) {
            return Visibility.NEVER;
        }
        boolean settled = fate == Fate.ACKNOWLEDGED && acknowledgedNanos - answer.seenFromNanos() < 0;
        return settled ? Visibility.MUST : Visibility.MAY;
    }
}
