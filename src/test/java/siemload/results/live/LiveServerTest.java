package siemload.results.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import siemload.results.live.LiveServer.RunDescription;

@Timeout(30)
class LiveServerTest {
    private static final RunDescription RUN =
            new RunDescription("hawat-1", "hawat searches <b>2</b> events", Map.of("scenario", "hawat"));

    @Test
    void metricsAreInPrometheusFormat() throws Exception {
        assertThat(answer("GET /metrics", "localhost"))
                .containsIgnoringCase("Content-Type: text/plain; version=0.0.4; charset=utf-8")
                .contains("\r\n\r\n# HELP siemload_run_info ")
                .contains("siemload_run_info{scenario=\"hawat\"} 1\n");
    }

    @ParameterizedTest
    @CsvSource({
        "GET /metrics, localhost, 200",
        "GET /, LOCALHOST:1, 200",
        "GET /seconds, 127.0.0.1:8089, 200",
        "GET /metrics, [::1]:8089, 200",
        "GET /run.json, localhost, 404",
        "POST /metrics, localhost, 405",
        "GET /metrics, evil.example, 403",
        "GET /metrics, 127.0.0.1.evil.example, 403",
        "GET /metrics, localhost.evil.example:8089, 403",
        "GET /metrics, [::1].evil.example, 403",
        "GET /metrics, '', 403"
    })
    void onlyWhatIsThereIsAnsweredByNamesOfThisMachineAndWithCare(String request, String host, int status)
            throws IOException {
        assertThat(answer(request, host))
                .startsWith("HTTP/1.1 " + status + " ")
                .containsIgnoringCase("X-Content-Type-Options: nosniff")
                .containsIgnoringCase("Content-Security-Policy: frame-ancestors 'none'")
                .containsIgnoringCase("Cache-Control: no-store")
                .containsIgnoringCase("Referrer-Policy: no-referrer");
    }

    private static String answer(String request, String host) throws IOException {
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try (LiveServer server = LiveServer.start(any, RUN);
                Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(
                    InetAddress.getLoopbackAddress(), URI.create(server.url()).getPort()));
            socket.setSoTimeout(15_000);
            String head = request + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n";
            socket.getOutputStream().write(head.getBytes(StandardCharsets.UTF_8));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
