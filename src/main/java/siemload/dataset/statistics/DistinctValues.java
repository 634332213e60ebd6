package siemload.dataset.statistics;

/** How many values there are, when it is known from elsewhere how evenly they occur. Stateless. */
public final class DistinctValues {
    private static final int STEPS = 60;

    private DistinctValues() {}

    /**
     * Estimates how many values there are from how many have occurred.
     *
     * @param rankRoot of their popularity; its interval widens that of the result
     * @param most how many there are at most
     */
    public static Estimate of(OccurrenceCounts counts, Estimate rankRoot, double most) {
        double value = values(counts, 1 / rankRoot.value(), 0, most);
        double steep = 1 / rankRoot.low();
        double even = 1 / rankRoot.high();
        return new Estimate(
                Math.rint(value),
                Math.floor(Math.min(
                        values(counts, steep, -Estimate.REACH, most), values(counts, even, -Estimate.REACH, most))),
                Math.ceil(Math.max(
                        values(counts, steep, Estimate.REACH, most), values(counts, even, Estimate.REACH, most))));
    }

    /** For which number so many values occur, or some standard deviations more or fewer. */
    private static double values(OccurrenceCounts counts, double exponent, double deviations, double most) {
        double least = Math.max(1, counts.distinct() / counts.sampled());
        return Bisection.find(
                least,
                Math.max(least, most),
                STEPS,
                all -> occurring(counts, new RankLaw(all, exponent), deviations) < counts.distinct());
    }

    private static double occurring(OccurrenceCounts counts, RankLaw law, double deviations) {
        double mean = 0;
        double variance = 0;
        for (int block = 0; block < law.blocks(); block++) {
            double occurs = -Math.expm1(-law.share(block) * counts.draws());
            mean += law.width(block) * occurs * counts.sampled();
            variance += law.width(block) * occurs * counts.sampled() * (1 - occurs * counts.sampled());
        }
        return mean - deviations * Math.sqrt(variance);
    }
}
