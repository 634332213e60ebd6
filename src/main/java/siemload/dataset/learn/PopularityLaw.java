package siemload.dataset.learn;

import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.hipparchus.special.Gamma;

/**
 * The law that values of rank 1 to n occur with shares in proportion to {@code rank ^ -exponent}, told from how many values
 * occurred once, twice and so on: nobody knows which value has which rank. For each exponent the number of values is that with
 * which as many occur as have; of the exponents, the one is taken that makes what was found most likely. Immutable, as long as
 * its arrays are not changed.
 *
 * @param values how many values there are, those that did not occur among them
 * @param exponent how unevenly they occur
 * @param edges the least count of each bin
 * @param found how many values have such counts
 * @param expected how many the law makes have such counts
 */
@SuppressWarnings("ArrayRecordComponent") // Never compared.
record PopularityLaw(double values, double exponent, int[] edges, double[] found, double[] expected) {
    private static final double[] EXPONENTS = {0, 0.05, 0.1, 0.2, 0.3, 0.45, 0.6, 0.8, 1, 1.3, 1.8, 2.5, 4, 6, 10};
    /** The interval around the best exponent is cut into eight, so often. */
    private static final int REFINEMENTS = 5;

    private static final double EVEN = 0.1;
    private static final double BIN_GROWTH = 1.3;
    /** Where counts leave it open how many more values there are, as many are taken as make this part of a value new. */
    private static final double HALF = 0.5;

    /**
     * The law of what occurred, of which there must be something.
     *
     * @param most how many values there are at most
     */
    static PopularityLaw of(Counts<?> occurred, double most) {
        long largest = Collections.max(occurred.counts().values());
        int[] edges = IntStream.iterate(1, edge -> edge <= largest, edge -> (int) Math.ceil(edge * BIN_GROWTH))
                .toArray();
        double[] found = new double[edges.length];
        for (long count : occurred.counts().values()) {
            int bin = Arrays.binarySearch(edges, (int) count);
            found[bin < 0 ? -bin - 2 : bin]++;
        }
        double[] exponents = EXPONENTS;
        for (int round = 0; ; round++) {
            List<PopularityLaw> laws = DoubleStream.of(exponents)
                    .mapToObj(exponent -> of(exponent, occurred, most, edges, found))
                    .toList();
            PopularityLaw best = Collections.min(laws, Comparator.comparingDouble(PopularityLaw::deviance));
            if (round == REFINEMENTS) {
                return best;
            }
            double low = exponents[Math.max(0, laws.indexOf(best) - 1)];
            double high = exponents[Math.min(laws.size() - 1, laws.indexOf(best) + 1)];
            exponents = IntStream.rangeClosed(0, 8)
                    .mapToDouble(step -> low + (high - low) * step / 8)
                    .toArray();
        }
    }

    private static PopularityLaw of(double exponent, Counts<?> occurred, double most, int[] edges, double[] found) {
        double values = values(occurred, exponent, most);
        Ranks ranks = Ranks.of(values, exponent);
        double[] expected = new double[edges.length];
        for (int block = 0; block < ranks.shares.length; block++) {
            double mean = ranks.shares[block] * occurred.all();
            double width = ranks.widths[block];
            double reached = width * reached(edges[0], mean);
            for (int bin = 0; bin < edges.length && reached > 0; bin++) {
                double next = bin + 1 < edges.length ? width * reached(edges[bin + 1], mean) : 0;
                expected[bin] += reached - next;
                reached = next;
            }
        }
        return new PopularityLaw(Math.rint(values), exponent, edges, found, expected);
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

    /** How well what was found fits. */
    FieldFit fit(String name) {
        Map<Integer, Double> counted = new LinkedHashMap<>();
        Map<Integer, Double> lawful = new LinkedHashMap<>();
        for (int bin = 0; bin < edges.length; bin++) {
            counted.put(edges[bin], found[bin]);
            lawful.put(edges[bin], expected[bin]);
        }
        return FieldFit.of(name, FieldFit.Kind.LAW, counted, lawful);
    }

    /** How unlikely what was found is: the Poisson deviance of all bins. Where it says nothing, values are rather alike. */
    private double deviance() {
        double sum = EVEN * exponent;
        for (int bin = 0; bin < expected.length; bin++) {
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
            int blocks = 0;
            double sum = 0;
            for (double start = 1; start < values + 1; blocks++) {
                double full = Math.ceil(start / SINGLE_RANKS);
                widths[blocks] = Math.min(full, values + 1 - start);
                shares[blocks] = Math.pow(start + (full - 1) / 2, -exponent);
                sum += widths[blocks] * shares[blocks];
                start += full;
            }
            for (int block = 0; block < blocks; block++) {
                shares[block] /= sum;
            }
            return new Ranks(Arrays.copyOf(widths, blocks), Arrays.copyOf(shares, blocks));
        }
    }
}
