package siemload.dataset.statistics;

/**
 * How far two lots of counts over the same cells are apart. Immutable.
 *
 * @param distance total variation (half the sum of all differences of shares) or Kolmogorov-Smirnov (the largest
 *     difference of cumulated shares); 0 for equal shares, 1 for those without anything in common
 * @param byChance the probability of such a difference or a larger one, had both come from one law
 */
public record CountComparison(double distance, double byChance) {
    private static final double FEWEST = 10;

    /** Of cells without an order, by Pearson's test of homogeneity; thin cells count as one. */
    public static CountComparison ofShares(double[] first, double[] second) {
        return of(first, second, CountComparison::ofShares);
    }

    /** Of cells in order, by the test of Kolmogorov and Smirnov, which is cautious where many values share a cell. */
    public static CountComparison ofOrder(double[] first, double[] second) {
        return of(first, second, CountComparison::ofOrder);
    }

    /** How counts of which there are some are compared, once it is known how many there are. */
    private interface Test {
        CountComparison of(double[] first, double firstSum, double[] second, double secondSum);
    }

    private static CountComparison of(double[] first, double[] second, Test test) {
        double firstSum = sum(first);
        double secondSum = sum(second);
        if (firstSum == 0 || secondSum == 0) {
            return new CountComparison(firstSum == secondSum ? 0 : 1, firstSum == secondSum ? 1 : 0);
        }
        return test.of(first, firstSum, second, secondSum);
    }

    private static CountComparison ofShares(double[] first, double firstSum, double[] second, double secondSum) {
        double distance = 0;
        double chiSquared = 0;
        int cells = -1;
        double thinFirst = 0;
        double thinSecond = 0;
        for (int i = 0; i < first.length; i++) {
            distance += Math.abs(first[i] / firstSum - second[i] / secondSum) / 2;
            boolean thin = first[i] + second[i] < FEWEST;
            thinFirst += thin ? first[i] : 0;
            thinSecond += thin ? second[i] : 0;
            chiSquared += thin ? 0 : difference(first[i], second[i], firstSum, secondSum);
            cells += thin ? 0 : 1;
        }
        if (thinFirst + thinSecond > 0) {
            chiSquared += difference(thinFirst, thinSecond, firstSum, secondSum);
            cells++;
        }
        return new CountComparison(distance, ChiSquared.above(chiSquared, cells));
    }

    private static CountComparison ofOrder(double[] first, double firstSum, double[] second, double secondSum) {
        double distance = 0;
        double difference = 0;
        for (int i = 0; i < first.length; i++) {
            difference += first[i] / firstSum - second[i] / secondSum;
            distance = Math.max(distance, Math.abs(difference));
        }
        double size = firstSum * secondSum / (firstSum + secondSum);
        return new CountComparison(distance, kolmogorov(distance * Math.sqrt(size)));
    }

    private static double difference(double first, double second, double firstSum, double secondSum) {
        double scaled = first * Math.sqrt(secondSum / firstSum) - second * Math.sqrt(firstSum / secondSum);
        return scaled * scaled / (first + second);
    }

    /** Kolmogorov's distribution: the alternating series, which needs few terms from 0.3 on, below which it is 1. */
    private static double kolmogorov(double size) {
        if (size < 0.3) {
            return 1;
        }
        double sum = 0;
        for (int term = 1; term <= 100; term++) {
            sum += (term % 2 == 1 ? 2 : -2) * Math.exp(-2.0 * term * term * size * size);
        }
        return Math.max(0, Math.min(1, sum));
    }

    private static double sum(double[] counts) {
        double sum = 0;
        for (double count : counts) {
            sum += count;
        }
        return sum;
    }
}
