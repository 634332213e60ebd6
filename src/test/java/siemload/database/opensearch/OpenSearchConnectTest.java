package siemload.database.opensearch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import siemload.config.RegularFile;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.ServerAddress;
import siemload.database.Target;
import siemload.database.Target.TargetOptions;
import siemload.database.TargetException;
import siemload.database.TargetPlugin;
import siemload.database.Variant;
import siemload.query.Paging;

@Tag("every-java")
final class OpenSearchConnectTest {
    private static final TargetPlugin PLUGIN = new OpenSearchPlugin();
    private static final Variant VARIANT = new Variant("idea", IndexSet.NATIVE, Hint.NONE, Paging.OFFSET);
    private static final TargetOptions OPTIONS = new TargetOptions(VARIANT, Duration.ofSeconds(20), 1);

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    200 | {"version": {"number": "2.18.0", "distribution": "opensearch"}} | is version 2.18.0; version 2.19 or newer is needed
                    200 | {"version": {"number": "1.3.20", "distribution": "opensearch"}} | is version 1.3.20; version 2.19
                    200 | {"version": {"number": "8.15.0"}} | is not OpenSearch, but another server of version 8.15.0
                    200 | {} | is not OpenSearch
                    200 | <html> | the answer is not JSON: unexpected character '<'
                    401 | Unauthorized | HTTP 401: Unauthorized (HTTP 401). Set the environment variables SIEMLOAD_USER, and SIEMLOAD_PASSWORD or
                    403 | {"error": {"root_cause": [{"type": "security_exception", "reason": "no permissions for [cluster:monitor/main]"}]}} | no permissions for [cluster:monitor/main] (security_exception). The user needs
                    502 | '' | HTTP 502 (HTTP 502). Check scheme, host and port
                    """)
    void whatIsNotSuchAServerIsTold(int status, String body, String message) throws IOException {
        try (Answering server = new Answering(status, body)) {
            assertThatThrownBy(() -> connect(server.address("analyst", "sesame")))
                    .isInstanceOf(TargetException.class)
                    .hasMessageContaining(message)
                    .hasMessageNotContaining("sesame");
        }
    }

    @Test
    void aHostWithoutAddressIsTold() {
        assertThatThrownBy(() -> connect(new ServerAddress("http://nosuch.invalid:9200", "", "")))
                .hasMessageContaining("nosuch.invalid:9200 (the host name cannot be resolved)");
    }

    @Test
    void aNewerServerIsTakenAndAskedAsTheUser() throws IOException {
        try (Answering server =
                        new Answering(200, "{\"version\": {\"number\": \"3.1.0\", \"distribution\": \"opensearch\"}}");
                Target target = PLUGIN.connect(server.address("analyst", "sesame"), OPTIONS)) {
            assertThat(target.version()).isEqualTo("3.1.0");
            assertThat(target.transport().isOpenToOthers()).isTrue();
            assertThat(server.logins).containsOnly("Basic YW5hbHlzdDpzZXNhbWU=");
        }
    }

    private static void connect(ServerAddress address) {
        PLUGIN.connect(address, OPTIONS).close();
    }

    /** Says the same whatever it is asked. */
    private static final class Answering implements AutoCloseable {
        private final HttpServer server;
        private final List<String> logins = Collections.synchronizedList(new ArrayList<>());

        Answering(int status, String body) throws IOException {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            server.createContext("/", exchange -> {
                logins.add(exchange.getRequestHeaders().getFirst("Authorization"));
                exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
                exchange.getResponseBody().write(bytes);
                exchange.close();
            });
            server.start();
        }

        ServerAddress address(String user, String password) {
            return new ServerAddress("http://localhost:" + server.getAddress().getPort(), user, password);
        }

        @Override
        public void close() {
            server.stop(0);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    sorted-index    | time index detect_micros
                    category        | time index detect_micros + field index category
                    address         | time index detect_micros + field index source_ip4 + field index source_range4 + field index target_ip4 + field index target_range4
                    by-id           | id index _id
                    no-index        | table run_x
                    top-list        | table run_x
                    nothing-to-find | field index port
                    """)
    void thePlanSaysHowTheEventsWereFound(String file, String shape) throws IOException {
        assertThat(OpenSearchSearches.plan(profile(file), "run_x", "detect_micros", false)
                        .shape())
                .isEqualTo(shape);
    }

    private static JsonNode profile(String file) throws IOException {
        return OpenSearchClient.read(RegularFile.resource(
                        OpenSearchConnectTest.class, "/siemload/database/opensearch/profile/" + file + ".json")
                .getBytes(StandardCharsets.UTF_8));
    }
}
