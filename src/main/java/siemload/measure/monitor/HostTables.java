package siemload.measure.monitor;

import java.io.IOException;
import java.util.Map;
import siemload.measure.monitor.HostReading.Levels;
import siemload.results.HostActivity.Disk;
import siemload.results.HostActivity.HostFigures;
import siemload.results.HostActivity.HostFigures.CpuUse;
import siemload.results.HostActivity.Transfers;
import siemload.results.RunFile;
import siemload.results.RunWriter;
import siemload.results.TableWriter;

/** Writes what each host did in each second: {@code hosts.csv}, {@code cpus.csv} and {@code host-disks.csv}. Thread-safe. */
final class HostTables implements AutoCloseable {
    private final TableWriter hosts;
    private final TableWriter cpus;
    private final TableWriter disks;

    HostTables(RunWriter writer) throws IOException {
        hosts = writer.table(RunFile.HOSTS);
        cpus = writer.table(RunFile.CPUS);
        disks = writer.table(RunFile.HOST_DISKS);
    }

    /**
     * Writes the lines of a second.
     *
     * @param span of about a second, by which what was moved is told for one second
     */
    synchronized void write(double second, String host, Levels now, HostSpan span) {
        CpuUse all = span.cpu().use();
        Transfers moved = span.counts().transfers();
        hosts.row(
                second,
                host,
                all.userRatio(),
                all.systemRatio(),
                all.iowaitRatio(),
                all.stealRatio(),
                now.load1(),
                now.load5(),
                now.load15(),
                now.memoryUsedBytes(),
                now.pageCacheBytes(),
                ofSecond(moved.swapInBytes(), span),
                ofSecond(moved.swapOutBytes(), span),
                ofSecond(moved.networkReceivedBytes(), span),
                ofSecond(moved.networkSentBytes(), span));
        for (Map.Entry<String, CpuTimes> each : span.cpus().entrySet()) {
            CpuUse one = each.getValue().use();
            cpus.row(
                    second,
                    host,
                    each.getKey(),
                    one.userRatio(),
                    one.systemRatio(),
                    one.iowaitRatio(),
                    one.stealRatio());
        }
        if (!host.equals(HostFigures.THIS_HOST)) {
            writeDisks(second, host, span);
        }
        hosts.flush();
        cpus.flush();
        disks.flush();
    }

    /** Those of this host are in {@code disks.csv}. */
    private void writeDisks(double second, String host, HostSpan span) {
        for (Disk disk : span.counts().diskActivity()) {
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
    }

    private static long ofSecond(long counted, HostSpan span) {
        return Math.round(Math.max(0, counted) / span.seconds());
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
