package siemload.dataset.learn;

import java.util.Arrays;
import siemload.dataset.statistics.Estimate;

/**
 * Sizes of 0 or more in cells: each size below 64 has its own, above them each power of two has 32, so that a cell is at
 * most 3 % wide. Negative sizes are left out. Not thread-safe.
 */
final class SizeHistogram {
    private static final int EXACT = 64;
    private static final int CELLS_A_POWER = 32;
    private static final int CELLS = EXACT + (63 - 6) * CELLS_A_POWER;

    private final long[] cells = new long[CELLS];
    private long count;
    private double sum;
    private double squares;
    private long largest;

    void add(long size) {
        if (size < 0) {
            return;
        }
        cells[cell(size)]++;
        count++;
        sum += size;
        squares += (double) size * size;
        largest = Math.max(largest, size);
    }

    private static int cell(long size) {
        if (size < EXACT) {
            return (int) size;
        }
        int power = 63 - Long.numberOfLeadingZeros(size);
        return EXACT + (power - 6) * CELLS_A_POWER + (int) (size >>> (power - 5)) - CELLS_A_POWER;
    }

    /** The smallest size of a cell. */
    private static long least(int cell) {
        if (cell < EXACT) {
            return cell;
        }
        int power = 6 + (cell - EXACT) / CELLS_A_POWER;
        return (CELLS_A_POWER + (long) ((cell - EXACT) % CELLS_A_POWER)) << (power - 5);
    }

    long count() {
        return count;
    }

    long largest() {
        return largest;
    }

    /** The mean with its interval after the central limit theorem; 0 without a size. */
    Estimate mean() {
        if (count == 0) {
            return Estimate.exact(0);
        }
        double mean = sum / count;
        double variance = Math.max(0, squares / count - mean * mean);
        return Estimate.normal(mean, Math.sqrt(variance / count));
    }

    /** The least size that this share of all does not exceed, to a cell. */
    long quantile(double share) {
        long wanted = (long) Math.ceil(share * count);
        long passed = 0;
        for (int cell = 0; cell < CELLS; cell++) {
            passed += cells[cell];
            if (passed >= wanted && passed > 0) {
                return least(cell);
            }
        }
        return 0;
    }

    /** All cells up to the last that is used in this or the other histogram. */
    double[] cells(SizeHistogram other) {
        int end = Math.max(cell(largest), cell(other.largest)) + 1;
        return Arrays.stream(cells, 0, end).asDoubleStream().toArray();
    }

    /** The least size of each of so many cells. */
    static long[] sizes(int cells) {
        long[] sizes = new long[cells];
        Arrays.setAll(sizes, SizeHistogram::least);
        return sizes;
    }
}
