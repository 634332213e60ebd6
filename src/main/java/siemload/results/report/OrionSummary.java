package siemload.results.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import siemload.results.StorageResult;
import siemload.results.StorageResult.Disk;
import siemload.results.StorageResult.Point;
import siemload.results.StorageResult.Series;

/**
 * What a disk can do, in the lines of ORION's summary: MBPS are MiB a second, latencies are means in milliseconds. Each size of
 * small operations has its three lines, as each run of ORION has; the large ones are the same in all of them. Stateless and
 * thread-safe.
 */
public final class OrionSummary {
    private OrionSummary() {}

    /** All series, with what was measured and how. */
    public static List<String> lines(StorageResult result) {
        List<String> lines = new ArrayList<>();
        lines.add(disk(result.disk()));
        for (Series series : result.series()) {
            for (int bytes : series.smallBlockBytes()) {
                lines.add("");
                lines.add(heading(result, series, bytes));
                lines.addAll(lines(series, bytes));
            }
        }
        if (!result.notes().isEmpty()) {
            lines.add("");
            result.notes().forEach(note -> lines.add("note: " + note));
        }
        return lines;
    }

    /** The three lines. */
    static List<String> lines(Series series, int smallBytes) {
        List<String> lines = new ArrayList<>();
        Comparator<Point> byRate = Comparator.comparingDouble(Point::operationsPerSecond);
        first(series.large(), byRate.reversed())
                .ifPresent(point -> lines.add(line("Maximum Large MBPS=%.2f", point.mebibytesPerSecond(), point)));
        List<Point> small = series.small(smallBytes);
        first(small, byRate.reversed())
                .ifPresent(point -> lines.add(line("Maximum Small IOPS=%.0f", point.operationsPerSecond(), point)));
        first(small, Comparator.comparingDouble(Point::meanLatencyMicros)).ifPresent(point -> {
            double millis = point.meanLatencyMicros() / 1e3;
            lines.add(line(millis < 1 ? "Minimum Small Latency=%.3f" : "Minimum Small Latency=%.2f", millis, point));
        });
        return lines;
    }

    /** Of equal ones that with the shorter queue. */
    private static Optional<Point> first(List<Point> points, Comparator<Point> order) {
        return points.stream().min(order.thenComparingInt(Point::small).thenComparingInt(Point::large));
    }

    private static String line(String format, double value, Point point) {
        return String.format(Locale.ROOT, format, value)
                + String.format(Locale.ROOT, " @ Small=%d and Large=%d", point.small(), point.large());
    }

    private static String heading(StorageResult result, Series series, int bytes) {
        String beside = series.eventsPerSecond() == 0
                ? "idle"
                : String.format(
                        Locale.ROOT,
                        "beside %.0f events/s (%.1f inserted)",
                        series.eventsPerSecond(),
                        series.achievedEventsPerSecond());
        return String.format(
                Locale.ROOT,
                "%s, small %d KiB random, large 1 MiB sequential, %d %% writes:",
                beside,
                bytes >> 10,
                result.method().writePercent());
    }

    private static String disk(Disk disk) {
        String name = disk.hasName() ? disk.name() : "an unnamed disk";
        String size = disk.bytes() == 0 ? "" : String.format(Locale.ROOT, ", %.0f GB", disk.bytes() / 1e9);
        return name + (disk.model().isEmpty() ? "" : " " + disk.model()) + size + " (" + disk.fileSystem() + " at "
                + disk.mountPoint() + ")";
    }
}
