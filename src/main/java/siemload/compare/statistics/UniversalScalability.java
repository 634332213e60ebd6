package siemload.compare.statistics;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.hipparchus.linear.Array2DRowRealMatrix;
import org.hipparchus.linear.ArrayRealVector;
import org.hipparchus.linear.QRDecomposition;
import org.hipparchus.linear.RealMatrix;
import org.hipparchus.linear.RealVector;

/**
 * Gunther's Universal Scalability Law fitted to throughputs: X(N) = lambda N / (1 + sigma (N - 1) + kappa N (N - 1)),
 * Guerrilla Capacity Planning (2007), chapter 4. Immutable.
 *
 * <p>N / X(N) is linear in 1/lambda, sigma/lambda and kappa/lambda, none of which may be negative, so the fit is the least
 * sum of squared relative errors of N / X over those of the four sets of terms whose solution has no negative one: exact,
 * without starting values.
 *
 * @param fitted false where it was not, and all figures are 0
 * @param lambda throughput of one, above 0, in the unit of the throughputs
 * @param sigma contention: the share that has to wait for the others, at least 0
 * @param kappa coherence: the price of each pair that has to agree, at least 0
 * @param knee the N with the highest throughput, sqrt((1 - sigma) / kappa), at least 1; 0 where throughput does not fall within what
 *     was measured: a fit says nothing about more than that
 * @param relativeError root mean square of the relative errors of N / X
 * @param why it was not fitted, for people; empty if it was
 */
public record UniversalScalability(
        boolean fitted, double lambda, double sigma, double kappa, double knee, double relativeError, String why) {

    /** A coherence term that takes less than this share of the throughput, of as many as were measured, is rounding. */
    private static final double ROUNDING = 1e-6;

    /** Three parameters and one value to see whether they fit. */
    private static final int LEAST_POINTS = 4;

    /** Above this relative error the law is no description of what was measured. */
    private static final double WORST_FIT = 0.25;

    /**
     * The law fitted to throughputs, if it can be.
     *
     * @param subject whose throughput it is, for people
     * @param concurrency users, servers and the like
     * @param throughput one for each of them
     */
    public static UniversalScalability of(String subject, double[] concurrency, double[] throughput) {
        try {
            UniversalScalability law = fit(concurrency, throughput);
            return law.relativeError() <= WORST_FIT
                    ? law
                    : none("the Universal Scalability Law misses the throughput of " + subject + " by "
                            + Math.round(100 * law.relativeError()) + " %");
        } catch (IllegalArgumentException tooFew) {
            return none(String.valueOf(tooFew.getMessage()));
        }
    }

    /** No fit. */
    public static UniversalScalability none(String why) {
        return new UniversalScalability(false, 0, 0, 0, 0, 0, why);
    }

    /**
     * Fits throughputs.
     *
     * @param concurrency users, servers and the like: at least 1, at least {@value #LEAST_POINTS} different ones, in any order
     * @param throughput something per time, above 0, one for each concurrency
     * @throws IllegalArgumentException for too few points, or values out of range
     */
    static UniversalScalability fit(double[] concurrency, double[] throughput) {
        check(concurrency, throughput);
        int points = concurrency.length;
        RealMatrix terms = new Array2DRowRealMatrix(points, 3);
        for (int i = 0; i < points; i++) {
            double n = concurrency[i];
            double weight = throughput[i] / n;
            terms.setRow(i, new double[] {weight, weight * (n - 1), weight * n * (n - 1)});
        }
        double[] best = {};
        double leastSquares = Double.POSITIVE_INFINITY;
        for (int[] columns : new int[][] {{0, 1, 2}, {0, 1}, {0, 2}, {0}}) {
            double[] solution = solution(terms, columns);
            double squares = squares(terms, solution);
            if (Arrays.stream(solution).allMatch(term -> term >= 0) && solution[0] > 0 && squares < leastSquares) {
                best = solution;
                leastSquares = squares;
            }
        }
        double most = Arrays.stream(concurrency).max().orElseThrow();
        if (best[2] * most * (most - 1) < ROUNDING * best[0]) {
            best[2] = 0;
        }
        double sigma = best[1] / best[0];
        double kappa = best[2] / best[0];
        double knee = kappa == 0 ? 0 : Math.sqrt(Math.max(1, (1 - sigma) / kappa));
        return new UniversalScalability(
                true, 1 / best[0], sigma, kappa, knee <= most ? knee : 0, Math.sqrt(leastSquares / points), "");
    }

    private static void check(double[] concurrency, double[] throughput) {
        if (concurrency.length != throughput.length) {
            throw new IllegalArgumentException(
                    concurrency.length + " concurrencies, but " + throughput.length + " throughputs");
        }
        if (!Arrays.stream(concurrency).allMatch(n -> n >= 1 && Double.isFinite(n))
                || !Arrays.stream(throughput).allMatch(x -> x > 0 && Double.isFinite(x))) {
            throw new IllegalArgumentException("concurrency must be at least 1 and throughput above 0, was "
                    + Arrays.toString(concurrency) + " and " + Arrays.toString(throughput));
        }
        long different = Arrays.stream(concurrency).distinct().count();
        if (different < LEAST_POINTS) {
            throw new IllegalArgumentException("the Universal Scalability Law needs " + LEAST_POINTS
                    + " different concurrencies, was " + different);
        }
    }

    private static double[] solution(RealMatrix terms, int[] columns) {
        int[] rows = IntStream.range(0, terms.getRowDimension()).toArray();
        RealVector ones = new ArrayRealVector(rows.length, 1.0);
        RealVector found = new QRDecomposition(terms.getSubMatrix(rows, columns))
                .getSolver()
                .solve(ones);
        double[] solution = new double[3];
        for (int i = 0; i < columns.length; i++) {
            solution[columns[i]] = found.getEntry(i);
        }
        return solution;
    }

    private static double squares(RealMatrix terms, double[] solution) {
        return Arrays.stream(terms.operate(solution))
                .map(one -> (one - 1) * (one - 1))
                .sum();
    }
}
