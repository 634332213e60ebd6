package siemload.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
class LiveServerTest {
    private static final RunDescription RUN =
            new RunDescription("hawat-1", "hawat searches <b>2</b> events", Map.of("scenario", "hawat"));

    private final HttpClient client = HttpClient.newHttpClient();

    @TempDir
    private Path directory;

    private LiveServer server;

    @BeforeEach
    void start() throws IOException {
        server = LiveServer.start(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), directory, RUN);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void thePageHoldsAllItNeedsAndShowsTextsAsTexts() throws Exception {
        HttpResponse<String> page = get("");

        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.body())
                .contains("hawat searches &lt;b>2&lt;/b> events")
                .contains("echarts")
                .doesNotContain("{{")
                .doesNotContainPattern("(?:src|href)=\"http");
    }

    @Test
    void whatTheRunWritesArrivesAsEventsAndTheEndIsTold() throws Exception {
        HttpResponse<Stream<String>> events =
                client.send(request("events").build(), HttpResponse.BodyHandlers.ofLines());
        Files.writeString(directory.resolve("timeline.csv"), """
                second,phase,finished,failed,running,eventsAcknowledged,eventsBehind
                1.000,measured,5,0,1,200,0
                """);
        try (Stream<String> body = events.body()) {
            List<String> lines = body.peek(line -> {
                        if (line.startsWith("data: {\"second\":1")) {
                            server.close();
                        }
                    })
                    .filter(line -> !line.isEmpty() && !line.startsWith(":"))
                    .toList();

            assertThat(lines)
                    .containsExactly(
                            "event: second",
                            "data: {\"second\":1,\"load\":{\"phase\":\"measured\",\"finished\":5.0,\"failed\":0.0,"
                                    + "\"running\":1.0,\"eventsAcknowledged\":200.0,\"eventsBehind\":0.0}}",
                            "event: totals",
                            "data: {\"spectra\":{\"response\":{}},\"searches\":[]}",
                            "event: end",
                            "data: {}");
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

    @Test
    void anAddressThatIsTakenIsAnError() {
        InetSocketAddress taken = new InetSocketAddress(
                InetAddress.getLoopbackAddress(), URI.create(server.url()).getPort());

        assertThatIOException().isThrownBy(() -> LiveServer.start(taken, directory, RUN));
    }

    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return client.send(request(path).build(), HttpResponse.BodyHandlers.ofString());
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(server.url() + path));
    }
}
