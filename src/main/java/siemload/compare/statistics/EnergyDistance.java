package siemload.compare.statistics;

import siemload.compare.statistics.ChangePoints.Split;

/**
 * The scaled energy distance of two neighbouring pieces of a series, formulas 5 to 7 of Matteson and James (2014): mn / (m +
 * n) times twice the mean distance between the pieces, less the mean distances within each. Stateless and thread-safe.
 */
final class EnergyDistance {
    private EnergyDistance() {}

    /** The split with the greatest distance between what is left of it and a piece right of it that may end anywhere. */
    static Split furthest(double[] values, int leastPiece, double exponent) {
        double[][] toEarlier = toEarlier(values, exponent);
        Split best = new Split(-1, 0);
        double withinLeft = 0;
        for (int split = 1; split <= values.length - leastPiece; split++) {
            withinLeft += toEarlier[split - 1][split - 1];
            if (split >= leastPiece) {
                double distance = furthestEnd(toEarlier, split, withinLeft, leastPiece);
                best = distance > best.distance() ? new Split(split, distance) : best;
            }
        }
        return best;
    }

    private static double furthestEnd(double[][] toEarlier, int split, double withinLeft, int leastPiece) {
        double furthest = 0;
        double between = 0;
        double withinRight = 0;
        for (int last = split; last < toEarlier.length; last++) {
            between += toEarlier[last][split];
            withinRight += toEarlier[last][last] - toEarlier[last][split];
            int right = last + 1 - split;
            if (right >= leastPiece) {
                double distance =
                        2 * between / ((double) split * right) - withinLeft / pairs(split) - withinRight / pairs(right);
                furthest = Math.max(furthest, distance * split * right / (split + right));
            }
        }
        return furthest;
    }

    private static double pairs(int values) {
        return values * (values - 1) / 2.0;
    }

    /** Row i, column k: the sum of the distances of value i to the first k values, for k up to i. */
    private static double[][] toEarlier(double[] values, double exponent) {
        double[][] sums = new double[values.length][];
        for (int i = 0; i < values.length; i++) {
            sums[i] = new double[i + 1];
            for (int k = 0; k < i; k++) {
                double distance = Math.abs(values[i] - values[k]);
                sums[i][k + 1] = sums[i][k] + (exponent == 1 ? distance : Math.pow(distance, exponent));
            }
        }
        return sums;
    }
}
