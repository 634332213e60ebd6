package siemload.results.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(30)
@Tag("every-java")
class LiveServerTest {
    @ParameterizedTest
    @CsvSource({
        "GET /series, localhost, 200",
        "GET /, LOCALHOST:1, 200",
        "GET /series, 127.0.0.1:8089, 200",
        "GET /series, [::1]:8089, 200",
        "GET /run.json, localhost, 404",
        "POST /series, localhost, 405",
        "GET /series, evil.example, 403",
        "GET /series, 127.0.0.1.evil.example, 403",
        "GET /series, localhost.evil.example:8089, 403",
        "GET /series, [::1].evil.example, 403",
        "GET /series, '', 403"
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
        try (LiveServer server = new LiveServer(any, "hawat-1", "hawat searches <b>2</b> events");
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
