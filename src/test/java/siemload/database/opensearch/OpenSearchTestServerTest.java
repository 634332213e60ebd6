package siemload.database.opensearch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import siemload.database.EmbeddedServer;

/** On every Java: OpenSearch itself is made for some of them. */
@Tag("database")
final class OpenSearchTestServerTest {
    private static final String TWO_NETS = """
            {"index": {"_id": "1"}}
            {"net": "10.0.0.0/8"}
            {"index": {"_id": "2"}}
            {"net": "192.0.2.0/24"}
            """;
    private static final String HOLDS_AN_ADDRESS = """
            {"query": {"term": {"net": "10.1.2.3"}}}
            """;

    private final HttpClient client = HttpClient.newHttpClient();

    @Test
    void itFindsWhatItWasGiven() throws IOException, InterruptedException {
        try (EmbeddedServer server = OpenSearchTestServer.start()) {
            String index = server.address().url() + "/test-server";
            String mapping = "{\"mappings\": {\"properties\": {\"net\": {\"type\": \"ip_range\"}}}}";

            assertThat(sent("PUT", index, mapping)).contains("\"acknowledged\":true");
            assertThat(sent("POST", index + "/_bulk?refresh=true", TWO_NETS)).contains("\"errors\":false");
            assertThat(sent("POST", index + "/_search", HOLDS_AN_ADDRESS))
                    .contains("\"_id\":\"1\"")
                    .doesNotContain("\"_id\":\"2\"");
            assertThat(sent("DELETE", index, "")).contains("\"acknowledged\":true");
        }
    }

    @Test
    void oneServesAllClassesOfThisProcess() {
        try (EmbeddedServer first = OpenSearchTestServer.start();
                EmbeddedServer second = OpenSearchTestServer.start()) {
            assertThat(second.address()).isEqualTo(first.address());
        }
    }

    private String sent(String method, String url, String body) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url))
                .header("Content-Type", "application/json")
                .method(method, HttpRequest.BodyPublishers.ofString(body))
                .build();
        return client.send(request, BodyHandlers.ofString()).body();
    }
}
