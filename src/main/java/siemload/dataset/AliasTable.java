package siemload.dataset;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Draws an index with a probability in proportion to its weight in constant time, after Walker and Vose ("A Linear
 * Algorithm for Generating Random Numbers with a Given Distribution", 1991). Whole-number arithmetic only, so that
 * every machine draws the same; probabilities are exact to {@code 2^-32 / size}. Immutable and thread-safe.
 */
final class AliasTable {
    private static final int WEIGHT_BITS = 40;

    private static final long LOW_HALF = 0xFFFF_FFFFL;

    /**
     * Below its cut a column stands for itself, from there on for its alias. The cut is the upper half, in 2^-32 of the column,
     * and the alias the lower one: a draw looks at one place of a table that is larger than the processor's first caches.
     */
    private final long[] columns;

    private AliasTable(long[] weights) {
        columns = new long[weights.length];
        long column = 0;
        for (long weight : weights) {
            column += weight;
        }
        pairUp(weights, column);
    }

    /** A table for weights of 0 or more, at least one above 0. */
    static AliasTable of(double... weights) {
        double largest = 0;
        for (double weight : weights) {
            largest = Math.max(largest, weight);
        }
        long[] scaled = new long[weights.length];
        for (int i = 0; i < weights.length; i++) {
            scaled[i] = (long) Math.rint(weights[i] / largest * (1L << WEIGHT_BITS));
        }
        return new AliasTable(scaled);
    }

    /** A table for the weights of some things; draws their indexes. */
    static <T> AliasTable of(List<T> things, ToDoubleFunction<T> weight) {
        return of(things.stream().mapToDouble(weight).toArray());
    }

    /** A table for ranks 1 to {@code size} with weights of {@code rank ^ (-1 / root)}; draws the rank less 1. */
    static AliasTable ofRanks(int size, double root) {
        double[] weights = new double[size];
        for (int i = 0; i < size; i++) {
            weights[i] = StrictMath.pow(i + 1, -1 / root);
        }
        return of(weights);
    }

    /** An index; uses one number of the generator. */
    int draw(SeededRandom random) {
        long bits = random.nextLong();
        int index = (int) (((bits >>> 32) * columns.length) >>> 32);
        long column = columns[index];
        return (bits & LOW_HALF) < column >>> 32 ? index : (int) column;
    }

    /** Fills each column, as high as the mean, with what is left of one light weight and a piece of a heavy one. */
    private void pairUp(long[] weights, long column) {
        int size = weights.length;
        long[] left = new long[size];
        int[] light = new int[size];
        int[] heavy = new int[size];
        int lights = 0;
        int heavies = 0;
        for (int i = 0; i < size; i++) {
            left[i] = weights[i] * size;
            if (left[i] < column) {
                light[lights++] = i;
            } else {
                heavy[heavies++] = i;
            }
        }
        while (lights > 0 && heavies > 0) {
            int small = light[--lights];
            int large = heavy[heavies - 1];
            columns[small] = fraction(left[small], column) << 32 | large;
            left[large] -= column - left[small];
            if (left[large] < column) {
                heavies--;
                light[lights++] = large;
            }
        }
        while (heavies > 0) { // They have their columns for themselves: both sides of the cut.
            int alone = heavy[--heavies];
            columns[alone] = alone;
        }
    }

    /** {@code part / whole} in 2^-32, rounded down, by long division; {@code whole} is below 2^62. */
    private static long fraction(long part, long whole) {
        long rest = part;
        long quotient = 0;
        for (int bit = 0; bit < 32; bit++) {
            rest <<= 1;
            quotient <<= 1;
            if (rest >= whole) {
                rest -= whole;
                quotient |= 1;
            }
        }
        return quotient;
    }
}
