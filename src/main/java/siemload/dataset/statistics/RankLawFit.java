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

    /**
     * The popularity law of values that are too few, or occurred too evenly, for bins of counts: all that there are occurred,
     * and their ranks are those of their counts. Stateless.
     */
    private static final class FewValues {
        private static final int STEPS = 60;
        private static final double STEEPEST = 10;
        private static final int MANY_SEEN_ONCE = 10;
        private static final double MOST_VALUES = 1e9;

        private FewValues() {}

        static RankLawFit fit(OccurrenceCounts counts) {
            int[] ascending = counts.counts();
            int values = ascending.length;
            if (values > 1 && ascending[values / MANY_SEEN_ONCE] == 1) {
                return manySeenOnce(counts);
            }
            double logarithms = 0;
            double draws = 0;
            for (int i = 0; i < values; i++) {
                draws += ascending[i];
                logarithms += ascending[i] * Math.log(values - i);
            }
            double exponent = values < 2 ? 0 : exponent(values, logarithms / draws);
            double[] moments = moments(values, exponent);
            double deviation = values < 2 ? 0 : 1 / Math.sqrt(draws * (moments[1] - moments[0] * moments[0]));
            Estimate slope = Estimate.normal(exponent, deviation);
            double all = Math.max(1, Math.rint(values / counts.sampled()));
            return new RankLawFit(
                    Estimate.exact(all),
                    new Estimate(
                            RankLawFit.root(slope.value()),
                            RankLawFit.root(slope.high()),
                            RankLawFit.root(slope.low())),
                    List.of(),
                    List.of(),
                    List.of(),
                    1);
        }

        /** Too few to tell a law from: there are at least as many values as if all were alike, and perhaps far more. */
        private static RankLawFit manySeenOnce(OccurrenceCounts counts) {
            double all = Math.rint(counts.distinct() / counts.sampled());
            Estimate alike = Occupancy.places(counts.draws(), Math.min(counts.draws(), all), MOST_VALUES);
            return new RankLawFit(
                    new Estimate(Math.rint(alike.value()), Math.min(all, alike.low()), Double.POSITIVE_INFINITY),
                    new Estimate(RankLawFit.root(0), RankLawFit.root(STEEPEST), RankLawFit.root(0)),
                    List.of(),
                    List.of(),
                    List.of(),
                    1);
        }

        /** Where the mean logarithm of the ranks is that of the counts; it falls as the exponent grows. */
        private static double exponent(int values, double meanLogarithm) {
            return Bisection.find(0, STEEPEST, STEPS, exponent -> moments(values, exponent)[0] > meanLogarithm);
        }

        /** The mean of the logarithm of the rank, and that of its square. */
        private static double[] moments(int values, double exponent) {
            double weights = 0;
            double first = 0;
            double second = 0;
            for (int rank = 1; rank <= values; rank++) {
                double logarithm = Math.log(rank);
                double weight = Math.exp(-exponent * logarithm);
                weights += weight;
                first += weight * logarithm;
                second += weight * logarithm * logarithm;
            }
            return new double[] {first / weights, second / weights};
        }
    }

    /**
     * How many values a {@link RankLaw} leaves in each bin of counts: the mean, and how it varies from one stream to another
     * with as many draws. Immutable, as long as its arrays are not changed.
     */
    private static final class ExpectedBins {
        private final double[] means;
        private final double[][] covariance;

        private ExpectedBins(double[] means, double[][] covariance) {
            this.means = means;
            this.covariance = covariance;
        }

        /** The expected count of each bin. */
        double[] means() {
            return means;
        }

        /** The covariance of the counts of each pair of bins. */
        double[][] covariance() {
            return covariance;
        }

        /**
         * Each value occurs a Poisson number of times, apart from the others but for one thing: all draws together are known.
         *
         * @param edges the least count of each bin
         * @param draws how often any value occurs
         * @param sampled the share of the values that are counted
         */
        static ExpectedBins of(RankLaw law, int[] edges, double draws, double sampled) {
            int bins = edges.length;
            double[] means = new double[bins];
            double[][] covariance = new double[bins][bins];
            double[] withDraws = new double[bins];
            double[] in = new double[bins];
            PoissonTails tails = new PoissonTails(edges);
            for (int block = 0; block < law.blocks(); block++) {
                double mean = law.share(block) * draws;
                tails.compute(mean);
                for (int bin = 0; bin < bins; bin++) {
                    boolean last = bin + 1 == bins;
                    in[bin] = tails.reached(bin) - (last ? 0 : tails.reached(bin + 1));
                    double before = tails.nearlyReached(bin) - (last ? 0 : tails.nearlyReached(bin + 1));
                    withDraws[bin] += law.width(block) * mean * (before - in[bin]) * sampled;
                    means[bin] += law.width(block) * in[bin] * sampled;
                }
                add(covariance, in, law.width(block) * sampled * sampled);
            }
            for (int bin = 0; bin < bins; bin++) {
                for (int other = 0; other <= bin; other++) {
                    double known = withDraws[bin] * withDraws[other] / draws;
                    covariance[bin][other] = (bin == other ? means[bin] : 0) - covariance[bin][other] - known;
                    covariance[other][bin] = covariance[bin][other];
                }
            }
            return new ExpectedBins(means, covariance);
        }

        /** Adds to the half below the diagonal, which is mirrored in the end. */
        private static void add(double[][] products, double[] in, double weight) {
            for (int bin = 0; bin < in.length; bin++) {
                if (in[bin] > 1e-12) {
                    for (int other = 0; other <= bin; other++) {
                        products[bin][other] += weight * in[bin] * in[other];
                    }
                }
            }
        }

        /** How badly counts fit, by which a beginning is chosen: the Poisson deviance of all bins. */
        double deviance(double[] found) {
            double sum = 0;
            for (int bin = 0; bin < means.length; bin++) {
                double mean = Math.max(means[bin], 1e-9);
                sum += 2 * (mean - found[bin] + (found[bin] == 0 ? 0 : found[bin] * Math.log(found[bin] / mean)));
            }
            return sum;
        }

        /**
         * How probable it is that a Poisson number reaches the edges of bins. Small ones are summed up; large ones come from the
         * normal approximation of Wilson and Hilferty ("The Distribution of Chi-Square", 1931), good to 0.001 from 64 on. Not
         * thread-safe.
         */
        private static final class PoissonTails {
            private static final int SUMMED = 64;
            private static final double LARGEST_SUMMED_MEAN = 600;

            private final int[] edges;
            private final double[] reached;
            private final double[] nearlyReached;

            /** @param edges ascending, the first at least 1 */
            PoissonTails(int[] edges) {
                this.edges = edges.clone();
                reached = new double[edges.length];
                nearlyReached = new double[edges.length];
            }

            /** Computes for a mean above 0. */
            void compute(double mean) {
                double term = mean > LARGEST_SUMMED_MEAN ? 0 : Math.exp(-mean);
                double below = 0;
                int number = 0;
                for (int i = 0; i < edges.length; i++) {
                    int edge = edges[i];
                    if (edge <= SUMMED) {
                        for (; number < edge - 1; number++) {
                            below += term;
                            term *= mean / (number + 1);
                        }
                        nearlyReached[i] = Math.max(0, 1 - below);
                        reached[i] = Math.max(0, 1 - below - term);
                    } else {
                        reached[i] = far(edge, mean);
                        nearlyReached[i] = far(edge - 1.0, mean);
                    }
                }
            }

            /** The probability of at least the edge with this index. */
            double reached(int index) {
                return reached[index];
            }

            /** The probability of at least one less than that edge. */
            double nearlyReached(int index) {
                return nearlyReached[index];
            }

            private static double far(double edge, double mean) {
                double distance = (Math.cbrt(mean / edge) - 1 + 1 / (9 * edge)) * 3 * Math.sqrt(edge);
                return distance < -8 ? 0 : distance > 8 ? 1 : Normal.below(distance);
            }

            /** The normal distribution, quickly. Stateless. */
            private static final class Normal {
                private Normal() {}

                /** The probability of less than this many standard deviations, to 10^-7 (Abramowitz and Stegun 26.2.17). */
                static double below(double deviations) {
                    double size = Math.abs(deviations);
                    double t = 1 / (1 + 0.231_641_9 * size);
                    double polynomial = t
                            * (0.319_381_530
                                    + t
                                            * (-0.356_563_782
                                                    + t * (1.781_477_937 + t * (-1.821_255_978 + t * 1.330_274_429))));
                    double above = Math.exp(-size * size / 2) / Math.sqrt(2 * Math.PI) * polynomial;
                    return deviations > 0 ? 1 - above : above;
                }
            }
        }
    }
}
