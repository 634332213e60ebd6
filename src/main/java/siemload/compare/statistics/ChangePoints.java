package siemload.compare.statistics;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import org.hipparchus.random.RandomGenerator;
import org.hipparchus.random.Well1024a;
import siemload.results.statistics.Median;

/**
 * Finds where the distribution of a short series changes: E-divisive, Matteson and James, A Nonparametric Approach for
 * Multiple Change Point Analysis of Multivariate Data, JASA 109 (2014). Segments are split one at a time where the energy
 * distance of the two sides is greatest, as long as a permutation test within the segments says that this is no chance.
 * Immutable and thread-safe; the same series and seed give the same change points.
 *
 * @param leastSegment fewest values between two change points, at least 2; 3 by default
 * @param permutations at least 19, or no p-value is below 0.05; 199 by default
 */
public record ChangePoints(int leastSegment, int permutations, long seed) {

    /** Shorter series are refused. */
    public static final int LEAST_VALUES = 10;

    /** The largest p-value of a change point. */
    private static final double SIGNIFICANCE = 0.05;

    /** Looks for them with the defaults of all parameters. */
    public ChangePoints(long seed) {
        this(3, 199, seed);
    }

    /**
     * The change points in the order of the series. The effort grows with the square of its length: 500 values take about
     * a second for each change point.
     *
     * @throws IllegalArgumentException for fewer than {@value #LEAST_VALUES} values, or one that is not finite
     */
    public List<ChangePoint> in(double[] series) {
        if (series.length < LEAST_VALUES) {
            throw new IllegalArgumentException(
                    "change points need at least " + LEAST_VALUES + " values, was " + series.length);
        }
        if (!Arrays.stream(series).allMatch(Double::isFinite)) {
            throw new IllegalArgumentException("not a number in " + Arrays.toString(series));
        }
        TreeMap<Integer, Double> splits = new TreeMap<>();
        RandomGenerator random = new Well1024a(seed);
        while (true) {
            Split split = best(series, borders(splits, series.length));
            if (split.distance() <= 0) {
                break;
            }
            double pValue = pValue(series, borders(splits, series.length), split.distance(), random);
            if (pValue > SIGNIFICANCE) {
                break;
            }
            splits.put(split.index(), pValue);
        }
        return described(series, splits);
    }

    private static List<Integer> borders(TreeMap<Integer, Double> splits, int length) {
        List<Integer> borders = new ArrayList<>(splits.keySet());
        borders.add(0, 0);
        borders.add(length);
        return borders;
    }

    private double pValue(double[] series, List<Integer> borders, double seen, RandomGenerator random) {
        int asFar = 1;
        double[] shuffled = series.clone();
        for (int i = 0; i < permutations; i++) {
            for (int segment = 1; segment < borders.size(); segment++) {
                shuffle(shuffled, borders.get(segment - 1), borders.get(segment), random);
            }
            asFar += best(shuffled, borders).distance() >= seen ? 1 : 0;
        }
        return asFar / (permutations + 1.0);
    }

    private static void shuffle(double[] values, int from, int to, RandomGenerator random) {
        for (int i = to - 1; i > from; i--) {
            int other = from + random.nextInt(i - from + 1);
            double value = values[i];
            values[i] = values[other];
            values[other] = value;
        }
    }

    private Split best(double[] series, List<Integer> borders) {
        Split best = new Split(-1, 0);
        for (int segment = 1; segment < borders.size(); segment++) {
            int from = borders.get(segment - 1);
            double[] values = Arrays.copyOfRange(series, from, borders.get(segment));
            Split split = EnergyDistance.furthest(values, leastSegment);
            if (split.distance() > best.distance()) {
                best = new Split(from + split.index(), split.distance());
            }
        }
        return best;
    }

    private static List<ChangePoint> described(double[] series, TreeMap<Integer, Double> splits) {
        List<Integer> borders = borders(splits, series.length);
        List<ChangePoint> points = new ArrayList<>();
        splits.forEach((index, pValue) -> {
            int place = borders.indexOf(index);
            double before = Median.of(Arrays.copyOfRange(series, borders.get(place - 1), index));
            double after = Median.of(Arrays.copyOfRange(series, index, borders.get(place + 1)));
            points.add(new ChangePoint(index, pValue, before, after));
        });
        return List.copyOf(points);
    }

    /** Where to split, counted from 0, and how far apart the two sides are; -1 and 0 for nowhere. */
    record Split(int index, double distance) {}

    /**
     * The scaled energy distance of two neighbouring pieces of a series, formulas 5 to 7 of Matteson and James (2014): mn / (m +
     * n) times twice the mean distance between the pieces, less the mean distances within each. Stateless and thread-safe.
     */
    static final class EnergyDistance {
        private EnergyDistance() {}

        /** The split with the greatest distance between what is left of it and a piece right of it that may end anywhere. */
        static Split furthest(double[] values, int leastPiece) {
            double[][] toEarlier = toEarlier(values);
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
                    double distance = 2 * between / ((double) split * right)
                            - withinLeft / pairs(split)
                            - withinRight / pairs(right);
                    furthest = Math.max(furthest, distance * split * right / (split + right));
                }
            }
            return furthest;
        }

        private static double pairs(int values) {
            return values * (values - 1) / 2.0;
        }

        /** Row i, column k: the sum of the distances of value i to the first k values, for k up to i. */
        private static double[][] toEarlier(double[] values) {
            double[][] sums = new double[values.length][];
            for (int i = 0; i < values.length; i++) {
                sums[i] = new double[i + 1];
                for (int k = 0; k < i; k++) {
                    sums[i][k + 1] = sums[i][k] + Math.abs(values[i] - values[k]);
                }
            }
            return sums;
        }
    }

    /**
     * A place in a series from which on its values are other ones. Immutable.
     *
     * @param index the first value of the new level, counted from 0
     * @param pValue of the permutation test that found it
     * @param before median from the change point before, or from the beginning
     * @param after median up to the next change point, or to the end
     */
    public record ChangePoint(int index, double pValue, double before, double after) {}
}
