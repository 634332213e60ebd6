package siemload.measure.monitor;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import siemload.measure.RunClock;
import siemload.results.HostActivity;
import siemload.results.MicrosSummary;
import siemload.results.RunFile;
import siemload.results.RunWriter;
import siemload.results.TableWriter;

/**
 * Writes what the machine did in each second, and sums it up over the measured phase, without its pauses. Thread-safe.
 */
final class HostWatch implements AutoCloseable {
    private static final double HEAVY_RATIO = 0.05;

    private final MachineReader machine;
    private final DatabaseProcesses database;
    private final RunClock clock;
    private final TableWriter host;
    private final TableWriter disks;
    private Optional<HostReading> last = Optional.empty();
    /** What was counted between the last look and a pause. */
    private HostCounts beforePause = HostCounts.NONE;
    /** What was counted in the measured phase; empty before it. */
    private Optional<HostCounts> measured = Optional.empty();

    private boolean paused;
    private boolean databaseSeen;
    private double loadMax;
    private long memoryUsedBytesMax;

    HostWatch(RunWriter writer, RunClock clock, DatabaseProcesses database, MachineReader machine) throws IOException {
        this.machine = machine;
        this.database = database;
        this.clock = clock;
        this.host = writer.table(RunFile.HOST);
        this.disks = writer.table(RunFile.DISKS);
    }

    /** Looks at the machine; what was due at this instant belongs to the second before it. */
    synchronized void tick(long dueNanos) {
        if (paused) {
            return;
        }
        HostReading look = machine.read();
        databaseSeen |= machine.seesDatabase();
        if (last.isPresent()) {
            HostCounts span =
                    beforePause.plus(look.counts().since(last.orElseThrow().counts()));
            write(dueNanos, look, span);
            measured = measured.map(all -> all.plus(span));
        }
        beforePause = HostCounts.NONE;
        last = Optional.of(look);
        if (measured.isPresent()) {
            loadMax = Math.max(loadMax, look.load());
            memoryUsedBytesMax = Math.max(memoryUsedBytesMax, look.memoryUsedBytes());
        } else if (dueNanos - clock.measureNanos() >= 0) {
            measured = Optional.of(HostCounts.NONE);
        }
    }

    /** What the machine does from now on does not count. */
    synchronized void pause() {
        paused = true;
        HostCounts now = machine.read().counts();
        last.ifPresent(before -> beforePause = beforePause.plus(now.since(before.counts())));
    }

    /** It counts again. */
    synchronized void resume() {
        paused = false;
        HostReading now = machine.read();
        last = last.map(before -> now);
        if (measured.isEmpty() && now.counts().nanos() - clock.measureNanos() >= 0) {
            last = Optional.of(now);
            beforePause = HostCounts.NONE;
            measured = Optional.of(HostCounts.NONE);
        }
    }

    /** What the machine did in the measured phase up to the last look. */
    synchronized HostActivity activity(HostActivity.Pauses pauses, MicrosSummary eventLoopLateness) {
        if (measured.isEmpty()) {
            return HostActivity.NONE;
        }
        HostCounts all = measured.orElseThrow();
        return new HostActivity(
                machine.cpus(),
                all.shares(),
                loadMax,
                memoryUsedBytesMax,
                all.transfers(),
                all.diskActivity(),
                all.heavierThan(HEAVY_RATIO),
                pauses,
                eventLoopLateness);
    }

    /** What could not be seen, and why. */
    synchronized List<String> notes() {
        List<String> notes = new ArrayList<>();
        if (!machine.unreadable().isEmpty()) {
            notes.add("this machine does not let us see " + String.join(", ", machine.unreadable()));
        }
        if (database instanceof DatabaseProcesses.Elsewhere) {
            notes.add("the database runs on another machine: its CPU, memory and disks were not watched");
        }
        if (database instanceof DatabaseProcesses.Together several
                && several.servers().stream().anyMatch(DatabaseProcesses.Elsewhere.class::isInstance)) {
            notes.add("some of the servers run on other machines: their CPU, memory and disks were not watched");
        }
        if (database instanceof DatabaseProcesses.Named named && !databaseSeen) {
            notes.add("no process of the database was found on this machine (looked for "
                    + named.prefixes().stream().map(name -> name + "...").collect(Collectors.joining(", "))
                    + "): its CPU time counts as that of others, if it is here");
        }
        return notes;
    }

    /** Closes the files. @throws IOException if one is not complete */
    @Override
    public synchronized void close() throws IOException {
        try (host;
                disks) {
            host.flush();
        }
    }

    private void write(long dueNanos, HostReading now, HostCounts span) {
        HostActivity.CpuShares cpu = span.shares();
        HostActivity.Transfers transfers = span.transfers();
        host.row(
                clock.second(dueNanos),
                cpu.databaseCpuRatio(),
                cpu.generatorCpuRatio(),
                cpu.otherCpuRatio(),
                cpu.iowaitRatio(),
                cpu.stealRatio(),
                now.load(),
                now.memoryUsedBytes(),
                transfers.swapInBytes(),
                transfers.swapOutBytes(),
                transfers.networkReceivedBytes(),
                transfers.networkSentBytes());
        for (HostActivity.Disk disk : span.diskActivity()) {
            disks.row(
                    clock.second(dueNanos),
                    disk.name(),
                    disk.reads(),
                    disk.readBytes(),
                    disk.writes(),
                    disk.writtenBytes(),
                    disk.utilisationRatio());
        }
        host.flush();
        disks.flush();
    }
}
