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
        double low = Math.max(1, counts.distinct() / counts.sampled());
        double high = Math.max(low, most);
        for (int i = 0; i < STEPS; i++) {
            double middle = (low + high) / 2;
            RankLaw law = new RankLaw(middle, exponent);
            double mean = 0;
            double variance = 0;
            for (int block = 0; block < law.blocks(); block++) {
                double occurs = -Math.expm1(-law.share(block) * counts.draws());
                mean += law.width(block) * occurs * counts.sampled();
                variance += law.width(block) * occurs * counts.sampled() * (1 - occurs * counts.sampled());
            }
            if (mean - deviations * Math.sqrt(variance) < counts.distinct()) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return (low + high) / 2;
    }
}
