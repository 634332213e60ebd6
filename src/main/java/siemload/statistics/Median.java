package siemload.statistics;

import java.util.Arrays;

/** The middle value, or the mean of the two in the middle. Stateless and thread-safe. */
final class Median {
    private Median() {}

    static double of(double... values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return ofSorted(sorted);
    }

    static double ofSorted(double[] sorted) {
        if (sorted.length == 0) {
            throw new IllegalArgumentException("no values, no median");
        }
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
