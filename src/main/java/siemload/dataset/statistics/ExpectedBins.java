package siemload.dataset.statistics;

/**
 * How many values a {@link RankLaw} leaves in each bin of counts: the mean, and how it varies from one stream to another
 * with as many draws. Immutable, as long as its arrays are not changed.
 */
final class ExpectedBins {
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
}
