package siemload.run.storage;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import siemload.results.StorageResult.Point;
import siemload.results.StorageResult.Series;

/** Whether a disk might do more than was asked of it. Stateless. */
final class DeepestQueue {
    /** By so much, 5 %, the deepest queue must do better than all others. */
    private static final double MORE = 1.05;

    private DeepestQueue() {}

    /** For each size of small operations of which the deepest queue did decidedly most. */
    static List<String> notes(Series series) {
        List<String> notes = new ArrayList<>();
        for (int bytes : series.smallBlockBytes()) {
            List<Point> points = series.small(bytes).stream()
                    .sorted(Comparator.comparingInt(Point::small))
                    .toList();
            Point deepest = points.get(points.size() - 1);
            double others = points.stream()
                    .limit(points.size() - 1L)
                    .mapToDouble(Point::operationsPerSecond)
                    .max()
                    .orElse(0);
            if (deepest.operationsPerSecond() > others * MORE) {
                notes.add(String.format(
                        Locale.ROOT,
                        "%d KiB: the deepest queue, %d, did most, so that the disk may do more with a deeper one (--small)",
                        bytes >> 10,
                        deepest.small()));
            }
        }
        return notes;
    }
}
