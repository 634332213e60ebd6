package siemload.dataset.statistics;

/**
 * How probable it is that a Poisson number reaches the edges of bins. Small ones are summed up; large ones come from the
 * normal approximation of Wilson and Hilferty ("The Distribution of Chi-Square", 1931), good to 0.001 from 64 on. Not
 * thread-safe.
 */
final class PoissonTails {
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
}
