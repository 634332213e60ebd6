package siemload.dataset;

import java.time.Duration;
import java.time.Instant;

/**
 * When the events of each copy of a recording happen. The span is cut into as many equal slots as there are copies; a
 * recording that is longer than a slot is squeezed into it, a shorter one stays as it is at the slot's beginning. Whole
 * milliseconds. Immutable and thread-safe.
 */
final class CopyTimes {
    private final long firstMillis;
    private final long spanMillis;
    private final int copies;
    private final double scale;

    CopyTimes(Instant first, Instant last, Duration span, int copies) {
        firstMillis = first.toEpochMilli();
        spanMillis = span.toMillis();
        this.copies = copies;
        long lengthMillis = last.toEpochMilli() - firstMillis;
        long slotMillis = Math.max(0, spanMillis / copies - 1);
        scale = lengthMillis <= slotMillis ? 1 : (double) slotMillis / lengthMillis;
    }

    Instant time(long copy, Instant recorded) {
        long slotStart = spanMillis / copies * copy + spanMillis % copies * copy / copies;
        long offset = (long) ((recorded.toEpochMilli() - firstMillis) * scale);
        return Instant.ofEpochMilli(firstMillis + slotStart + offset);
    }
}
