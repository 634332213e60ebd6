package siemload.dataset.statistics;

import java.util.Arrays;
import java.util.List;
import org.hipparchus.linear.CholeskyDecomposition;
import org.hipparchus.linear.DecompositionSolver;
import org.hipparchus.linear.LUDecomposition;
import org.hipparchus.linear.MatrixUtils;
import org.hipparchus.linear.RealMatrix;
import org.hipparchus.linear.RealVector;

/**
 * The popularity law {@code rank ^ (-1 / rankRoot)} that counts of values came from, although it is not known which value has
 * which rank: from how many values occurred once, twice, and so on. Generalised least squares with the covariance that
 * the law itself gives, which is maximum likelihood where bins have many values. Immutable.
 *
 * @param values how many values there are, those that did not occur among them
 * @param rankRoot how evenly they occur
 * @param edges the least count of each bin of the comparison
 * @param found how many values have such counts
 * @param expected how many the law makes have such counts
 * @param misfit the probability of a fit as bad or worse, had the counts come from such a law; 1 where there is too little
 *     to say
 */
public record RankLawFit(
        Estimate values,
        Estimate rankRoot,
        List<Integer> edges,
        List<Double> found,
        List<Double> expected,
        double misfit) {
    /** What profiles take. */
    private static final double LARGEST_ROOT = 1_000;

    private static final double SMALLEST_ROOT = 0.1;
    private static final double[] EXPONENTS = {0.02, 0.1, 0.2, 0.3, 0.45, 0.6, 0.8, 1, 1.3, 1.8, 2.5, 4};
    private static final double[] TIMES = {1.001, 1.03, 1.1, 1.25, 1.6, 2.2, 4, 10, 40};
    private static final int FEWEST_BINS = 4;
    private static final int STEPS = 30;
    private static final double STEP = 1e-3;

    public RankLawFit {
        edges = List.copyOf(edges);
        found = List.copyOf(found);
        expected = List.copyOf(expected);
    }

    /** The law of these counts. */
    public static RankLawFit of(OccurrenceCounts counts) {
        int[] edges = counts.edges();
        if (edges.length < FEWEST_BINS) {
            return FewValues.fit(counts);
        }
        double[] found = counts.valuesIn(edges);
        double[] place = beginning(counts, edges, found);
        Step step = Step.at(place, counts, edges, found);
        for (int i = 0; i < STEPS; i++) {
            double[] next = step.next(Math.log(counts.distinct() / counts.sampled()));
            boolean stays = Math.abs(next[0] - place[0]) + Math.abs(next[1] - place[1]) < 1e-7;
            place = next;
            step = Step.at(place, counts, edges, found);
            if (stays) {
                break;
            }
        }
        return result(counts, edges, found, place, step);
    }

    private static RankLawFit result(OccurrenceCounts counts, int[] edges, double[] found, double[] place, Step step) {
        double seen = counts.sampled() == 1 ? counts.distinct() : 1;
        Estimate logarithm = Estimate.normal(place[0], Math.sqrt(step.variance.getEntry(0, 0)));
        Estimate exponent = Estimate.normal(place[1], Math.sqrt(step.variance.getEntry(1, 1)));
        return new RankLawFit(
                new Estimate(
                                Math.rint(Math.exp(logarithm.value())),
                                Math.floor(Math.exp(logarithm.low())),
                                Math.ceil(Math.exp(logarithm.high())))
                        .within(seen, Double.MAX_VALUE),
                new Estimate(root(exponent.value()), root(exponent.high()), root(exponent.low())),
                Arrays.stream(edges).boxed().toList(),
                Arrays.stream(found).boxed().toList(),
                Arrays.stream(step.expected.means()).boxed().toList(),
                ChiSquared.above(step.misfit, edges.length - 2));
    }

    static double root(double exponent) {
        return exponent <= 1 / LARGEST_ROOT ? LARGEST_ROOT : Math.max(SMALLEST_ROOT, 1 / exponent);
    }

    /** The best place of a grid: the logarithm of the number of values, and the exponent. */
    private static double[] beginning(OccurrenceCounts counts, int[] edges, double[] found) {
        double[] best = {};
        double least = Double.POSITIVE_INFINITY;
        for (double exponent : EXPONENTS) {
            for (double times : TIMES) {
                double values = Math.max(1, counts.distinct() / counts.sampled() * times);
                double deviance = ExpectedBins.of(
                                new RankLaw(values, exponent), edges, counts.draws(), counts.sampled())
                        .deviance(found);
                if (deviance < least) {
                    least = deviance;
                    best = new double[] {Math.log(values), exponent};
                }
            }
        }
        return best;
    }

    /** One step of Fisher's scoring: what is expected at a place, how far off it is, and where to go on. */
    private static final class Step {
        private final double[] place;
        private final ExpectedBins expected;
        private final double misfit;
        private final RealMatrix variance;
        private final RealVector move;

        private Step(double[] place, ExpectedBins expected, double misfit, RealMatrix variance, RealVector move) {
            this.place = place;
            this.expected = expected;
            this.misfit = misfit;
            this.variance = variance;
            this.move = move;
        }

        static Step at(double[] place, OccurrenceCounts counts, int[] edges, double[] found) {
            ExpectedBins expected = expected(place[0], place[1], counts, edges);
            DecompositionSolver solver = solver(expected.covariance());
            RealMatrix slopes = MatrixUtils.createRealMatrix(edges.length, 2);
            slopes.setColumnVector(0, slope(place, STEP, 0, counts, edges));
            slopes.setColumnVector(1, slope(place, 0, STEP, counts, edges));
            RealVector off =
                    MatrixUtils.createRealVector(found).subtract(MatrixUtils.createRealVector(expected.means()));
            RealVector weighed = solver.solve(off);
            RealMatrix information = slopes.transposeMultiply(solver.solve(slopes));
            RealMatrix variance =
                    new LUDecomposition(information, 1e-300).getSolver().getInverse();
            return new Step(
                    place,
                    expected,
                    off.dotProduct(weighed),
                    variance,
                    variance.operate(slopes.transpose().operate(weighed)));
        }

        double[] next(double leastLogarithm) {
            return new double[] {
                Math.max(leastLogarithm, place[0] + limited(move.getEntry(0), 1)),
                Math.max(1e-4, place[1] + limited(move.getEntry(1), 0.2))
            };
        }

        private static double limited(double number, double most) {
            return Math.max(-most, Math.min(most, number));
        }

        private static RealVector slope(
                double[] place, double logarithm, double exponent, OccurrenceCounts counts, int[] edges) {
            double[] above = expected(place[0] + logarithm, place[1] + exponent, counts, edges)
                    .means();
            double[] below = expected(place[0] - logarithm, place[1] - exponent, counts, edges)
                    .means();
            return MatrixUtils.createRealVector(above)
                    .subtract(MatrixUtils.createRealVector(below))
                    .mapDivide(2 * STEP);
        }

        private static ExpectedBins expected(double logarithm, double exponent, OccurrenceCounts counts, int[] edges) {
            double values = Math.max(1, Math.exp(logarithm));
            return ExpectedBins.of(new RankLaw(values, exponent), edges, counts.draws(), counts.sampled());
        }

        /** Where every value has been seen, the bins together are known, and a little is added for the inverse. */
        private static DecompositionSolver solver(double[][] covariance) {
            RealMatrix matrix = MatrixUtils.createRealMatrix(covariance);
            for (int i = 0; i < covariance.length; i++) {
                matrix.addToEntry(i, i, 1e-6 * covariance[i][i] + 1e-6);
            }
            return new CholeskyDecomposition(matrix, 1e-6, 0).getSolver();
        }
    }
}
