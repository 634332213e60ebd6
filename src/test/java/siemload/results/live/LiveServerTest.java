package siemload.results.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import siemload.results.RunFile;
import siemload.results.live.LiveServer.RunDescription;

@Timeout(30)
class LiveServerTest {
    private static final RunDescription RUN =
            new RunDescription("hawat-1", "hawat searches <b>2</b> events", Map.of("scenario", "hawat"));

    private final HttpClient client = HttpClient.newHttpClient();

    private LiveServer server;

    @BeforeEach
    void start() throws IOException {
        server = LiveServer.start(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), RUN);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void whatTheRunWritesIsToldOnce() throws Exception {
        server.listener()
                .row(RunFile.TIMELINE, Map.of("second", "1.000", "phase", "measured", "finished", "5", "failed", "0"));

        assertThat(get("seconds").body())
                .startsWith("{\"change\":1,\"seconds\":[{\"second\":1,\"change\":1,\"load\":{")
                .contains("\"finished\":5.0", "\"phase\":\"measured\"");
        assertThat(get("seconds?after=1").body()).contains("\"seconds\":[]");
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

    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return client.send(request(path).build(), HttpResponse.BodyHandlers.ofString());
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(server.url() + path));
    }
}
