package siemload.dataset.statistics;

/**
 * The law that values of rank 1 to n occur with shares in proportion to {@code rank ^ -exponent}. Ranks far down stand in
 * blocks of a hundredth of their rank, whose values count as alike: some 1,000 blocks for a million values. Immutable and
 * thread-safe.
 */
final class RankLaw {
    private static final int SINGLE_RANKS = 256;
    private static final double BLOCK = 0.01;

    /** How many values the blocks have, and the share of each of them. */
    private final double[] widths;

    private final double[] shares;

    /** @param values how many there are, at least 1; need not be whole, so that the law changes smoothly with it */
    RankLaw(double values, double exponent) {
        double[] foundWidths = new double[SINGLE_RANKS + (int) (Math.log(values + 1) / Math.log1p(BLOCK)) + 2];
        double[] weights = new double[foundWidths.length];
        int blocks = 0;
        double sum = 0;
        double start = 1;
        while (start < values + 1 && blocks < weights.length) {
            double full = start <= SINGLE_RANKS ? 1 : Math.ceil(start * BLOCK);
            double width = Math.min(full, values + 1 - start);
            foundWidths[blocks] = width;
            weights[blocks] = full == 1 ? Math.pow(start, -exponent) : mean(start - 0.5, width, exponent);
            sum += width * weights[blocks];
            start += full;
            blocks++;
        }
        widths = new double[blocks];
        shares = new double[blocks];
        for (int i = 0; i < blocks; i++) {
            widths[i] = foundWidths[i];
            shares[i] = weights[i] / sum;
        }
    }

    private static double mean(double from, double width, double exponent) {
        double rest = 1 - exponent;
        double area = Math.abs(rest) < 1e-9
                ? Math.log((from + width) / from)
                : (Math.pow(from + width, rest) - Math.pow(from, rest)) / rest;
        return area / width;
    }

    int blocks() {
        return widths.length;
    }

    double width(int block) {
        return widths[block];
    }

    double share(int block) {
        return shares[block];
    }
}
