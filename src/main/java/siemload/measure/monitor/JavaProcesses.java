package siemload.measure.monitor;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** What Java knows of processes on every system; of those of other users perhaps nothing. */
final class JavaProcesses implements ProcessTable {

    @Override
    public boolean knowsEndedChildren() {
        return false;
    }

    @Override
    public List<Entry> read() {
        return ProcessHandle.allProcesses().map(JavaProcesses::entry).toList();
    }

    private static Entry entry(ProcessHandle process) {
        ProcessHandle.Info info = process.info();
        return new Entry(
                process.pid(),
                process.parent().map(ProcessHandle::pid).orElse(0L),
                info.command().map(JavaProcesses::name).orElse("?"),
                info.totalCpuDuration().orElse(Duration.ZERO).toNanos(),
                0,
                Kind.SEVERAL_THREADS,
                0);
    }

    @Override
    public Map<Long, Long> waits(Entry process) {
        return Map.of();
    }

    private static String name(String command) {
        Path name = Path.of(command).getFileName();
        return name == null ? command : name.toString();
    }
}
