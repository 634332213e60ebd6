package siemload.compare.statistics;

import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * Holm's step-down adjustment of p-values of several questions asked at once: Holm, A Simple Sequentially Rejective
 * Multiple Test Procedure, Scandinavian Journal of Statistics 6 (1979). Stateless and thread-safe.
 */
public final class Holm {
    private Holm() {}

    /**
     * Adjusted p-values in the order of the given ones. Rejecting all below 0.05 rejects any true hypothesis in at most 5 %
     * of cases.
     *
     * @throws IllegalArgumentException for a value outside of 0 to 1
     */
    public static double[] adjust(double... pValues) {
        for (double p : pValues) {
            if (!(p >= 0 && p <= 1)) {
                throw new IllegalArgumentException("a p-value is 0 to 1, was " + p);
            }
        }
        int[] ascending = IntStream.range(0, pValues.length)
                .boxed()
                .sorted(Comparator.comparingDouble(i -> pValues[i]))
                .mapToInt(Integer::intValue)
                .toArray();
        double[] adjusted = new double[pValues.length];
        double largest = 0;
        for (int rank = 0; rank < ascending.length; rank++) {
            largest = Math.max(largest, Math.min(1, (ascending.length - rank) * pValues[ascending[rank]]));
            adjusted[ascending[rank]] = largest;
        }
        return adjusted;
    }
}
