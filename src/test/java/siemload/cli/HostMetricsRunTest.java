package siemload.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import siemload.results.HostActivity.HostFigures;
import siemload.results.RunResult;

/** A whole run that watches two other hosts, one of which does not answer. */
class HostMetricsRunTest {
    private static final String METRICS = """
            node_cpu_seconds_total{cpu="0",mode="idle"} 1000
            node_cpu_seconds_total{cpu="0",mode="user"} 100
            node_load1 0.75
            """;

    @TempDir
    private Path directory;

    @Test
    void otherHostsAreInTheResultsAndTheirPasswordsAreNot() throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/metrics", exchange -> {
            byte[] body = METRICS.getBytes(UTF_8);
            exchange.sendResponseHeaders(200, body.length);
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
                    ("run --dataset src/test/resources/datasets/tiny.yaml --target memory --users 2 --thinkTime 100ms"
                                    + " --warmup 1s --duration 3s")
                            .split(" "));

            RunResult result = LatestRun.result(directory);
            assertThat(run.exitCode()).as(run.output()).isIn(0, 4);
            assertThat(result.measured().places().hosts())
                    .extracting(HostFigures::name)
                    .containsExactly(HostFigures.THIS_HOST, host, "127.0.0.1:1");
            HostFigures other = result.measured().places().hosts().get(1);
            assertThat(other.cpus()).isEqualTo(1);
            assertThat(other.load1Max()).isEqualTo(0.75);
            assertThat(other.looks()).isGreaterThanOrEqualTo(2);
            assertThat(run.output())
                    .contains("gaps in the figures of a host, as long as it does not answer: 127.0.0.1:1: ");
            assertThat(result.validity().notes())
                    .anyMatch(note -> note.startsWith("the host 127.0.0.1:1 was never seen"));
            assertThat(Files.readString(directory.resolve("results/latest/host.csv")))
                    .contains(",this host,")
                    .contains("," + host + ",0.0000,");
            assertThat(run.output()).doesNotContain("Gurken7salat");
            assertNowhere("Gurken7salat");
        } finally {
            server.stop(0);
        }
    }

    private void assertNowhere(String secret) throws IOException {
        try (Stream<Path> files = Files.walk(directory.resolve("results"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                assertThat(Files.readString(file, StandardCharsets.ISO_8859_1))
                        .as(file.toString())
                        .doesNotContain(secret);
            }
        }
    }
}
