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
    private Optional<Look> atStart = Optional.empty();
    private Optional<Look> last = Optional.empty();
    private Optional<Look> paused = Optional.empty();
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

    private record Look(HostReading reading, long nanos) {

        HostSpan until(Look later) {
            return new HostSpan(reading, later.reading, Math.max(1, later.nanos - nanos));
        }

        Look skipping(Look from, Look until) {
            return new Look(reading.skipping(from.reading, until.reading), nanos + until.nanos - from.nanos);
        }
    }

    /** Looks at the machine; what was due at this instant belongs to the second before it. */
    synchronized void tick(long dueNanos) {
        if (paused.isPresent()) {
            return;
        }
        Look look = look();
        databaseSeen |= machine.seesDatabase();
        last.ifPresent(before -> write(dueNanos, before.until(look)));
        last = Optional.of(look);
        if (atStart.isPresent()) {
            loadMax = Math.max(loadMax, look.reading().load());
            memoryUsedBytesMax = Math.max(memoryUsedBytesMax, look.reading().memoryUsedBytes());
        } else if (dueNanos - clock.measureNanos() >= 0) {
            atStart = last;
        }
    }

    /** What the machine does from now on does not count. */
    synchronized void pause() {
        paused = Optional.of(look());
    }

    /** It counts again. */
    synchronized void resume() {
        Look now = look();
        paused.ifPresent(then -> {
            atStart = atStart.map(look -> look.skipping(then, now));
            last = last.map(look -> look.skipping(then, now));
        });
        paused = Optional.empty();
        if (atStart.isEmpty() && now.nanos() - clock.measureNanos() >= 0) {
            last = Optional.of(now);
            atStart = last;
        }
    }

    private Look look() {
        return new Look(machine.read(), System.nanoTime());
    }

    /** What the machine did in the measured phase up to the last look. */
    synchronized HostActivity activity(HostActivity.Pauses pauses, MicrosSummary eventLoopLateness) {
        if (atStart.isEmpty() || last.isEmpty()) {
            return HostActivity.NONE;
        }
        HostSpan span = atStart.orElseThrow().until(last.orElseThrow());
        return new HostActivity(
                machine.cpus(),
                rounded(span.databaseCpuRatio()),
                rounded(span.generatorCpuRatio()),
                rounded(span.otherCpuRatio()),
                rounded(span.iowaitRatio()),
                rounded(span.stealRatio()),
                loadMax,
                memoryUsedBytesMax,
                span.swapInBytes(),
                span.swapOutBytes(),
                span.networkReceivedBytes(),
                span.networkSentBytes(),
                span.disks().stream().map(HostWatch::rounded).toList(),
                span.heavierThan(HEAVY_RATIO).stream().map(HostWatch::rounded).toList(),
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

    private void write(long dueNanos, HostSpan span) {
        HostReading now = span.until();
        host.row(
                clock.second(dueNanos),
                span.databaseCpuRatio(),
                span.generatorCpuRatio(),
                span.otherCpuRatio(),
                span.iowaitRatio(),
                span.stealRatio(),
                now.load(),
                now.memoryUsedBytes(),
                span.swapInBytes(),
                span.swapOutBytes(),
                span.networkReceivedBytes(),
                span.networkSentBytes());
        for (HostActivity.Disk disk : span.disks()) {
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

    private static HostActivity.Disk rounded(HostActivity.Disk disk) {
        return new HostActivity.Disk(
                disk.name(),
                disk.reads(),
                disk.readBytes(),
                disk.writes(),
                disk.writtenBytes(),
                rounded(disk.utilisationRatio()));
    }

    private static HostActivity.HeavyProcess rounded(HostActivity.HeavyProcess process) {
        return new HostActivity.HeavyProcess(process.name(), rounded(process.cpuRatio()));
    }

    private static double rounded(double ratio) {
        return Math.round(ratio * 1e4) / 1e4;
    }
}
