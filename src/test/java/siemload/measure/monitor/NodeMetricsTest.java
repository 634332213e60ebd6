package siemload.measure.monitor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import siemload.measure.monitor.MachineReader.LinuxMemory;
import siemload.results.HostActivity.Disk;
import siemload.results.HostActivity.HostFigures.CpuUse;
import siemload.results.HostActivity.Transfers;

/** Two looks at a host with two CPUs, a second apart. */
class NodeMetricsTest {
    private static final long SECOND = 1_000_000_000L;

    /** What a node exporter says; {@code %s} stands for what changes. */
    static String metrics(double user, double system, double idle, long diskReads, long received) {
        return """
                # HELP node_cpu_seconds_total Seconds the CPUs spent in each mode.
                # TYPE node_cpu_seconds_total counter
                node_cpu_seconds_total{cpu="0",mode="idle"} %1$s
                node_cpu_seconds_total{cpu="0",mode="iowait"} 12.5
                node_cpu_seconds_total{cpu="0",mode="irq"} 0
                node_cpu_seconds_total{cpu="0",mode="nice"} 1
                node_cpu_seconds_total{cpu="0",mode="softirq"} 2
                node_cpu_seconds_total{cpu="0",mode="steal"} 3
                node_cpu_seconds_total{cpu="0",mode="system"} %2$s
                node_cpu_seconds_total{cpu="0",mode="user"} %3$s
                node_cpu_seconds_total{cpu="1",mode="idle"} %1$s
                node_cpu_seconds_total{cpu="1",mode="system"} 20
                node_cpu_seconds_total{cpu="1",mode="user"} 30
                node_cpu_guest_seconds_total{cpu="0",mode="user"} 999
                node_load1 0.75
                node_load5 0.5
                node_load15 2.5e-1
                node_memory_MemTotal_bytes 8.0e+09
                node_memory_MemAvailable_bytes 5e+09
                node_memory_Buffers_bytes 1e+08
                node_memory_Cached_bytes 3e+09
                node_vmstat_pswpin 10
                node_vmstat_pswpout 20
                node_network_receive_bytes_total{device="eth0"} %4$d
                node_network_receive_bytes_total{device="lo"} 123456
                node_network_receive_bytes_total{device="docker0"} 77
                node_network_transmit_bytes_total{device="eth0"} 2000
                node_disk_reads_completed_total{device="vda"} %5$d
                node_disk_read_bytes_total{device="vda"} 4096
                node_disk_writes_completed_total{device="vda"} 7
                node_disk_written_bytes_total{device="vda"} 8192
                node_disk_io_time_seconds_total{device="vda"} 1.25
                node_disk_reads_completed_total{device="loop0"} 5
                node_filesystem_avail_bytes{device="/dev/vda1",mountpoint="/"} 1
                """.formatted(idle, system, user, received, diskReads);
    }

    private static HostReading reading(String metrics, long nanos) {
        return NodeMetrics.reading(PrometheusText.read(metrics), nanos);
    }

    @Test
    void whatCpusDidIsTheDifferenceOfTwoLooks() {
        HostReading before = reading(metrics(100, 50, 1000, 10, 500), 0);
        HostReading after = reading(metrics(100.5, 50.25, 1000.25, 14, 1_500), SECOND);

        HostSpan span = after.since(before);
        assertThat(span.cpus().get("0").use()).isEqualTo(new CpuUse(0.5, 0.25, 0, 0));
        assertThat(span.cpus().get("1").use()).isEqualTo(new CpuUse(0, 0, 0, 0));
        assertThat(span.cpu().use()).as("0.5 of 1.25 s, 0.25 of them").isEqualTo(new CpuUse(0.4, 0.2, 0, 0));
        assertThat(span.counts().transfers()).isEqualTo(new Transfers(0, 0, 1_000, 0));
        assertThat(span.counts().diskActivity()).containsExactly(new Disk("vda", 4, 0, 0, 0, 0));
        assertThat(span.seconds()).isEqualTo(1);
    }

    @Test
    void timesOfAllModesBelongToOneOfFour() {
        HostReading now = reading(metrics(100, 50, 1000, 10, 500), 0);

        assertThat(now.cpus())
                .containsEntry(
                        "0", new CpuTimes(101 * SECOND, 52 * SECOND, 25 * SECOND / 2, 3 * SECOND, 1_168_500_000_000L));
        assertThat(now.levels()).isEqualTo(new HostReading.Levels(0.75, 0.5, 0.25, 3_000_000_000L, 3_100_000_000L, 0));
        assertThat(now.counts().transfers()).isEqualTo(new Transfers(40_960, 81_920, 500, 2_000));
        assertThat(now.counts().disks().keySet()).containsExactly("vda");
        assertThat(now.counts().disks().get("vda").busyMillis()).isEqualTo(1_250);
    }

    @Test
    void whatIsNoNodeExporterIsSaidToBeNone() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> reading("up 1\n", 0))
                .withMessageContaining("node_cpu_seconds_total");
    }

    /** As Linux tells it, of which the exporter makes its metrics. */
    @Test
    void cachesAndSharedMemoryAreReadFromProc() throws Exception {
        assertThat(LinuxMemory.pageCacheBytes("MemTotal: 100 kB\nBuffers:  3 kB\nCached:    40 kB\nSwapCached: 7 kB\n"))
                .isEqualTo(43 * 1024);
        assertThat(LinuxMemory.together(java.util.List.of("900 300 250 1 0 2 0", "900 120 100 1 0 2 0", "")))
                .as("50 and 20 alone, 250 of both")
                .isEqualTo(320);
        if (Files.isReadable(Path.of("/proc/meminfo"))) {
            assertThat(LinuxMemory.pageCacheBytes()).isPositive();
            assertThat(LinuxMemory.bytes(
                            java.util.List.of(ProcessHandle.current().pid()), 4096))
                    .isGreaterThan(10 << 20);
        }
    }
}
