package siemload.measure.monitor;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import siemload.config.MetricsUrl;
import siemload.measure.RunClock;
import siemload.measure.monitor.NodeExporter.Sample;
import siemload.results.HostActivity.Disk;
import siemload.results.HostActivity.HostFigures;
import siemload.results.HostActivity.Transfers;
import siemload.results.RunWriter;

/** Against a server that answers like a node exporter, or as none should. */
@Timeout(60)
class NodeExporterTest {
    private static final String METRICS = metrics(100, 50, 1000, 10, 500);

    private final RunClock clock = RunClock.startingAt(System.nanoTime(), Duration.ofSeconds(1), Duration.ofMinutes(5));
    private final CountDownLatch over = new CountDownLatch(1);
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private HttpServer server;
    private NodeExporter exporter;
    private volatile Answer answer = exchange -> send(exchange, 200, METRICS);

    @TempDir
    private Path directory;

    /** What the server does with a request. */
    @FunctionalInterface
    private interface Answer {
        void to(HttpExchange exchange) throws IOException;
    }

    @BeforeEach
    void startServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/metrics", exchange -> {
            try (exchange) {
                answer.to(exchange);
            }
        });
        server.start();
        String host = "127.0.0.1:" + server.getAddress().getPort();
        exporter = new NodeExporter(new MetricsUrl(host, "http://" + host + "/metrics", Optional.of("reader:s3cr:et")));
    }

    @AfterEach
    void stopServer() {
        over.countDown();
        server.stop(0);
        threads.shutdownNow();
    }

    /** The time of a request that has headers is over for the client of Java; ours is not. */
    @Test
    void aHostThatStopsInTheMiddleOfItsAnswerIsNotAwaitedForLong() {
        answer = exchange -> {
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().write("node_load1 1\n".getBytes(UTF_8));
            exchange.getResponseBody().flush();
            awaitTheEnd();
        };

        assertThatIOException().isThrownBy(exporter::read).withMessage("no answer within 2 s");
    }

    @Test
    void anAnswerWithoutAnEndIsCutOff() {
        answer = exchange -> {
            exchange.sendResponseHeaders(200, 0);
            byte[] comment = "# and so on\n".repeat(10_000).getBytes(UTF_8);
            for (int i = 0; i < 1_000; i++) {
                exchange.getResponseBody().write(comment);
            }
        };

        assertThatIOException().isThrownBy(exporter::read).withMessageContaining("the answer is longer than 16 MiB");
    }

    @Test
    void secondsWithoutAnAnswerAreGapsAndAreSaidOnce() throws Exception {
        HostFigures figures;
        List<String> notes;
        try (HostWatch.Tables tables = new HostWatch.Tables(RunWriter.to(directory))) {
            HostWatch watch = new HostWatch(exporter, clock, tables);
            watch.tick(second(-1));
            answer = exchange -> send(exchange, 200, metrics(101, 50, 1001, 12, 700));
            watch.tick(second(0));
            answer = exchange -> send(exchange, 503, "");
            watch.tick(second(1));
            watch.tick(second(2));
            answer = exchange -> send(exchange, 200, metrics(101.5, 51.5, 1002, 18, 1_000));
            watch.tick(second(3));
            figures = watch.figures();
            notes = watch.notes();
        }

        assertThat(rows("host.csv")).extracting(row -> row.split(",")[0]).containsExactly("0.000", "3.000");
        assertThat(rows("host.csv").get(1))
                .startsWith("3.000," + exporter.name()
                        + ",0.1250,0.3750,0.0000,0.0000,0.7500,0.5000,0.2500,3000000000,3100000000,");
        assertThat(rows("cpus.csv")).hasSize(4);
        assertThat(rows("disks.csv")).hasSize(2);
        assertThat(figures.cpus()).isEqualTo(2);
        assertThat(figures.cpu()).as("after second 0").isEqualTo(new HostFigures.CpuUse(0.125, 0.375, 0, 0));
        assertThat(figures.disks().get(0).reads()).isEqualTo(6);
        assertThat(figures.transfers().networkReceivedBytes()).isEqualTo(300);
        assertThat(figures.looks()).isEqualTo(3);
        assertThat(figures.failedLooks()).isEqualTo(2);
        assertThat(notes)
                .containsExactly(
                        "the host " + exporter.name()
                                + " did not answer 2 of 5 times, which are gaps in its figures: it answered with HTTP status 503");
    }

    @Test
    void timesOfAllModesBelongToOneOfFour() {
        HostWatch.Reading now = NodeExporter.reading(NodeExporter.samples(METRICS), 0);

        assertThat(now.counts().values())
                .containsEntry("cpu/0/user", 101_000_000_000L)
                .containsEntry("cpu/0/system", 52_000_000_000L)
                .containsEntry("cpu/0/iowait", 12_500_000_000L)
                .containsEntry("cpu/0/steal", 3_000_000_000L)
                .containsEntry("cpu/0/total", 1_168_500_000_000L)
                .containsEntry("all/user", 131_000_000_000L);
        assertThat(now.levels())
                .isEqualTo(Map.of(
                        "load1", 0.75, "load5", 0.5, "load15", 0.25, "memoryUsedBytes", 3e9, "pageCacheBytes", 3.1e9));
        assertThat(now.counts().transfers()).isEqualTo(new Transfers(40_960, 81_920, 500, 2_000));
        assertThat(now.counts().disks()).extracting(Disk::name).containsExactly("vda");
        assertThat(now.counts().of("disk/vda/busyMillis")).isEqualTo(1_250);
    }

    @Test
    void whatIsNoNodeExporterIsSaidToBeNone() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> NodeExporter.reading(NodeExporter.samples("up 1\n"), 0))
                .withMessageContaining("node_cpu_seconds_total");
    }

    @Test
    void samplesAreReadWithTheirLabelsAndCommentsAreSkipped() {
        String text = """
                # HELP http_requests_total The total number of HTTP requests.
                # TYPE http_requests_total counter
                http_requests_total{method="post",code="200"} 1027 1395066363000
                http_requests_total{method="post",code="400"}    3 1395066363000

                # Escaping in label values:
                msdos_file_access_time_seconds{path="C:\\\\DIR\\\\FILE.TXT",error="Cannot find file:\\n\\"FILE.TXT\\""} 1.458255915e9
                \t # Minimalistic line:
                metric_without_timestamp_and_labels 12.47
                # A weird metric from before the epoch:
                something_weird{problem="division by zero"} +Inf -3982045
                with_blanks { le = "0.05" , } -.5e-3\r
                rpc:duration_seconds{} NaN
                """;

        assertThat(NodeExporter.samples(text))
                .containsExactly(
                        new Sample("http_requests_total", Map.of("method", "post", "code", "200"), 1027),
                        new Sample("http_requests_total", Map.of("method", "post", "code", "400"), 3),
                        new Sample(
                                "msdos_file_access_time_seconds",
                                Map.of("path", "C:\\DIR\\FILE.TXT", "error", "Cannot find file:\n\"FILE.TXT\""),
                                1.458255915e9),
                        new Sample("metric_without_timestamp_and_labels", Map.of(), 12.47),
                        new Sample("something_weird", Map.of("problem", "division by zero"), Double.POSITIVE_INFINITY),
                        new Sample("with_blanks", Map.of("le", "0.05"), -0.0005),
                        new Sample("rpc:duration_seconds", Map.of(), Double.NaN));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<html>",
                "9lives 1",
                "load",
                "load 0x10",
                "load 1 2 3",
                "load 1 soon",
                "load{a='1'} 1",
                "load{a=\"1} 1",
                "load{a=\"1\" b=\"2\"} 1",
                "load{a=\"1\",a=\"2\"} 1",
                "load{a=\"\\t\"} 1",
                "load{a=\"1\"",
            })
    void whatIsNoneOfTheFormatIsRefusedWithItsLine(String line) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> NodeExporter.samples("up 1\n" + line + "\n"))
                .withMessage("line 2: '" + line + "' is no sample of Prometheus' text format");
    }

    private List<String> rows(String file) throws IOException {
        List<String> lines = Files.readAllLines(directory.resolve(file));
        return lines.subList(1, lines.size());
    }

    private void awaitTheEnd() {
        try {
            boolean unused = over.await(30, TimeUnit.SECONDS);
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    private static void send(HttpExchange exchange, int status, String text) throws IOException {
        byte[] body = text.getBytes(UTF_8);
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
    }

    private long second(int number) {
        return clock.measureNanos() + TimeUnit.SECONDS.toNanos(number);
    }

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
}
