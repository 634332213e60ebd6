package siemload.measure.monitor;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
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
import siemload.config.MetricsUrl;
import siemload.measure.RunClock;
import siemload.measure.monitor.RunMonitor.NodeExporter;
import siemload.measure.monitor.RunMonitor.OtherHosts.OtherHostWatch;
import siemload.results.HostActivity.HostFigures;
import siemload.results.RunWriter;

/** Against a server that answers like a node exporter, or as none should. */
@Timeout(60)
class OtherHostWatchTest {
    private static final String METRICS = NodeMetricsTest.metrics(100, 50, 1000, 10, 500);

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

    @Test
    void anAnswerThatIsNoneSaysWhy() {
        answer = exchange -> send(exchange, 401, "who are you?");
        assertThatIOException().isThrownBy(exporter::read).withMessage("it answered with HTTP status 401");

        answer = exchange -> send(exchange, 200, "<html>");
        assertThatIOException()
                .isThrownBy(exporter::read)
                .withMessageStartingWith("what it answered is not understood: line 1, character 1: '<html>'");

        server.stop(0);
        assertThatIOException().isThrownBy(exporter::read).withMessageContaining("connection");
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
        try (HostTables tables = new HostTables(RunWriter.to(directory))) {
            OtherHostWatch watch = new OtherHostWatch(exporter, clock, tables);
            watch.tick(second(-1));
            answer = exchange -> send(exchange, 200, NodeMetricsTest.metrics(101, 50, 1001, 12, 700));
            watch.tick(second(0));
            answer = exchange -> send(exchange, 503, "");
            watch.tick(second(1));
            watch.tick(second(2));
            answer = exchange -> send(exchange, 200, NodeMetricsTest.metrics(101.5, 51.5, 1002, 18, 1_000));
            watch.tick(second(3));
            figures = watch.figures();
            notes = watch.notes();
        }

        assertThat(rows("hosts.csv")).extracting(row -> row.split(",")[0]).containsExactly("0.000", "3.000");
        assertThat(rows("hosts.csv").get(1))
                .startsWith("3.000," + exporter.name()
                        + ",0.1250,0.3750,0.0000,0.0000,0.7500,0.5000,0.2500,3000000000,3100000000,");
        assertThat(rows("cpus.csv")).hasSize(4);
        assertThat(rows("host-disks.csv")).hasSize(2);
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
}
