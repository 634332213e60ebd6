package siemload.scenario.rate;

import java.math.BigDecimal;
import java.util.Optional;
import siemload.dataset.FeedEvents.CapturedTimes;

/**
 * Events come as they were captured, with the gaps between them, a number of times as fast; the recording begins again after its
 * end. Whose recording is not known from the text alone: what is due can be asked once there is one, see {@link #of}. Immutable.
 *
 * @param times as fast as captured, above 0
 * @param captured when the events came, once known
 */
public record CapturedRate(double times, Optional<CapturedTimes> captured) implements Rate {
    private static final double MICROS = 1e6;

    /** The rate at which these events came. */
    public Rate of(CapturedTimes events) {
        return new CapturedRate(times, Optional.of(events));
    }

    @Override
    public double dueUntil(double seconds) {
        return known().countUntil(seconds * MICROS * times);
    }

    /** The first of the events is due at the start, and each of them at once: between two counts, none is. */
    @Override
    public double secondsOf(double count) {
        return known().micros((long) Math.ceil(count) - 1) / MICROS / times;
    }

    private CapturedTimes known() {
        return captured.orElseThrow(() -> new IllegalStateException("nobody knows yet what was captured"));
    }

    @Override
    public boolean isNone() {
        return false;
    }

    @Override
    public String toString() {
        return times == 1
                ? "as captured"
                : "as captured x "
                        + BigDecimal.valueOf(times).stripTrailingZeros().toPlainString();
    }
}
