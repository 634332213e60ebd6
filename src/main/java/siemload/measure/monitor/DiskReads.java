package siemload.measure.monitor;

import java.io.IOException;
import java.nio.file.Files;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/**
 * What a database had to fetch from disks, since some time before the run: by the read_bytes of its processes in
 * {@code /proc/<process>/io}, as proc(5) describes it, which holds that of ended children, too; where that may not be read,
 * by what all disks of this machine have read. Only differences mean anything. Used by one thread.
 */
public final class DiskReads {
    private static final String READ_BYTES = "read_bytes: ";

    private final DatabaseProcesses database;
    private final ProcessTimes.ProcTable processes = new ProcessTimes.ProcTable(ProcessTimes.PROC);

    public DiskReads(DatabaseProcesses database) {
        this.database = database;
    }

    /** Whose reads were counted. */
    public enum Source {
        /** Those of the database's processes. */
        DATABASE,
        /** Those of everybody on this machine. */
        MACHINE,
        /** Nobody's: the system does not tell, or the database runs on another machine. */
        NOBODY
    }

    /**
     * One reading.
     *
     * @param bytes comparable with an earlier reading of the same source, as long as the server was not restarted
     */
    public record Reading(Source source, long bytes) {}

    /** What was read up to now. */
    public Reading read() {
        if (database instanceof DatabaseProcesses.Elsewhere || database instanceof DatabaseProcesses.Here) {
            return new Reading(Source.NOBODY, 0);
        }
        OptionalLong own = ofDatabase();
        if (own.isPresent()) {
            return new Reading(Source.DATABASE, own.getAsLong());
        }
        try {
            long bytes = OwnHost.disks(ProcessTimes.PROC).entrySet().stream()
                    .filter(count -> count.getKey().endsWith("/readBytes"))
                    .mapToLong(Map.Entry::getValue)
                    .sum();
            return new Reading(Source.MACHINE, bytes);
        } catch (IOException untold) {
            return new Reading(Source.NOBODY, 0);
        }
    }

    /** Empty where not a single process may be looked into. */
    private OptionalLong ofDatabase() {
        long self = ProcessHandle.current().pid();
        Set<Long> ours = ProcessTimes.ofDatabase(database, processes.read(), entry -> ProcessTimes.isOf(self, entry));
        long sum = 0;
        boolean seen = false;
        for (long process : ours) {
            OptionalLong bytes = ofProcess(process);
            sum += bytes.orElse(0);
            seen |= bytes.isPresent();
        }
        return seen ? OptionalLong.of(sum) : OptionalLong.empty();
    }

    private static OptionalLong ofProcess(long process) {
        try {
            return Files.readAllLines(ProcessTimes.PROC.resolve(process + "/io")).stream()
                    .filter(line -> line.startsWith(READ_BYTES))
                    .mapToLong(line -> Long.parseLong(line.substring(READ_BYTES.length())))
                    .findFirst();
        } catch (IOException endedOrRefused) {
            return OptionalLong.empty();
        }
    }
}
