package siemload.measure.monitor;

import java.io.IOException;
import java.nio.file.Files;
import java.util.OptionalLong;

/**
 * What a database had to fetch from disks, since some time before the run: by the read_bytes of its processes in
 * {@code /proc/<process>/io}, as proc(5) describes it, which holds that of ended children, too. Only differences mean anything. Used by
 * one thread.
 */
public final class DiskReads {
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
        long self = ProcessHandle.current().pid();
        return ProcessTimes.ofDatabase(database, processes.read(), entry -> ProcessTimes.isOf(self, entry)).stream()
                .flatMapToLong(process -> ofProcess(process).stream())
                .reduce(Long::sum);
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
