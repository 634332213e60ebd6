package siemload.measure.storage;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Iterator;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import siemload.results.BrokenFileException;
import siemload.results.ResultValue;

/**
 * What fio measured in its one job, from its output in JSON. Immutable.
 *
 * @param operations reads and writes together
 * @param operationsPerSecond the same in a second
 * @param bytesPerSecond read and written
 * @param meanLatencyMicros of all operations, from handing one to the system to its end
 * @param diskOperations how many the disks did meanwhile, also for others, and merged ones one by one; empty where the system
 *     does not tell
 */
record FioOutput(
        long operations,
        double operationsPerSecond,
        double bytesPerSecond,
        double meanLatencyMicros,
        Optional<Long> diskOperations) {

    /** Some of the operations may be merged by the time the disk gets them, but not most of them. */
    private static final double FEWEST_ON_DISK = 0.5;

    /**
     * Reads the output, in front of which fio may have put notes.
     *
     * @param place of the text in messages
     * @throws BrokenFileException if it is no such output, or fio met an error
     */
    static FioOutput parse(String place, String text) throws BrokenFileException {
        int start = text.startsWith("{") ? 0 : text.indexOf("\n{") + 1;
        JsonNode tree = ResultValue.tree(place, text.substring(start));
        JsonNode job = tree.path("jobs").path(0);
        if (!job.path("read").path("total_ios").isNumber()
                || !job.path("write").path("total_ios").isNumber()) {
            throw new BrokenFileException(place + ": not the output of a job of fio in JSON");
        }
        if (job.path("error").asInt() != 0) {
            throw new BrokenFileException(
                    place + ": fio met error " + job.path("error").asInt());
        }
        JsonNode read = job.path("read");
        JsonNode write = job.path("write");
        long operations =
                read.path("total_ios").asLong() + write.path("total_ios").asLong();
        double nanos = weightedNanos(read) + weightedNanos(write);
        return new FioOutput(
                operations,
                read.path("iops").asDouble() + write.path("iops").asDouble(),
                read.path("bw_bytes").asDouble() + write.path("bw_bytes").asDouble(),
                operations == 0 ? 0 : nanos / operations / 1e3,
                onDisks(tree.path("disk_util")));
    }

    private static double weightedNanos(JsonNode direction) {
        return direction.path("lat_ns").path("mean").asDouble()
                * direction.path("total_ios").asLong();
    }

    /** The first disk is the one below the file; those behind it, as of an array, do the same once more. */
    private static Optional<Long> onDisks(JsonNode disks) {
        Iterator<JsonNode> all = disks.elements();
        if (!all.hasNext()) {
            return Optional.empty();
        }
        JsonNode disk = all.next();
        return Optional.of(Stream.of("read_ios", "write_ios", "read_merges", "write_merges")
                .mapToLong(key -> disk.path(key).asLong())
                .sum());
    }

    /** Why these figures are not those of a disk; empty where nothing speaks against that. */
    Optional<String> refusal() {
        if (operations == 0) {
            return Optional.of("not one operation ended in time (take a longer --duration)");
        }
        return diskOperations
                .filter(onDisk -> onDisk < operations * FEWEST_ON_DISK)
                .map(onDisk -> String.format(
                        Locale.ROOT,
                        "fio counted %,d operations, but the disk did %,d: a cache of the system answered the others, although"
                                + " they were asked for directly",
                        operations,
                        onDisk));
    }
}
