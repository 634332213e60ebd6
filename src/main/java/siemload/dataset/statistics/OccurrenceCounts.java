package siemload.dataset.statistics;

import java.util.Arrays;

/**
 * How often values occurred: how many occurred once, twice, and so on, in bins that grow by a fifth. Immutable and
 * thread-safe.
 */
public final class OccurrenceCounts {
    private static final int EXACT = 6;
    private static final double GROWTH = 1.2;
    private static final int FEWEST_IN_A_BIN = 20;

    private final double draws;
    private final double sampled;
    private final int[] counts;

    /**
     * Counts of some values.
     *
     * @param draws how often any value occurred
     * @param sampled the share of the values that were counted, chosen without regard to how often they occur; 1 for all
     * @param counts how often each counted value occurred, at least once
     */
    public OccurrenceCounts(long draws, double sampled, int[] counts) {
        this.draws = (double) draws;
        this.sampled = sampled;
        this.counts = counts.clone();
        Arrays.sort(this.counts);
    }

    /** How often any value occurred, a whole number. */
    double draws() {
        return draws;
    }

    /** The share of the values that were counted. */
    double sampled() {
        return sampled;
    }

    /** Ascending. */
    int[] counts() {
        return counts.clone();
    }

    /** How many different values were counted. */
    public int distinct() {
        return counts.length;
    }

    /** The least count of each bin: 1, 2, ... and then steps, none of which leaves a bin with hardly a value. */
    int[] edges() {
        int[] edges = new int[128];
        int found = 0;
        int inBin = 0;
        int edge = 1;
        for (int next = 0; next < counts.length; edge = following(edge)) {
            int before = next;
            int end = following(edge);
            while (next < counts.length && counts[next] < end) {
                next++;
            }
            if (found == 0 || inBin >= FEWEST_IN_A_BIN) {
                edges[found++] = edge;
                inBin = 0;
            }
            inBin += next - before;
        }
        boolean lastIsThin = found > 1 && inBin < FEWEST_IN_A_BIN;
        return Arrays.copyOf(edges, lastIsThin ? found - 1 : found);
    }

    /** How many values have a count in each of these bins. */
    double[] valuesIn(int[] edges) {
        double[] values = new double[edges.length];
        int bin = 0;
        for (int count : counts) {
            while (bin + 1 < edges.length && count >= edges[bin + 1]) {
                bin++;
            }
            values[bin]++;
        }
        return values;
    }

    private static int following(int edge) {
        return edge < EXACT ? edge + 1 : (int) Math.ceil(edge * GROWTH);
    }
}
