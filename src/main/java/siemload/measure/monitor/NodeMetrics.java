package siemload.measure.monitor;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import siemload.measure.monitor.HostCounts.CpuNanos;
import siemload.measure.monitor.HostCounts.DiskReading;
import siemload.measure.monitor.HostReading.Levels;
import siemload.measure.monitor.PrometheusText.Sample;
import siemload.results.HostActivity.Transfers;

/**
 * What the metrics of Prometheus' node exporter mean, of version 1 and newer on Linux. Collectors that are turned off leave their figures 0;
 * without the CPUs it is none. Used by one thread.
 */
final class NodeMetrics {
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double MILLIS_PER_SECOND = 1e3;
    /** Pages of the swap space are counted in those of the kernel, whose size no metric tells: this is the usual one. */
    private static final long BYTES_OF_PAGE = 4096;

    private final List<Sample> samples;

    private NodeMetrics(List<Sample> samples) {
        this.samples = samples;
    }

    /**
     * A look at the host that has these metrics.
     *
     * @param nanos when, on the monotonic clock
     * @throws IllegalArgumentException if they are not those of a node exporter
     */
    static HostReading reading(List<Sample> samples, long nanos) {
        return new NodeMetrics(samples).reading(nanos);
    }

    private HostReading reading(long nanos) {
        Map<String, CpuTimes> cpus = cpus();
        if (cpus.isEmpty()) {
            throw new IllegalArgumentException(
                    "there is no metric node_cpu_seconds_total, so that these are not the metrics of a node exporter on Linux");
        }
        CpuTimes all = new HostSpan(HostCounts.NONE, cpus).cpu();
        HostCounts counts = new HostCounts(
                new CpuNanos(all.total(), all.user() + all.system(), all.iowait(), all.steal(), 0, 0),
                HostCounts.Contention.NONE,
                transfers(),
                disks(),
                Map.of(),
                nanos);
        return new HostReading(counts, cpus, levels());
    }

    private Map<String, CpuTimes> cpus() {
        Map<String, CpuTimes> cpus = new LinkedHashMap<>();
        for (Sample sample : samples) {
            if (sample.name().equals("node_cpu_seconds_total")) {
                long spent = whole(sample.value() * NANOS_PER_SECOND);
                cpus.merge(
                        cell(sample.label("cpu")),
                        times(sample.label("mode"), spent),
                        (one, more) -> one.with(more, Long::sum));
            }
        }
        return cpus;
    }

    private static CpuTimes times(String mode, long nanos) {
        return switch (mode) {
            case "user", "nice" -> new CpuTimes(nanos, 0, 0, 0, nanos);
            case "system", "irq", "softirq" -> new CpuTimes(0, nanos, 0, 0, nanos);
            case "iowait" -> new CpuTimes(0, 0, nanos, 0, nanos);
            case "steal" -> new CpuTimes(0, 0, 0, nanos, nanos);
            default -> new CpuTimes(0, 0, 0, 0, nanos);
        };
    }

    private Levels levels() {
        return new Levels(
                value("node_load1"),
                value("node_load5"),
                value("node_load15"),
                Math.max(0, whole(value("node_memory_MemTotal_bytes") - value("node_memory_MemAvailable_bytes"))),
                whole(value("node_memory_Buffers_bytes") + value("node_memory_Cached_bytes")),
                0);
    }

    private Transfers transfers() {
        Predicate<Sample> counted =
                sample -> !sample.label("device").equals("lo") && !MachineReader.isBridge(sample.label("device"));
        return new Transfers(
                whole(value("node_vmstat_pswpin")) * BYTES_OF_PAGE,
                whole(value("node_vmstat_pswpout")) * BYTES_OF_PAGE,
                whole(sum("node_network_receive_bytes_total", counted)),
                whole(sum("node_network_transmit_bytes_total", counted)));
    }

    private Map<String, DiskReading> disks() {
        Map<String, DiskReading> disks = new LinkedHashMap<>();
        for (Sample sample : samples) {
            String device = cell(sample.label("device"));
            if (sample.name().startsWith("node_disk_") && !device.isEmpty() && MachineReader.isDisk(device)) {
                DiskReading counted = counted(sample, device);
                disks.merge(device, counted, (one, more) -> one.with(more, Long::sum));
            }
        }
        return disks;
    }

    private static DiskReading counted(Sample sample, String device) {
        long value = whole(sample.value());
        return switch (sample.name()) {
            case "node_disk_reads_completed_total" -> new DiskReading(device, value, 0, 0, 0, 0);
            case "node_disk_read_bytes_total" -> new DiskReading(device, 0, value, 0, 0, 0);
            case "node_disk_writes_completed_total" -> new DiskReading(device, 0, 0, value, 0, 0);
            case "node_disk_written_bytes_total" -> new DiskReading(device, 0, 0, 0, value, 0);
            case "node_disk_io_time_seconds_total" ->
                new DiskReading(device, 0, 0, 0, 0, whole(sample.value() * MILLIS_PER_SECOND));
            default -> new DiskReading(device, 0, 0, 0, 0, 0);
        };
    }

    private double value(String name) {
        return sum(name, sample -> sample.labels().isEmpty());
    }

    private double sum(String name, Predicate<Sample> counted) {
        double sum = 0;
        for (Sample sample : samples) {
            if (sample.name().equals(name) && counted.test(sample) && Double.isFinite(sample.value())) {
                sum += sample.value();
            }
        }
        return sum;
    }

    /** What is no number, or below 0, is none that a host counts. */
    private static long whole(double value) {
        return Double.isFinite(value) && value > 0 ? Math.round(value) : 0;
    }

    /** As it may stand in a table. */
    private static String cell(String label) {
        return label.replaceAll("[,\"\\p{Cntrl}]", " ").strip();
    }
}
