package siemload.compare.statistics;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Locale;

/**
 * An estimate and the bounds of its interval, all in the same unit. Immutable.
 *
 * @param low at most {@code high}; the estimate lies in the interval, except that a bootstrap's interval may narrowly exclude it
 */
public record Interval(double estimate, double low, double high) {

    public Interval {
        if (!(low <= high) || Double.isNaN(estimate)) {
            throw new IllegalArgumentException("not an interval: " + estimate + " from " + low + " to " + high);
        }
    }

    /** Returns the interval of the exponentials, which turns an interval of logarithms into an interval of ratios. */
    public Interval exp() {
        return new Interval(Math.exp(estimate), Math.exp(low), Math.exp(high));
    }

    /** Returns the interval of the reciprocals, which is that of the ratio with baseline and candidate swapped. */
    public Interval reciprocal() {
        return new Interval(1 / estimate, 1 / high, 1 / low);
    }

    /** Returns whether the estimate of a ratio differs from 1 by less than delta, up or down: 0.05 is 5 %. */
    boolean isWithin(double delta) {
        return estimate < 1 + delta && estimate > 1 / (1 + delta);
    }

    /** Returns whether the whole interval lies between these bounds, inclusive. */
    public boolean within(double lowest, double highest) {
        return lowest <= low && high <= highest;
    }

    /** The interval of a ratio as text: {@code 0.97-1.03}. */
    public String bounds() {
        return ratio(low) + "-" + ratio(high);
    }

    /** Returns a ratio as text: with two decimals from 0.1 to 10, with two significant digits below 0.1, and with three from 10 on. */
    public static String ratio(double ratio) {
        if ((ratio >= 0.1 && ratio < 10) || !Double.isFinite(ratio)) {
            return String.format(Locale.ROOT, "%.2f", ratio);
        }
        return BigDecimal.valueOf(ratio)
                .round(new MathContext(ratio < 1 ? 2 : 3, RoundingMode.HALF_UP))
                .toPlainString();
    }

    /** A ratio as a percentage with two significant digits: {@code 3.2 %}. */
    public static String percent(double ratio) {
        return significant(100 * ratio, 2) + " %";
    }

    /** Returns a number as text with this many significant digits, or all digits for 0, without trailing zeros of decimals. */
    public static String significant(double value, int digits) {
        if (!Double.isFinite(value)) {
            return value > 0 ? "infinitely many" : String.valueOf(value);
        }
        BigDecimal rounded = BigDecimal.valueOf(value).round(new MathContext(digits, RoundingMode.HALF_UP));
        return rounded.signum() == 0 ? "0" : rounded.stripTrailingZeros().toPlainString();
    }
}
