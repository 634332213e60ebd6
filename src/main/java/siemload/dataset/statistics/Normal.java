package siemload.dataset.statistics;

/** The normal distribution, quickly. Stateless. */
final class Normal {
    private Normal() {}

    /** The probability of less than this many standard deviations, to 10^-7 (Abramowitz and Stegun 26.2.17). */
    static double below(double deviations) {
        double size = Math.abs(deviations);
        double t = 1 / (1 + 0.231_641_9 * size);
        double polynomial = t
                * (0.319_381_530
                        + t * (-0.356_563_782 + t * (1.781_477_937 + t * (-1.821_255_978 + t * 1.330_274_429))));
        double above = Math.exp(-size * size / 2) / Math.sqrt(2 * Math.PI) * polynomial;
        return deviations > 0 ? 1 - above : above;
    }
}
