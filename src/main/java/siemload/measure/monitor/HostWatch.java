package siemload.measure.monitor;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;
import siemload.measure.RunClock;
import siemload.results.HostActivity;
import siemload.results.HostActivity.HostFigures;
import siemload.results.MicrosSummary;
import siemload.results.RunFile;
import siemload.results.RunWriter;
import siemload.results.TableWriter;

/**
 * Writes what the machine did in each second, and sums it up over the measured phase, without its pauses. Thread-safe.
 */
final class HostWatch implements AutoCloseable {
    private static final double HEAVY_RATIO = 0.05;
    /** Who ran for less in a second has nothing to lose. */
    private static final long LEAST_RAN_NANOS = 20_000_000;

    private final MachineReader machine;
    private final DatabaseProcesses database;
    private final RunClock clock;
    private final TableWriter host;
    private final TableWriter disks;
    private final HostTables tables;
    private final HostSummary summary = new HostSummary(HostFigures.THIS_HOST);
    private Optional<HostReading> last = Optional.empty();
    /** What was counted between the last look and a pause. */
    private HostSpan beforePause = HostSpan.NONE;
    /** What was counted in the measured phase; empty before it. */
    private Optional<HostCounts> measured = Optional.empty();
    /** What others took in it, in nanoseconds, and by the second in thousandths of what the database and the load generator ran. */
    private double lostNanos;

    private final Histogram lostPermille = new Histogram(2);

    private boolean paused;
    private boolean databaseSeen;

    /** @param tables of all hosts; whoever opened them closes them */
    HostWatch(RunWriter writer, RunClock clock, DatabaseProcesses database, MachineReader machine, HostTables tables)
            throws IOException {
        this.machine = machine;
        this.database = database;
        this.clock = clock;
        this.tables = tables;
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
            HostSpan span = beforePause.plus(look.since(last.orElseThrow()));
            write(dueNanos, look.levels(), span);
            measured = measured.map(all -> all.plus(span.counts()));
            if (measured.isPresent()) {
                summary.add(span, look.levels());
                double lost = span.counts().lostNanos();
                lostNanos += lost;
                lostPermille.recordValue(Math.round(
                        1_000 * lost / Math.max(LEAST_RAN_NANOS, span.counts().ranNanos())));
            }
        }
        beforePause = HostSpan.NONE;
        last = Optional.of(look);
        if (measured.isEmpty() && dueNanos - clock.measureNanos() >= 0) {
            measured = Optional.of(HostCounts.NONE);
        }
    }

    /** What the machine does from now on does not count. */
    synchronized void pause() {
        paused = true;
        HostReading now = machine.read();
        last.ifPresent(before -> beforePause = beforePause.plus(now.since(before)));
    }

    /** It counts again. */
    synchronized void resume() {
        paused = false;
        HostReading now = machine.read();
        last = last.map(before -> now);
        if (measured.isEmpty() && now.counts().nanos() - clock.measureNanos() >= 0) {
            last = Optional.of(now);
            beforePause = HostSpan.NONE;
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
                all.contention(
                        lostNanos / Math.max(LEAST_RAN_NANOS, all.ranNanos()),
                        lostPermille.getValueAtPercentile(95) / 1e3),
                summary.highest().load1(),
                summary.highest().memoryUsedBytes(),
                summary.highest().databaseMemoryBytes(),
                all.transfers(),
                all.diskActivity(),
                all.heavierThan(HEAVY_RATIO),
                pauses,
                eventLoopLateness);
    }

    /** The same as sysstat would show it. */
    synchronized HostFigures figures() {
        return summary.figures();
    }

    /**
     * What could not be seen, and why.
     *
     * @param otherHosts how many others are watched, of which one may be that of the database
     */
    synchronized List<String> notes(int otherHosts) {
        List<String> notes = new ArrayList<>();
        if (!machine.unreadable().isEmpty()) {
            notes.add("this machine does not let us see " + String.join(", ", machine.unreadable()));
        }
        if (database instanceof DatabaseProcesses.Elsewhere && otherHosts == 0) {
            notes.add("the database runs on another machine: its CPU, memory and disks were not watched"
                    + " (-DhostMetrics does, where a node exporter runs there)");
        }
        if (otherHosts == 0
                && database instanceof DatabaseProcesses.Together several
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

    private static double rounded(double seconds) {
        return Math.round(seconds * 1e4) / 1e4;
    }

    private void write(long dueNanos, HostReading.Levels now, HostSpan span) {
        HostActivity.CpuShares cpu = span.counts().shares();
        HostActivity.Transfers transfers = span.counts().transfers();
        tables.write(clock.second(dueNanos), HostFigures.THIS_HOST, now, span);
        host.row(
                clock.second(dueNanos),
                cpu.databaseCpuRatio(),
                cpu.generatorCpuRatio(),
                cpu.otherCpuRatio(),
                cpu.iowaitRatio(),
                cpu.stealRatio(),
                now.load1(),
                now.memoryUsedBytes(),
                transfers.swapInBytes(),
                transfers.swapOutBytes(),
                transfers.networkReceivedBytes(),
                transfers.networkSentBytes(),
                now.databaseMemoryBytes(),
                CpuTimes.ratio(
                        span.counts().contention().kernel(), span.counts().cpu().total()),
                rounded(span.counts().contention().waited() / 1e9),
                CpuTimes.ratio(
                        span.counts().contention().cpuStalled(), span.counts().nanos()),
                CpuTimes.ratio(
                        span.counts().contention().ioStalled(), span.counts().nanos()));
        for (HostActivity.Disk disk : span.counts().diskActivity()) {
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
