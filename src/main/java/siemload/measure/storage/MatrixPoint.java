package siemload.measure.storage;

import java.util.ArrayList;
import java.util.List;

/**
 * What is under way at any time at one point of ORION's basic matrix: small random operations alone, or large sequential ones
 * alone. Immutable.
 *
 * @param blockBytes how much each operation reads or writes
 * @param small how many small ones; 0 where there are large ones
 * @param large how many large ones; 0 where there are small ones
 */
public record MatrixPoint(int blockBytes, int small, int large) {
    /** The sizes of small operations: a block of the usual databases, and the larger one of ORION's users. */
    private static final List<Integer> SMALL_BYTES = List.of(8 << 10, 32 << 10);

    /**
     * The points of a matrix, the small ones first.
     *
     * @param smallDepths how many small operations are under way, in the order of the points
     * @param largeDepths how many large ones
     */
    public static List<MatrixPoint> matrix(List<Integer> smallDepths, List<Integer> largeDepths) {
        List<MatrixPoint> points = new ArrayList<>();
        for (int bytes : SMALL_BYTES) {
            smallDepths.forEach(depth -> points.add(new MatrixPoint(bytes, depth, 0)));
        }
        largeDepths.forEach(depth -> points.add(new MatrixPoint(FioCommand.LARGE_BYTES, 0, depth)));
        return points;
    }

    boolean isSmall() {
        return small > 0;
    }

    int depth() {
        return Math.max(small, large);
    }

    /** In names of files and jobs: {@code small-8k-depth-4}. */
    public String name() {
        return (isSmall() ? "small-" : "large-") + (blockBytes >> 10) + "k-depth-" + depth();
    }
}
