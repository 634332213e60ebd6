package siemload.measure.monitor;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.HdrHistogram.Histogram;
import siemload.measure.RunClock;
import siemload.measure.monitor.HostCounts.CpuUse;
import siemload.measure.monitor.OwnHost.Look;
import siemload.results.HostActivity;
import siemload.results.HostActivity.CpuShares;
import siemload.results.HostActivity.Disk;
import siemload.results.HostActivity.Transfers;
import siemload.results.MicrosSummary;
import siemload.results.RunFile;
import siemload.results.RunWriter;
import siemload.results.TableWriter;

/** Writes what this machine does in each second, and sums it up over the measured phase, without its pauses. Thread-safe. */
final class HostWatch implements AutoCloseable {
    private static final double HEAVY_RATIO = 0.05;
    /** Who ran for less in a second has nothing to lose. */
    private static final long LEAST_RAN_NANOS = 20_000_000;

    private final OwnHost host;
    private final RunClock clock;
    private final TableWriter seconds;
    private final TableWriter cpus;
    private final TableWriter disks;
    private Optional<HostCounts> last = Optional.empty();
    /** What was counted between the last look and a pause. */
    private HostCounts beforePause = HostCounts.NONE;
    /** What was counted in the measured phase; empty before it. */
    private Optional<HostCounts> measured = Optional.empty();

    private final Map<String, Double> highest = new HashMap<>();
    /** What others took in it, in nanoseconds, and by the second in thousandths of what the database and the load generator ran. */
    private double lostNanos;

    private final Histogram lostPermille = new Histogram(2);
    private boolean paused;

    HostWatch(OwnHost host, RunClock clock, RunWriter writer) throws IOException {
        this.host = host;
        this.clock = clock;
        seconds = writer.table(RunFile.HOST);
        cpus = writer.table(RunFile.CPUS);
        disks = writer.table(RunFile.DISKS);
    }

    /** Looks at the machine; what was due at this instant belongs to the second before it. */
    synchronized void tick(long dueNanos) {
        if (paused) {
            return;
        }
        Look now = host.read();
        if (last.isPresent()) {
            HostCounts span = beforePause.plus(now.counts().since(last.orElseThrow()));
            write(clock.second(dueNanos), now, span);
            measured.ifPresent(all -> measure(all, span, now));
        }
        beforePause = HostCounts.NONE;
        last = Optional.of(now.counts());
        if (measured.isEmpty() && dueNanos - clock.measureNanos() >= 0) {
            measured = Optional.of(HostCounts.NONE);
        }
    }

    private void measure(HostCounts before, HostCounts span, Look now) {
        measured = Optional.of(before.plus(span));
        now.levels().forEach((name, value) -> highest.merge(name, value, Math::max));
        double lost = span.lostNanos();
        lostNanos += lost;
        lostPermille.recordValue(Math.round(1_000 * lost / Math.max(LEAST_RAN_NANOS, span.ranNanos())));
    }

    /** What the machine does from now on does not count. */
    synchronized void pause() {
        paused = true;
        HostCounts now = host.read().counts();
        last.ifPresent(before -> beforePause = beforePause.plus(now.since(before)));
    }

    /** It counts again. */
    synchronized void resume() {
        paused = false;
        HostCounts now = host.read().counts();
        boolean begins = measured.isEmpty() && now.nanos() - clock.measureNanos() >= 0;
        if (begins) {
            beforePause = HostCounts.NONE;
            measured = Optional.of(HostCounts.NONE);
        }
        last = begins || last.isPresent() ? Optional.of(now) : last;
    }

    /** What the machine did in the measured phase up to the last look. */
    synchronized HostActivity activity(HostActivity.Pauses pauses, MicrosSummary eventLoopLateness) {
        if (measured.isEmpty()) {
            return HostActivity.NONE;
        }
        HostCounts all = measured.orElseThrow();
        Look most = new Look(all, highest);
        return new HostActivity(
                host.cpus(),
                all.shares(),
                all.contention(
                        lostNanos / Math.max(LEAST_RAN_NANOS, all.ranNanos()),
                        lostPermille.getValueAtPercentile(95) / 1e3),
                most.load("load1"),
                most.bytes("memoryUsedBytes"),
                most.bytes("databaseMemoryBytes"),
                all.transfers(),
                all.disks(),
                all.heavierThan(HEAVY_RATIO),
                pauses,
                eventLoopLateness);
    }

    /**
     * Writes the lines of a second.
     *
     * @param span of about a second, by which what was moved is told for one second
     */
    private void write(double second, Look now, HostCounts span) {
        CpuUse all = span.use(HostCounts.ALL);
        CpuShares shares = span.shares();
        Transfers moved = span.transfers();
        seconds.row(
                second,
                all.userRatio(),
                all.systemRatio(),
                all.iowaitRatio(),
                all.stealRatio(),
                now.load("load1"),
                now.bytes("memoryUsedBytes"),
                now.bytes("pageCacheBytes"),
                ofSecond(moved.swapInBytes(), span),
                ofSecond(moved.swapOutBytes(), span),
                ofSecond(moved.networkReceivedBytes(), span),
                ofSecond(moved.networkSentBytes(), span),
                shares.databaseCpuRatio(),
                shares.generatorCpuRatio(),
                shares.otherCpuRatio(),
                span.ofCpus("kernel"),
                now.bytes("databaseMemoryBytes"),
                span.waitedSeconds());
        for (String cpu : span.cpus()) {
            CpuUse one = span.use(HostCounts.CPU + cpu + "/");
            cpus.row(second, cpu, one.userRatio(), one.systemRatio(), one.iowaitRatio(), one.stealRatio());
        }
        for (Disk disk : span.disks()) {
            disks.row(
                    second,
                    disk.name(),
                    ofSecond(disk.reads(), span),
                    ofSecond(disk.readBytes(), span),
                    ofSecond(disk.writes(), span),
                    ofSecond(disk.writtenBytes(), span),
                    disk.utilisationRatio());
        }
        List.of(seconds, cpus, disks).forEach(TableWriter::flush);
    }

    private static long ofSecond(long counted, HostCounts span) {
        return Math.round(counted / span.seconds());
    }

    /** Closes the files. @throws IOException if one is not complete */
    @Override
    public synchronized void close() throws IOException {
        try (seconds;
                cpus;
                disks) {
            seconds.flush();
        }
    }
}
