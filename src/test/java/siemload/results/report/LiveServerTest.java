package siemload.results.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(30)
class LiveServerTest {
    @ParameterizedTest
    @CsvSource({"GET /series, 200", "GET /, 200", "GET /run.json, 404", "POST /series, 405"})
    void onlyWhatIsThereIsAnsweredAndWithCare(String request, int status) throws IOException {
        assertThat(answer(request))
                .startsWith("HTTP/1.1 " + status + " ")
                .containsIgnoringCase("X-Content-Type-Options: nosniff")
                .containsIgnoringCase("Content-Security-Policy: frame-ancestors 'none'")
                .containsIgnoringCase("Cache-Control: no-store")
                .containsIgnoringCase("Referrer-Policy: no-referrer");
    }

    private static String answer(String request) throws IOException {
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try (LiveServer server = new LiveServer(any, "hawat-1", "hawat searches <b>2</b> events");
                Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(
                    InetAddress.getLoopbackAddress(), URI.create(server.url()).getPort()));
            socket.setSoTimeout(15_000);
            String head = request + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
            socket.getOutputStream().write(head.getBytes(StandardCharsets.UTF_8));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
