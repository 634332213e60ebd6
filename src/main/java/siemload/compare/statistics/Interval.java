package siemload.compare.statistics;

/**
 * An estimate and the bounds of its interval, in the unit of what is estimated. Immutable.
 *
 * @param low at most {@code high}; the estimate lies within for all intervals of this package but those of a bootstrap,
 *     which may leave it out by a hair
 */
public record Interval(double estimate, double low, double high) {

    public Interval {
        if (!(low <= high) || Double.isNaN(estimate)) {
            throw new IllegalArgumentException("not an interval: " + estimate + " from " + low + " to " + high);
        }
    }

    /** The interval of the exponentials: from logarithms back to ratios. */
    public Interval exp() {
        return new Interval(Math.exp(estimate), Math.exp(low), Math.exp(high));
    }

    /** The interval of the reciprocals: the same ratio with baseline and candidate in each other's place. */
    public Interval reciprocal() {
        return new Interval(1 / estimate, 1 / high, 1 / low);
    }

    /** Whether the estimate of a ratio differs from 1 by less than this: 0.05 is 5 %, up or down. */
    boolean isWithin(double delta) {
        return estimate < 1 + delta && estimate > 1 / (1 + delta);
    }

    /** Whether all of it lies between these bounds, bounds included. */
    public boolean within(double lowest, double highest) {
        return lowest <= low && high <= highest;
    }
}
