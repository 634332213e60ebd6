package siemload.results;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * What a disk can do, as {@code storage.json} holds it: what fio measured through a file of its own, point by point. Immutable.
 *
 * @param when when it began
 * @param directory below which the file lay
 * @param disk the disk of that directory
 * @param program fio with its version
 * @param writePercent how many of a hundred operations wrote
 * @param fileBytes the size of the file, over which random operations were spread
 * @param secondsPerPoint how long each point was measured
 * @param preparation the command line that filled the file before all points
 * @param series idle first, then beside a feeder where one was asked for
 * @param notes what must be known to use these figures
 */
public record StorageResult(
        int formatVersion,
        Instant when,
        String directory,
        Disk disk,
        String program,
        int writePercent,
        long fileBytes,
        double secondsPerPoint,
        String preparation,
        List<Series> series,
        List<String> notes) {
    public static final int FORMAT_VERSION = 1;

    public StorageResult {
        series = List.copyOf(series);
        notes = List.copyOf(notes);
    }

    /**
     * A disk as the system knows it. Two that are equal in all of this are taken for the same one.
     *
     * @param name of the device, or of what stands in its place: {@code /dev/sda1}
     * @param fileSystem the type of the file system on it: {@code ext4}
     * @param bytes of the file system
     */
    public record Disk(String name, String fileSystem, long bytes) {
        /** That of a directory that exists or is to be made. @throws IOException if the system does not tell */
        public static Disk of(Path directory) throws IOException {
            Path place = directory.toAbsolutePath().normalize();
            for (Path parent = place.getParent(); parent != null && !Files.exists(place); parent = place.getParent()) {
                place = parent;
            }
            FileStore store = Files.getFileStore(place);
            return new Disk(store.name(), store.type(), store.getTotalSpace());
        }

        @Override
        public String toString() {
            return String.format(Locale.ROOT, "%s, %.0f GB (%s)", name, bytes / 1e9, fileSystem);
        }
    }

    /**
     * All points, measured one after the other.
     *
     * @param eventsPerSecond how many events a feeder was to insert beside them; 0 where the disk was left alone
     * @param achievedEventsPerSecond how many it did insert, on average
     */
    public record Series(double eventsPerSecond, double achievedEventsPerSecond, List<Point> points) {
        public Series {
            points = List.copyOf(points);
        }

        /** The points of small operations of this size, or of large ones. */
        public List<Point> of(int blockBytes) {
            return points.stream()
                    .filter(point -> point.blockBytes() == blockBytes)
                    .toList();
        }
    }

    /**
     * One measurement.
     *
     * @param blockBytes how much each operation reads or writes
     * @param small how many small random operations were under way at any time; 0 where none were
     * @param large how many large sequential ones were; 0 where none were
     * @param operationsPerSecond reads and writes together
     * @param mebibytesPerSecond read and written, in 1,048,576 bytes
     * @param meanLatencyMicros from handing an operation to the system to its end
     * @param command the command line of fio that measured it
     */
    public record Point(
            int blockBytes,
            int small,
            int large,
            double operationsPerSecond,
            double mebibytesPerSecond,
            double meanLatencyMicros,
            String command) {}

    /** The lines of ORION's summary: the large operations stand below each size of small ones, as in each run of ORION. */
    public List<String> summary() {
        List<String> lines = new ArrayList<>(List.of(disk.toString()));
        for (Series one : series) {
            String beside = one.eventsPerSecond() == 0
                    ? "idle"
                    : String.format(
                            Locale.ROOT,
                            "beside %.0f events/s (%.1f inserted)",
                            one.eventsPerSecond(),
                            one.achievedEventsPerSecond());
            one.points().stream()
                    .filter(point -> point.small() > 0)
                    .mapToInt(Point::blockBytes)
                    .distinct()
                    .forEach(bytes -> {
                        lines.add("");
                        lines.add(String.format(
                                Locale.ROOT,
                                "%s, small %d KiB random, large 1 MiB sequential, %d %% writes:",
                                beside,
                                bytes >> 10,
                                writePercent));
                        add(lines, "Maximum Large MBPS=%.2f", one.of(1 << 20), Point::mebibytesPerSecond, 1);
                        add(lines, "Maximum Small IOPS=%.0f", one.of(bytes), Point::operationsPerSecond, 1);
                        add(
                                lines,
                                "Minimum Small Latency=%.3f",
                                one.of(bytes),
                                point -> point.meanLatencyMicros() / 1e3,
                                -1);
                    });
        }
        if (!notes.isEmpty()) {
            lines.add("");
            notes.forEach(note -> lines.add("note: " + note));
        }
        return lines;
    }

    /**
     * The best one, of equal ones that with the shorter queue.
     *
     * @param sign 1 where more is better, -1 where less is
     */
    private static void add(
            List<String> lines, String format, List<Point> points, ToDoubleFunction<Point> value, int sign) {
        points.stream()
                .min(Comparator.<Point>comparingDouble(point -> -sign * value.applyAsDouble(point))
                        .thenComparingInt(point -> point.small() + point.large()))
                .ifPresent(best -> lines.add(String.format(
                        Locale.ROOT,
                        format + " @ Small=%d and Large=%d",
                        value.applyAsDouble(best),
                        best.small(),
                        best.large())));
    }

    /** Writes the file whole or not at all. */
    public void write(Path file) throws IOException {
        WholeFile.write(file, ResultValue.text(this));
    }
}
