package siemload.results;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.OptionalDouble;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * What a disk can do, as {@code storage.json} holds it: what fio measured through a file of its own, point by point. Immutable.
 *
 * @param formatVersion 1
 * @param when when it began
 * @param directory below which the file lay
 * @param disk the disk of that directory
 * @param method how it was measured
 * @param series idle first, then beside a feeder where one was asked for
 * @param notes what must be known to use these figures
 */
public record StorageResult(
        int formatVersion,
        Instant when,
        String directory,
        Disk disk,
        @JsonUnwrapped Method method,
        List<Series> series,
        List<String> notes) {
    public static final int FORMAT_VERSION = 1;

    public StorageResult {
        series = List.copyOf(series);
        notes = List.copyOf(notes);
    }

    /**
     * How all points were measured.
     *
     * @param program fio with its version
     * @param writePercent how many of a hundred operations wrote
     * @param fileBytes the size of the file, over which random operations were spread
     * @param secondsPerPoint how long each point was measured
     * @param preparation the command line that filled the file before all points
     */
    public record Method(
            String program, int writePercent, long fileBytes, double secondsPerPoint, String preparation) {}

    /**
     * A disk as the system knows it. Two that are equal in all of this are taken for the same one.
     *
     * @param name of the whole block device, as in {@code disks.csv}; empty where the system does not tell
     * @param model empty where the system does not tell
     * @param bytes its size; 0 where the system does not tell
     * @param fileSystem the type of the file system on it: {@code ext4}
     * @param mountPoint of that file system; empty where the system does not tell
     */
    public record Disk(String name, String model, long bytes, String fileSystem, String mountPoint) {
        /** Whether the system tells which one it is. */
        public boolean hasName() {
            return !name.isEmpty();
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

        /** The sizes that small operations had, ascending. */
        public SortedSet<Integer> smallBlockBytes() {
            return points.stream()
                    .filter(point -> point.small() > 0)
                    .map(Point::blockBytes)
                    .collect(Collectors.toCollection(TreeSet::new));
        }

        /** The points of small operations of this size. */
        public List<Point> small(int blockBytes) {
            return points.stream()
                    .filter(point -> point.small() > 0 && point.blockBytes() == blockBytes)
                    .toList();
        }

        /** The points of large operations. */
        public List<Point> large() {
            return points.stream().filter(point -> point.large() > 0).toList();
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

    /** The most small operations of this size a second, with nothing beside; empty where none were measured. */
    public OptionalDouble mostIdleOperations(int blockBytes) {
        return series.stream()
                .filter(one -> one.eventsPerSecond() == 0)
                .flatMap(one -> one.small(blockBytes).stream())
                .mapToDouble(Point::operationsPerSecond)
                .max();
    }

    /** Reads and writes {@code storage.json}. Stateless and thread-safe. */
    public static final class StorageFile {
        private StorageFile() {}

        /** Writes the file whole or not at all. */
        public static void write(Path file, StorageResult result) throws IOException {
            WholeFile.write(file, ResultValue.text(result));
        }

        /**
         * Reads the file; keys of later versions are ignored.
         *
         * @throws BrokenFileException if it is no such result, or of a format that this version does not know
         * @throws java.nio.file.NoSuchFileException if there is none
         */
        public static StorageResult read(Path file) throws IOException {
            String name = file.toString();
            JsonNode tree = ResultValue.tree(name, ResultText.of(file, name));
            String version = tree.path("formatVersion").asText();
            if (!version.equals(String.valueOf(StorageResult.FORMAT_VERSION))) {
                throw new BrokenFileException(name + ": formatVersion " + BrokenFileException.shown(version)
                        + " is not known here (known: " + StorageResult.FORMAT_VERSION + ")");
            }
            return ResultValue.of(name, tree, StorageResult.class);
        }
    }
}
