package siemload.measure.monitor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import siemload.measure.monitor.HostCounts.DiskReading;

/**
 * Reads {@code /proc/diskstats}, as Documentation/admin-guide/iostats.rst of the kernel describes it: one file, where OSHI
 * asks udev for each device and takes 3 to 6 ms of CPU.
 */
final class LinuxDisks {
    private static final Path STATISTICS = Path.of("/proc/diskstats");
    private static final Path DEVICES = Path.of("/sys/block");
    /** Whatever the device's own are. */
    private static final long BYTES_IN_SECTOR = 512;

    private static final int NAME = 2;
    private static final int READS = 3;
    private static final int SECTORS_READ = 5;
    private static final int WRITES = 7;
    private static final int SECTORS_WRITTEN = 9;
    private static final int BUSY_MILLIS = 12;

    private LinuxDisks() {}

    static boolean areThere() {
        return Files.isReadable(STATISTICS) && Files.isDirectory(DEVICES);
    }

    /** Whole devices, but not those in memory or in files. */
    static List<DiskReading> read() throws IOException {
        return parse(Files.readString(STATISTICS), name -> Files.isDirectory(DEVICES.resolve(name)));
    }

    static List<DiskReading> parse(String statistics, Predicate<String> isDevice) {
        List<DiskReading> disks = new ArrayList<>();
        statistics.lines().forEach(line -> disk(line, isDevice).ifPresent(disks::add));
        return disks;
    }

    private static Optional<DiskReading> disk(String line, Predicate<String> isDevice) {
        List<String> fields = KernelLine.fields(line, BUSY_MILLIS + 1);
        if (fields.size() <= BUSY_MILLIS
                || !MachineReader.isDisk(fields.get(NAME))
                || !isDevice.test(fields.get(NAME))) {
            return Optional.empty();
        }
        return Optional.of(new DiskReading(
                fields.get(NAME),
                Long.parseLong(fields.get(READS)),
                BYTES_IN_SECTOR * Long.parseLong(fields.get(SECTORS_READ)),
                Long.parseLong(fields.get(WRITES)),
                BYTES_IN_SECTOR * Long.parseLong(fields.get(SECTORS_WRITTEN)),
                Long.parseLong(fields.get(BUSY_MILLIS))));
    }
}
