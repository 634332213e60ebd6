package siemload.measure.monitor;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.HdrHistogram.Histogram;
import siemload.measure.RunClock;
import siemload.results.HostActivity;
import siemload.results.HostActivity.CpuShares;
import siemload.results.HostActivity.CpuUse;
import siemload.results.HostActivity.Disk;
import siemload.results.HostActivity.Transfers;
import siemload.results.RunFile;
import siemload.results.RunWriter;
import siemload.results.RunWriter.TableWriter;

/**
 * Writes what a host does in each second, and sums it up over the measured phase, without its pauses. Seconds in which another one does
 * not answer are gaps, and nothing worse: they say nothing of the run. Thread-safe.
 */
final class HostWatch extends Watch {
    private static final String THREAD = "siemload-host";
    private static final double HEAVY_RATIO = 0.05;
    /** Who ran for less in a second has nothing to lose. */
    private static final long LEAST_RAN_NANOS = 20_000_000;

    /** A difference over more than that says nothing of the last second of another host. */
    private static final double LONGEST_SPAN_SECONDS = 3;

    private final String name;
    private final Supplier<HostCounts> host;
    private final TableWriter seconds;
    private final TableWriter cpus;
    private final TableWriter disks;
    private Optional<HostCounts> last = Optional.empty();
    /** What was counted in the measured phase; empty before it. */
    private Optional<HostCounts> measured = Optional.empty();

    /** What others took in it, in nanoseconds, and by the second in thousandths of what the database and the load generator ran. */
    private double lostNanos;

    private final Histogram lostPermille = new Histogram(2);
    private long looks;
    private long failures;
    private String failure = "";

    /** That of the machine of the load generator. */
    HostWatch(OwnHost host, RunClock clock, RunWriter writer) throws IOException {
        super(THREAD, clock);
        this.name = HostActivity.THIS_HOST;
        this.host = host::read;
        seconds = writer.table(RunFile.HOST);
        cpus = writer.table(RunFile.CPUS);
        disks = writer.table(RunFile.DISKS);
    }

    /** That of another host, in the files of this one's, which closes them. */
    HostWatch(NodeExporter other, HostWatch own) {
        super(THREAD, own.clock);
        name = other.name();
        host = other::read;
        seconds = own.seconds;
        cpus = own.cpus;
        disks = own.disks;
    }

    @Override
    void look(long dueNanos) {
        boolean isMeasured = dueNanos - clock.measureNanos() >= 0;
        looks += isMeasured ? 1 : 0;
        try {
            HostCounts now = host.get();
            last.map(now::since).ifPresent(span -> {
                if (name.equals(HostActivity.THIS_HOST) || span.seconds() <= LONGEST_SPAN_SECONDS) {
                    write(clock.second(dueNanos), span);
                }
                measure(span);
            });
            begin(now, dueNanos);
        } catch (UncheckedIOException unanswered) {
            failures += isMeasured ? 1 : 0;
            failure = String.valueOf(unanswered.getMessage());
        }
    }

    private void begin(HostCounts now, long nanos) {
        last = Optional.of(now);
        if (measured.isEmpty() && nanos - clock.measureNanos() >= 0) {
            measured = Optional.of(HostCounts.NONE);
        }
    }

    private void measure(HostCounts span) {
        measured.ifPresent(before -> {
            measured = Optional.of(before.plus(span));
            double lost = span.lostNanos();
            lostNanos += lost;
            lostPermille.recordValue(Math.round(1_000 * lost / Math.max(LEAST_RAN_NANOS, span.ranNanos())));
        });
    }

    @Override
    synchronized void pause() {
        super.pause();
        last = last.map(before -> {
            HostCounts now = host.get();
            measure(now.since(before));
            // Of a pause within this one nothing is counted twice.
            return now;
        });
    }

    @Override
    synchronized void resume() {
        super.resume();
        HostCounts now = host.get();
        begin(now, now.nanos());
    }

    /**
     * What the host did in the measured phase up to the last look.
     *
     * @param pauses of this process, where it is its host
     */
    synchronized HostActivity activity(HostActivity.Pauses pauses) {
        HostCounts all = measured.orElse(HostCounts.NONE);
        boolean isOwn = name.equals(HostActivity.THIS_HOST);
        return new HostActivity(
                name,
                (int) all.level("cpus"),
                all.use(HostCounts.ALL),
                isOwn ? all.shares() : HostActivity.NONE.shares(),
                all.contention(
                        lostNanos / Math.max(LEAST_RAN_NANOS, all.ranNanos()),
                        lostPermille.getValueAtPercentile(95) / 1e3),
                all.level("load1"),
                (long) all.level("memoryUsedBytes"),
                (long) all.level("pageCacheBytes"),
                all.transfers(),
                all.disks().stream()
                        .sorted(Comparator.comparing(Disk::utilisationRatio).reversed())
                        .toList(),
                all.heavierThan(HEAVY_RATIO),
                isOwn ? pauses : HostActivity.NO_PAUSES,
                looks,
                failures);
    }

    /** When it did not answer in the measured phase, and why; empty where it always did. */
    @Override
    synchronized List<String> notes() {
        String gaps = failures == looks
                ? "was never seen, so that its figures are missing"
                : "did not answer " + failures + " of " + looks + " times, which are gaps in its figures";
        return failures == 0 ? List.of() : List.of("the host " + name + " " + gaps + ": " + failure);
    }

    /**
     * Writes the lines of a second.
     *
     * @param span of about a second, by which what was moved is told for one second
     */
    private void write(double second, HostCounts span) {
        CpuUse all = span.use(HostCounts.ALL);
        CpuShares shares = span.shares();
        Transfers moved = span.transfers();
        seconds.row(
                second,
                name,
                all.userRatio(),
                all.systemRatio(),
                all.iowaitRatio(),
                all.stealRatio(),
                span.level("load1"),
                (long) span.level("memoryUsedBytes"),
                (long) span.level("pageCacheBytes"),
                span.ofSecond(moved.swapInBytes()),
                span.ofSecond(moved.swapOutBytes()),
                span.ofSecond(moved.networkReceivedBytes()),
                span.ofSecond(moved.networkSentBytes()),
                shares.databaseCpuRatio(),
                shares.generatorCpuRatio(),
                shares.otherCpuRatio(),
                span.ofCpus("kernel"),
                span.waitedSeconds());
        for (String cpu : span.cpus()) {
            CpuUse one = span.use(HostCounts.CPU + cpu + "/");
            cpus.row(second, cpu, one.userRatio(), one.systemRatio(), one.iowaitRatio(), one.stealRatio());
        }
        for (Disk disk : span.disks()) {
            disks.row(
                    second,
                    name,
                    disk.name(),
                    span.ofSecond(disk.reads()),
                    span.ofSecond(disk.readBytes()),
                    span.ofSecond(disk.writes()),
                    span.ofSecond(disk.writtenBytes()),
                    disk.utilisationRatio());
        }
        List.of(seconds, cpus, disks).forEach(TableWriter::flush);
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
