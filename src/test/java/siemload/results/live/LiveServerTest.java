package siemload.results.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import siemload.results.RunFile;

@Timeout(30)
class LiveServerTest {
    private static final RunDescription RUN =
            new RunDescription("hawat-1", "hawat searches <b>2</b> events", Map.of("scenario", "hawat"));

    /** Those of other tests. */
    private final Set<Thread> before = Thread.getAllStackTraces().keySet();

    private final HttpClient client = HttpClient.newHttpClient();

    private LiveServer server;

    @BeforeEach
    void start() throws IOException {
        server = LiveServer.start(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), RUN, Duration.ofSeconds(2));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void whatTheRunWritesIsToldOnceAndSoIsTheEnd() throws Exception {
        server.listener()
                .row(RunFile.TIMELINE, Map.of("second", "1.000", "phase", "measured", "finished", "5", "failed", "0"));

        assertThat(get("seconds").body())
                .startsWith("{\"change\":1,\"over\":false,\"seconds\":[{\"second\":1,\"load\":{")
                .contains("\"finished\":5.0", "\"phase\":\"measured\"");
        assertThat(get("seconds?after=1").body()).contains("\"seconds\":[]");

        Thread closing = new Thread(server::close);
        closing.start();
        await("the end to be told", () -> body("seconds?after=1").contains("\"over\":true"));
        closing.join();
    }

    private String body(String path) {
        try {
            return get(path).body();
        } catch (IOException | InterruptedException gone) {
            throw new AssertionError("the server is gone before it told the end", gone);
        }
    }

    @Test
    void metricsAreInPrometheusFormat() throws Exception {
        HttpResponse<String> metrics = get("metrics");

        assertThat(metrics.headers().firstValue("Content-Type")).contains("text/plain; version=0.0.4; charset=utf-8");
        assertThat(metrics.body())
                .startsWith("# HELP siemload_run_info ")
                .contains("siemload_run_info{scenario=\"hawat\"} 1\n");
    }

    @Test
    void nothingElseIsThere() throws Exception {
        assertThat(get("run.json").statusCode()).isEqualTo(404);
        assertThat(client.send(
                                request("metrics")
                                        .POST(HttpRequest.BodyPublishers.noBody())
                                        .build(),
                                HttpResponse.BodyHandlers.ofString())
                        .statusCode())
                .isEqualTo(405);
    }

    @ParameterizedTest
    @CsvSource({
        "localhost, 200",
        "LOCALHOST:1, 200",
        "127.0.0.1:8089, 200",
        "[::1]:8089, 200",
        "evil.example, 403",
        "127.0.0.1.evil.example, 403",
        "localhost.evil.example:8089, 403",
        "[::1].evil.example, 403",
        "'', 403"
    })
    void onlyNamesOfThisMachineAreAnswered(String host, int status) throws IOException {
        try (Socket socket = open("GET /metrics HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n")) {
            assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .startsWith("HTTP/1.1 " + status + " ");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "metrics", "nowhere"})
    void everyAnswerTellsBrowsersToBeCareful(String path) throws Exception {
        HttpHeaders headers = get(path).headers();

        assertThat(headers.firstValue("X-Content-Type-Options")).contains("nosniff");
        assertThat(headers.firstValue("Content-Security-Policy")).contains("frame-ancestors 'none'");
        assertThat(headers.firstValue("Cache-Control")).contains("no-store");
        assertThat(headers.firstValue("Referrer-Policy")).contains("no-referrer");
    }

    /** All have sent the first half of a request, so that somebody waits for the second. */
    @Test
    void aThousandHalfRequestsTakeFewThreadsAndAreClosedSoon() throws Exception {
        List<Socket> sockets = new ArrayList<>();
        try {
            for (int i = 0; i < 1_000; i++) {
                sockets.add(open("GET / HT"));
            }
            long start = System.nanoTime();
            assertThat(liveThreads()).isLessThanOrEqualTo(32);
            for (Socket socket : sockets) {
                assertClosed(socket);
            }
            assertThat(System.nanoTime() - start).isLessThan(TimeUnit.SECONDS.toNanos(10));
        } finally {
            for (Socket socket : sockets) {
                socket.close();
            }
        }
        assertThat(get("metrics").statusCode()).isEqualTo(200);
    }

    /** Each asks for more than all buffers hold, and takes nothing. */
    @Test
    void whoTakesNoAnswerIsCutOff() throws Exception {
        List<Socket> sockets = new ArrayList<>();
        try {
            for (int i = 0; i < 40; i++) {
                Socket socket = new Socket();
                socket.setReceiveBufferSize(1024);
                socket.connect(address());
                sockets.add(socket);
                send(socket, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(20));
            }
            assertThat(liveThreads()).isLessThanOrEqualTo(32);
            for (Socket socket : sockets) {
                await("a slow reader to be cut off", () -> isCutOff(socket));
            }
        } finally {
            for (Socket socket : sockets) {
                socket.close();
            }
        }
        assertThat(get("metrics").statusCode()).isEqualTo(200);
    }

    private Socket open(String request) throws IOException {
        Socket socket = new Socket();
        socket.connect(address());
        socket.setSoTimeout(15_000);
        send(socket, request);
        return socket;
    }

    private InetSocketAddress address() {
        return new InetSocketAddress(
                InetAddress.getLoopbackAddress(), URI.create(server.url()).getPort());
    }

    private static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
    }

    /** By a reset or an end; a request that is too late may be answered before. */
    private static void assertClosed(Socket socket) throws IOException {
        try {
            socket.getInputStream().readAllBytes();
        } catch (SocketTimeoutException open) {
            throw new AssertionError("a connection is still open", open);
        } catch (SocketException reset) {
            assertThat(reset).hasMessageContaining("reset");
        }
    }

    /** What is sent on a connection that the other side has closed is answered by a reset. */
    private static boolean isCutOff(Socket socket) {
        try {
            send(socket, "\r\n");
            return false;
        } catch (IOException reset) {
            return true;
        }
    }

    private long liveThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> !before.contains(thread))
                .map(Thread::getName)
                .filter(name ->
                        name.startsWith("siemload-") || name.startsWith("HTTP-") || name.startsWith("server-timer"))
                .count();
    }

    private static void await(String what, BooleanSupplier condition) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(15);
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("waited in vain for " + what);
            }
            TimeUnit.MILLISECONDS.sleep(50);
        }
    }

    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return client.send(request(path).build(), HttpResponse.BodyHandlers.ofString());
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(server.url() + path));
    }
}
