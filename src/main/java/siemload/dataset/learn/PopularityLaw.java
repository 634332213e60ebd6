package siemload.dataset.learn;

import java.util.function.DoubleUnaryOperator;

/**
 * Zipf's law: values of rank 1 to n occur with shares in proportion to {@code rank ^ -exponent}. The law is estimated from how often values
 * occurred, not from their unknown ranks. The law keeps the number of values that occur, and the probability that two events share a value,
 * so searches for values find as many events. Immutable.
 *
 * @param values the number of values, including those that did not occur
 * @param exponent how unevenly the values occur
 */
record PopularityLaw(double values, double exponent) {
    private static final double LARGEST_EXPONENT = 10;
    /** The last rank without blocks; higher ranks form blocks of a hundredth of their rank, whose values count as equal. */
    private static final int SINGLE_RANKS = 100;

    /**
     * Estimates the law of observed counts; too few counts give a common law.
     *
     * @param most the largest number of values
     */
    static PopularityLaw of(Learner.Counts<?> occurred, double most) {
        if (occurred.all() < 2) {
            return new PopularityLaw(1, 0.5);
        }
        double pairs = occurred.counts().values().stream()
                .mapToDouble(count -> count * (count - 1.0))
                .sum();
        double alike = pairs / occurred.all() / (occurred.all() - 1);
        double low = 0;
        double high = LARGEST_EXPONENT;
        while (high - low > 1e-4) {
            double middle = (low + high) / 2;
            PopularityLaw law = new PopularityLaw(values(occurred, middle, most), middle);
            boolean isTooEven = law.sum(share -> share * share) < alike;
            low = isTooEven ? middle : low;
            high = isTooEven ? high : middle;
        }
        return new PopularityLaw(Math.rint(values(occurred, low, most)), low);
    }

    /** Finds, by bisection, the number of values of which, with this exponent, as many are expected to occur as were observed. */
    static double values(Learner.Counts<?> occurred, double exponent, double most) {
        double low = Math.max(1, occurred.counts().size());
        double high = Math.max(low, most);
        while (high - low > 1e-3) {
            double middle = (low + high) / 2;
            double occur = new PopularityLaw(middle, exponent).sum(share -> -Math.expm1(-share * occurred.all()));
            // The goal is half a value below the observed number, since the counts may not limit the number of values.
            boolean areTooFew = occur < occurred.counts().size() - 0.5;
            low = areTooFew ? middle : low;
            high = areTooFew ? high : middle;
        }
        return (low + high) / 2;
    }

    /** Returns the exponent as a rank root for profiles; 1,000 if all values are equally frequent. */
    double rankRoot() {
        return exponent < 0.001 ? 1_000 : Math.max(0.1, Math.rint(10_000 / exponent) / 10_000);
    }

    /** The sum of a function of each value's share over all values. */
    private double sum(DoubleUnaryOperator ofShare) {
        double all = sumOfWeights(weight -> weight);
        return sumOfWeights(weight -> ofShare.applyAsDouble(weight / all));
    }

    /** Adds up weights; the number of values need not be whole, so that the law changes smoothly with this number. */
    private double sumOfWeights(DoubleUnaryOperator ofWeight) {
        double sum = 0;
        double start = 1;
        while (start < values + 1) {
            double full = Math.ceil(start / SINGLE_RANKS);
            double weight = Math.pow(start + (full - 1) / 2, -exponent);
            sum += Math.min(full, values + 1 - start) * ofWeight.applyAsDouble(weight);
            start += full;
        }
        return sum;
    }
}
