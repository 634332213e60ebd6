package siemload.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import siemload.results.HostActivity;
import siemload.results.RunResult;

class HostMetricsRunTest {
    /** What two CPUs have counted long ago, and since then by each look. */
    private static final String METRICS = """
            # TYPE node_cpu_seconds_total counter
            node_cpu_seconds_total{cpu="0",mode="idle"} %1$d.5
            node_cpu_seconds_total{cpu="1",mode="idle"} %1$d
            node_cpu_seconds_total{cpu="0",mode="iowait"} %1$d
            node_cpu_seconds_total{cpu="1",mode="iowait"} 7e+06
            node_cpu_seconds_total{cpu="1",mode="softirq"} %1$d
            node_cpu_seconds_total{cpu="1",mode="user"} 9e+06
            node_disk_reads_completed_total{device="vda"} 1%1$d
            node_disk_read_bytes_total{device="loop0"} %1$d
            node_network_receive_bytes_total{device="lo"} %1$d
            node_network_receive_bytes_total{device="eth0"} %1$d 1395066363000
            node_load1 0.75
            node_memory_MemTotal_bytes 8e+09
            node_memory_MemAvailable_bytes 5e+09
            go_goroutines 7
            """;

    private final AtomicInteger looks = new AtomicInteger();

    @TempDir
    private Path directory;

    @Test
    void otherHostsAreInTheResultsAndTheirPasswordsAreNot() throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/metrics", exchange -> {
            byte[] body = METRICS.formatted(1_000 + looks.incrementAndGet()).getBytes(UTF_8);
            boolean known =
                    exchange.getRequestHeaders().getFirst("Authorization").equals("Basic cmVhZGVyOkd1cmtlbjdzYWxhdA==");
            exchange.sendResponseHeaders(known ? 200 : 401, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        String host = "127.0.0.1:" + server.getAddress().getPort();
        String urls = "http://reader:Gurken7salat@" + host + "/metrics,http://127.0.0.1:1/metrics";
        try {
            ChildProcess.Ended run = Siemload.run(
                    directory,
                    List.of("SIEMLOAD_HOST_METRICS=" + urls),
                    ("run --dataset src/test/resources/datasets/tiny.yaml --target memory --users 2 --set analysts.all.thinkTime.mean=100ms"
                                    + " --warmup 1s --duration 3s")
                            .split(" "));

            RunResult result = LatestRun.result(directory);
            assertThat(run.exitCode()).as(run.output()).isIn(0, 4);
            assertThat(result.measured().hosts())
                    .extracting(HostActivity::name)
                    .containsExactly(HostActivity.THIS_HOST, host, "127.0.0.1:1");
            assertDifferences(result.measured().hosts().get(1));
            assertThat(run.output())
                    .contains(
                            "the figures of a host have gaps while the host does not answer: 127.0.0.1:1: no connection");
            assertThat(result.validity().notes())
                    .anyMatch(note -> note.startsWith("the host 127.0.0.1:1 was never seen"));
            assertThat(Files.readString(directory.resolve("results/latest/host.csv")))
                    .contains(",this host,")
                    .contains("," + host + ",0.0000,0.2500,0.2500,0.0000,0.7500,3000000000,");
            assertThat(Files.readString(directory.resolve("results/latest/report.txt")))
                    .contains("busiest disk")
                    .contains(host + ": 2 CPUs");
            assertThat(run.output()).doesNotContain("Gurken7salat");
            assertNowhere("Gurken7salat");
        } finally {
            server.stop(0);
        }
    }

    /** A look counts one more of each; what was there before does not matter. */
    private static void assertDifferences(HostActivity other) {
        assertThat(other.looks()).isGreaterThanOrEqualTo(3);
        assertThat(other.failedLooks()).isZero();
        assertThat(other.cpus()).isEqualTo(2);
        assertThat(other.systemRatio()).isEqualTo(0.25);
        assertThat(other.iowaitRatio()).isEqualTo(0.25);
        assertThat(other.load1Max()).isEqualTo(0.75);
        assertThat(other.memoryUsedBytesMax()).isEqualTo(3_000_000_000L);
        assertThat(other.networkReceivedBytes()).isEqualTo(other.looks() - 1);
        assertThat(other.disks())
                .singleElement()
                .matches(disk -> disk.name().equals("vda") && disk.reads() == other.looks() - 1);
    }

    private void assertNowhere(String secret) throws IOException {
        try (Stream<Path> files = Files.walk(directory.resolve("results"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                assertThat(Files.readString(file, ISO_8859_1))
                        .as(file.toString())
                        .doesNotContain(secret);
            }
        }
    }
}
