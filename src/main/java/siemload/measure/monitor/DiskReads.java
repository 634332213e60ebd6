package siemload.measure.monitor;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What a database had to fetch from disks, and the CPU time that it used, since some time before the run: by the read_bytes of its processes in
 * {@code /proc/<process>/io}, as proc(5) describes it, which holds that of ended children, too. Only differences mean anything. Used by
 * one thread.
 */
public final class DiskReads {
    private static final int MOST_READINGS = 3;

    private final DatabaseProcesses database;
    private final ProcessTimes.ProcTable processes = new ProcessTimes.ProcTable(ProcessTimes.PROC);

    public DiskReads(DatabaseProcesses database) {
        this.database = database;
    }

    /**
     * What was read up to now, in bytes, comparable with an earlier reading as long as the server was not restarted; empty where this user
     * may look into none of its processes, or they run elsewhere.
     */
    public OptionalLong read() {
        return entries()
                .flatMapToLong(entry -> ofProcess(entry.process()).stream())
                .reduce(Long::sum);
    }

    /** How long its processes have used CPUs up to now, in nanoseconds; empty where there are none on this machine. */
    public OptionalLong cpuNanos() {
        return entries()
                .mapToLong(entry -> entry.cpuNanos() + entry.endedChildrenNanos())
                .reduce(Long::sum);
    }

    private Stream<ProcessTimes.Entry> entries() {
        List<ProcessTimes.Entry> all = ProcessTimes.settled(processes::read, Set.of(), this::ofDatabase, MOST_READINGS);
        Set<Long> ours = ofDatabase(all);
        return all.stream().filter(entry -> ours.contains(entry.process()));
    }

    private Set<Long> ofDatabase(List<ProcessTimes.Entry> all) {
        long self = ProcessHandle.current().pid();
        return ProcessTimes.ofDatabase(database, all, entry -> ProcessTimes.isOf(self, entry));
    }

    private static OptionalLong ofProcess(long process) {
        try {
            String counts = Files.readString(ProcessTimes.PROC.resolve(process + "/io"));
            return OptionalLong.of(OwnHost.values(counts, "").getOrDefault("read_bytes:", 0L));
        } catch (IOException endedOrRefused) {
            return OptionalLong.empty();
        }
    }
}
