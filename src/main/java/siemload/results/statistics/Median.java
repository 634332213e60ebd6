package siemload.results.statistics;

import java.util.Arrays;
import java.util.Collection;

/** The median: the middle value, or the mean of the two values in the middle. Stateless and thread-safe. */
public final class Median {
    private Median() {}

    /** Returns the median of values in any order. @throws IllegalArgumentException if there are no values */
    public static double of(double... values) {
        if (values.length == 0) {
            throw new IllegalArgumentException("a median needs a value");
        }
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    /** Returns the median of values in any order. @throws IllegalArgumentException if there are no values */
    public static double of(Collection<Double> values) {
        return of(values.stream().mapToDouble(Double::doubleValue).toArray());
    }
}
