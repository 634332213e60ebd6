package siemload.scenario.rate;

import java.math.BigDecimal;
import java.math.RoundingMode;

/**
 * The same rate all the time: {@code 200/s}. Immutable.
 *
 * @param perSecond 0 or more
 */
public record ConstantRate(double perSecond) implements Rate {
    /** Nothing ever happens. */
    public static final Rate NONE = new ConstantRate(0);

    @Override
    public double dueUntil(double seconds) {
        return seconds * perSecond;
    }

    @Override
    public double secondsOf(double count) {
        if (count == 0) {
            return 0;
        }
        return perSecond == 0 ? Math.copySign(Double.POSITIVE_INFINITY, count) : count / perSecond;
    }

    @Override
    public double mean(double fromSeconds, double untilSeconds) {
        return perSecond;
    }

    @Override
    public String toString() {
        BigDecimal rounded = BigDecimal.valueOf(perSecond).setScale(9, RoundingMode.HALF_EVEN);
        return rounded.stripTrailingZeros().toPlainString() + "/s";
    }
}
