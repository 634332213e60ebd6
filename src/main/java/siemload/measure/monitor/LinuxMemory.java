package siemload.measure.monitor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;

/** Reads what OSHI does not tell of memory: {@code /proc/meminfo} and {@code /proc/<process>/statm}, as proc(5) describes them. */
final class LinuxMemory {
    private static final Path PROC = Path.of("/proc");
    private static final long BYTES_OF_KIBIBYTE = 1024;
    /** The field of meminfo behind the name. */
    private static final int AMOUNT = 1;

    private static final int RESIDENT = 1;
    private static final int SHARED = 2;

    private LinuxMemory() {}

    static boolean isThere() {
        return Files.isReadable(PROC.resolve("meminfo"));
    }

    /** What pages of files take, as sar -r shows it: {@code Buffers} and {@code Cached}, the latter with shared memory. */
    static long pageCacheBytes() throws IOException {
        return pageCacheBytes(Files.readString(PROC.resolve("meminfo")));
    }

    static long pageCacheBytes(String meminfo) {
        return meminfo.lines()
                .filter(line -> line.startsWith("Buffers:") || line.startsWith("Cached:"))
                .map(line -> KernelLine.fields(line, AMOUNT + 1))
                .filter(fields -> fields.size() > AMOUNT)
                .mapToLong(fields -> Long.parseLong(fields.get(AMOUNT)) * BYTES_OF_KIBIBYTE)
                .sum();
    }

    /** What these processes hold, of which nobody knows how much of it they share: see {@link #together}. */
    static long bytes(Collection<Long> processes, long bytesOfPage) {
        return together(processes.stream().map(LinuxMemory::statm).toList()) * bytesOfPage;
    }

    /**
     * The pages that processes hold together: those of each alone, and once those that are shared, of which the process with most
     * of them has most likely all.
     *
     * @param statm a line of each process; an empty one of a process that has ended
     */
    static long together(Collection<String> statm) {
        long alone = 0;
        long shared = 0;
        for (String line : statm) {
            List<String> fields = KernelLine.fields(line, SHARED + 1);
            if (fields.size() > SHARED) {
                long ofProcess = Long.parseLong(fields.get(SHARED));
                alone += Long.parseLong(fields.get(RESIDENT)) - ofProcess;
                shared = Math.max(shared, ofProcess);
            }
        }
        return alone + shared;
    }

    private static String statm(long process) {
        try {
            return Files.readString(PROC.resolve(process + "/statm"));
        } catch (IOException ended) {
            return "";
        }
    }
}
