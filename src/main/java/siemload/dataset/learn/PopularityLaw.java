package siemload.dataset.learn;

import java.util.Arrays;
import java.util.Collections;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.IntStream;
import org.hipparchus.special.Gamma;

/**
 * The law that values of rank 1 to n occur with shares in proportion to {@code rank ^ -exponent}, told from how many values
 * occurred once, twice and so on: nobody knows which value has which rank. For each exponent the number of values is that with
 * which as many occur as have; of the exponents, the one is taken that makes what was found most likely. Immutable.
 *
 * @param values how many values there are, those that did not occur among them
 * @param exponent how unevenly they occur
 */
record PopularityLaw(double values, double exponent) {
    private static final double LARGEST_EXPONENT = 10;
    /** Where counts leave the exponent open, values are rather alike. */
    private static final double EVEN = 0.1;

    private static final double BIN_GROWTH = 1.3;
    /** Where counts leave it open how many more values there are, as many are taken as make this part of a value new. */
    private static final double HALF = 0.5;

    /**
     * The law of what occurred; a common one where nothing did.
     *
     * @param most how many values there are at most
     */
    static PopularityLaw of(Counts<?> occurred, double most) {
        if (occurred.all() == 0) {
            return new PopularityLaw(1, 0.5);
        }
        long largest = Collections.max(occurred.counts().values());
        int[] edges = IntStream.iterate(1, edge -> edge <= largest, edge -> (int) Math.ceil(edge * BIN_GROWTH))
                .toArray();
        double[] found = new double[edges.length];
        for (long count : occurred.counts().values()) {
            int bin = Arrays.binarySearch(edges, (int) count);
            found[bin < 0 ? -bin - 2 : bin]++;
        }
        DoubleUnaryOperator unlikely = exponent -> EVEN * exponent
                + deviance(Ranks.of(values(occurred, exponent, most), exponent), occurred.all(), edges, found);
        double low = 0;
        double high = LARGEST_EXPONENT;
        while (high - low > 1e-4) {
            double third = (high - low) / 3;
            if (unlikely.applyAsDouble(low + third) <= unlikely.applyAsDouble(high - third)) {
                high -= third;
            } else {
                low += third;
            }
        }
        return new PopularityLaw(Math.rint(values(occurred, low, most)), low);
    }

    /** How many values there are, if they are as popular as this exponent says and as many occur as have: by halving the interval. */
    static double values(Counts<?> occurred, double exponent, double most) {
        double seen = occurred.counts().size();
        double low = Math.max(1, seen);
        double high = Math.max(low, most);
        while (high - low > 1e-3) {
            double middle = (low + high) / 2;
            Ranks ranks = Ranks.of(middle, exponent);
            double occur = 0;
            for (int block = 0; block < ranks.shares.length; block++) {
                occur -= ranks.widths[block] * Math.expm1(-ranks.shares[block] * occurred.all());
            }
            if (occur < seen - HALF) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return (low + high) / 2;
    }

    /** As profiles have it; 1,000 where all values are alike. */
    double rankRoot() {
        return exponent < 0.001 ? 1_000 : Math.max(0.1, Math.rint(10_000 / exponent) / 10_000);
    }

    /** How unlikely it is that so many values have counts from each edge on: the Poisson deviance of all bins. */
    private static double deviance(Ranks ranks, long draws, int[] edges, double[] found) {
        double[] expected = new double[edges.length];
        for (int block = 0; block < ranks.shares.length; block++) {
            double mean = ranks.shares[block] * draws;
            double reached = reached(edges[0], mean);
            for (int bin = 0; bin < edges.length && reached > 0; bin++) {
                double next = bin + 1 < edges.length ? reached(edges[bin + 1], mean) : 0;
                expected[bin] += ranks.widths[block] * (reached - next);
                reached = next;
            }
        }
        double sum = 0;
        for (int bin = 0; bin < edges.length; bin++) {
            double mean = Math.max(expected[bin], 1e-9);
            sum += 2 * (mean - found[bin] + (found[bin] == 0 ? 0 : found[bin] * Math.log(found[bin] / mean)));
        }
        return sum;
    }

    /** The probability that a Poisson number with this mean is so large or larger. */
    private static double reached(int count, double mean) {
        double far = 10 * Math.sqrt(mean) + 20;
        return count > mean + far ? 0 : count < mean - far ? 1 : Gamma.regularizedGammaP(count, mean);
    }

    /**
     * How often values of each rank occur. Ranks far down stand in blocks of a hundredth of their rank, whose values count as alike.
     *
     * @param widths how many values each block has
     * @param shares that of each value of a block
     */
    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    private record Ranks(double[] widths, double[] shares) {
        private static final int SINGLE_RANKS = 100;

        /** @param values need not be whole, so that the law changes smoothly with it */
        static Ranks of(double values, double exponent) {
            double[] widths = new double[2 * SINGLE_RANKS + (int) (SINGLE_RANKS * Math.log(values + 1))];
            double[] shares = new double[widths.length];
            double sum = 0;
            double start = 1;
            for (int block = 0; start < values + 1; block++) {
                double full = Math.ceil(start / SINGLE_RANKS);
                widths[block] = Math.min(full, values + 1 - start);
                shares[block] = Math.pow(start + (full - 1) / 2, -exponent);
                sum += widths[block] * shares[block];
                start += full;
            }
            for (int block = 0; block < shares.length; block++) {
                shares[block] /= sum;
            }
            return new Ranks(widths, shares);
        }
    }
}
