package siemload.dataset.statistics;

import java.util.List;

/**
 * The popularity law of values that are too few, or occurred too evenly, for bins of counts: all that there are occurred,
 * and their ranks are those of their counts. Stateless.
 */
final class FewValues {
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
                        RankLawFit.root(slope.value()), RankLawFit.root(slope.high()), RankLawFit.root(slope.low())),
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
