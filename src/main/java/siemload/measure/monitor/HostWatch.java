package siemload.measure.monitor;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.HdrHistogram.Histogram;
import siemload.measure.RunClock;
import siemload.measure.monitor.OwnHost.Look;
import siemload.results.HostActivity;
import siemload.results.HostActivity.CpuShares;
import siemload.results.HostActivity.Disk;
import siemload.results.HostActivity.HostFigures;
import siemload.results.HostActivity.HostFigures.CpuUse;
import siemload.results.HostActivity.Transfers;
import siemload.results.MicrosSummary;
import siemload.results.RunFile;
import siemload.results.RunWriter;
import siemload.results.TableWriter;

/**
 * Writes what a host does in each second, and sums it up over the measured phase, without its pauses. Seconds in which it does not
 * answer are gaps, and nothing worse: they say nothing of the run. Thread-safe.
 */
final class HostWatch {
    private static final double HEAVY_RATIO = 0.05;
    /** Who ran for less in a second has nothing to lose. */
    private static final long LEAST_RAN_NANOS = 20_000_000;

    /** A difference over more than that says nothing of the last second of another host. */
    private static final double LONGEST_SPAN_SECONDS = 3;

    private final Host host;
    private final RunClock clock;
    private final Tables tables;
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
    private long looks;
    private long failures;
    private long measuredLooks;
    private long measuredFailures;
    private String failure = "";

    /** @param tables of all hosts; whoever opened them closes them */
    HostWatch(Host host, RunClock clock, Tables tables) {
        this.host = host;
        this.clock = clock;
        this.tables = tables;
    }

    /** A host that tells what it does. Used by one thread at a time. */
    interface Host {
        /** What results call it: no secret, and no comma. */
        String name();

        /** The number of its logical CPUs at the last look. */
        int cpus();

        /**
         * Looks at it; takes a few seconds at most.
         *
         * @throws IOException if it does not answer, or not understandably; the message says which for people
         */
        Look read() throws IOException;
    }

    /** Looks at the host; what was due at this instant belongs to the second before it. */
    synchronized void tick(long dueNanos) {
        if (!paused) {
            boolean isMeasured = dueNanos - clock.measureNanos() >= 0;
            looks++;
            measuredLooks += isMeasured ? 1 : 0;
            look(isMeasured).ifPresent(now -> take(dueNanos, isMeasured, now));
        }
    }

    private Optional<Look> look(boolean isMeasured) {
        try {
            return Optional.of(host.read());
        } catch (IOException unanswered) {
            failures++;
            measuredFailures += isMeasured ? 1 : 0;
            failure = String.valueOf(unanswered.getMessage());
            return Optional.empty();
        }
    }

    private void take(long dueNanos, boolean isMeasured, Look now) {
        if (last.isPresent()) {
            HostCounts span = beforePause.plus(now.counts().since(last.orElseThrow()));
            if (host instanceof OwnHost || span.seconds() <= LONGEST_SPAN_SECONDS) {
                tables.write(clock.second(dueNanos), host.name(), now, span);
            }
            measured.ifPresent(all -> measure(all, span, now));
        }
        beforePause = HostCounts.NONE;
        last = Optional.of(now.counts());
        if (measured.isEmpty() && isMeasured) {
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

    /** What the host does from now on does not count. */
    synchronized void pause() {
        paused = true;
        look(false).ifPresent(now ->
                last.ifPresent(before -> beforePause = beforePause.plus(now.counts().since(before))));
    }

    /** It counts again. */
    synchronized void resume() {
        paused = false;
        look(false).map(Look::counts).ifPresent(now -> {
            boolean begins = measured.isEmpty() && now.nanos() - clock.measureNanos() >= 0;
            if (begins) {
                beforePause = HostCounts.NONE;
                measured = Optional.of(HostCounts.NONE);
            }
            last = begins || last.isPresent() ? Optional.of(now) : last;
        });
    }

    /** What this machine did in the measured phase up to the last look. */
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

    /** What the host did in the measured phase, as sysstat would show it. */
    synchronized HostFigures figures() {
        HostCounts all = measured.orElse(HostCounts.NONE);
        Look most = new Look(all, highest);
        return new HostFigures(
                host.name(),
                host.cpus(),
                all.use(HostCounts.ALL),
                most.load("load1"),
                most.bytes("memoryUsedBytes"),
                most.bytes("pageCacheBytes"),
                all.transfers(),
                all.disks(),
                measuredLooks,
                measuredFailures);
    }

    /** When it did not answer, and why; empty where it always did. */
    synchronized List<String> notes() {
        String gaps = failures == looks
                ? "was never seen, so that its figures are missing"
                : "did not answer " + failures + " of " + looks + " times, which are gaps in its figures";
        return failures == 0 ? List.of() : List.of("the host " + host.name() + " " + gaps + ": " + failure);
    }

    /** The files of all hosts. Thread-safe. */
    static final class Tables implements AutoCloseable {
        private final TableWriter hosts;
        private final TableWriter cpus;
        private final TableWriter disks;

        Tables(RunWriter writer) throws IOException {
            hosts = writer.table(RunFile.HOST);
            cpus = writer.table(RunFile.CPUS);
            disks = writer.table(RunFile.DISKS);
        }

        /**
         * Writes the lines of a second.
         *
         * @param span of about a second, by which what was moved is told for one second
         */
        synchronized void write(double second, String host, Look now, HostCounts span) {
            CpuUse all = span.use(HostCounts.ALL);
            CpuShares shares = span.shares();
            Transfers moved = span.transfers();
            hosts.row(
                    second,
                    host,
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
                        host,
                        disk.name(),
                        ofSecond(disk.reads(), span),
                        ofSecond(disk.readBytes(), span),
                        ofSecond(disk.writes(), span),
                        ofSecond(disk.writtenBytes(), span),
                        disk.utilisationRatio());
            }
            List.of(hosts, cpus, disks).forEach(TableWriter::flush);
        }

        private static long ofSecond(long counted, HostCounts span) {
            return Math.round(counted / span.seconds());
        }

        /** Closes the files. @throws IOException if one is not complete */
        @Override
        public synchronized void close() throws IOException {
            try (hosts;
                    cpus;
                    disks) {
                hosts.flush();
            }
        }
    }
}
