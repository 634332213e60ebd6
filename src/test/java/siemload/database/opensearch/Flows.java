package siemload.database.opensearch;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import siemload.database.ServerAddress;
import siemload.database.TargetPlugin.EmbeddedServer;

/**
 * Indexes with fields of the Elastic Common Schema on the tests' server while a class of tests uses them, and the layout in
 * {@code existing/flows} that says how to search them.
 */
public final class Flows implements BeforeAllCallback, AfterAllCallback {
    public static final Path LAYOUT = Path.of("src/test/resources/existing/flows");
    /** Over a week, three at a time. */
    public static final int FLOWS = 3_000;

    private static final Instant FIRST = Instant.parse("2024-02-20T00:00:00.250Z");
    private static final List<String> INDEXES = List.of("flows-odd", "flows-even");

    public static final String PRECISE = "precise-flows";

    private static final int SECONDS_BETWEEN = 600;
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final Map<String, Object> MAPPING = Map.of(
            "settings",
            Map.of("number_of_shards", 2, "number_of_replicas", 0),
            "mappings",
            Map.of(
                    "properties",
                    Map.of(
                            "@timestamp", Map.of("type", "date"),
                            "event.id", Map.of("type", "keyword"),
                            "event.category", Map.of("type", "keyword"),
                            "host.name", Map.of("type", "keyword"),
                            "source.ip", Map.of("type", "ip"),
                            "source.port", Map.of("type", "integer"),
                            "destination.ip", Map.of("type", "ip"),
                            "destination.port", Map.of("type", "integer"))));

    private EmbeddedServer server = () -> new ServerAddress("none", "", "");

    @Override
    public void beforeAll(ExtensionContext tests) {
        server = OpenSearchTestServer.start();
        drop();
        make();
    }

    @Override
    public void afterAll(ExtensionContext tests) {
        drop();
        server.close();
    }

    /** Where they are. */
    public ServerAddress address() {
        return server.address();
    }

    /**
     * One of them.
     *
     * @param category some have much more flows than others, as hosts do
     */
    public record Flow(String id, Instant time, String category, String host, String source, int targetPort) {
        public static Flow of(int n) {
            return new Flow(
                    String.format("flow-%06d", n),
                    FIRST.plusSeconds((long) n / 3 * SECONDS_BETWEEN),
                    "kind-" + (int) Math.sqrt(n % 100),
                    "host-" + (int) Math.sqrt(n % 400),
                    "198.51.100." + n % 250,
                    n % 5 == 0 ? 22 : 443);
        }

        String document() {
            return ("{\"@timestamp\": \"%s\", \"event\": {\"id\": \"%s\", \"category\": \"%s\"}, \"host\": {\"name\": \"%s\"},"
                            + " \"source\": {\"ip\": \"%s\", \"port\": 50000}, \"destination\": {\"ip\": \"192.0.2.7\", \"port\": %d}}")
                    .formatted(time, id, category, host, source, targetPort);
        }
    }

    private void make() {
        OpenSearchClient client = OpenSearchClient.of(server.address(), TIMEOUT);
        INDEXES.forEach(index -> client.ask("PUT", "/" + index, MAPPING));
        StringBuilder lines = new StringBuilder();
        for (int n = 0; n < FLOWS; n++) {
            Flow flow = Flow.of(n);
            lines.append("{\"index\": {\"_index\": \"%s\", \"_id\": \"%s\"}}%n%s%n"
                    .formatted(INDEXES.get(n % 2), flow.id(), flow.document()));
        }
        JsonNode answer = client.received(
                client.started("POST", "/_bulk?refresh=true", lines.toString().getBytes(StandardCharsets.UTF_8)));
        if (answer.path("errors").asBoolean(true)) {
            throw new IllegalStateException("not all flows were taken: " + answer);
        }
    }

    /** Makes an index beside them whose times are in nanoseconds, with a flow at each of these: {@code flow-0}, {@code flow-1}... */
    public void makePrecise(List<String> times) {
        OpenSearchClient client = OpenSearchClient.of(server.address(), TIMEOUT);
        Map<String, Object> fields = Map.of(
                "properties",
                Map.of("@timestamp", Map.of("type", "date_nanos"), "event.id", Map.of("type", "keyword")));
        client.ask("PUT", "/" + PRECISE, Map.of("mappings", fields));
        for (int n = 0; n < times.size(); n++) {
            Map<String, Object> flow = Map.of("@timestamp", times.get(n), "event", Map.of("id", "flow-" + n));
            client.ask("POST", "/" + PRECISE + "/_doc?refresh=true", flow);
        }
    }

    private void drop() {
        OpenSearchClient client = OpenSearchClient.of(server.address(), TIMEOUT);
        OpenSearchClient.ifThere(() -> client.ask("DELETE", "/" + PRECISE));
        INDEXES.forEach(index -> OpenSearchClient.ifThere(() -> client.ask("DELETE", "/" + index)));
    }

    /** What the server has counted of writing there, and all indexes that there are, for comparison. */
    public String trace() {
        OpenSearchClient client = OpenSearchClient.of(server.address(), TIMEOUT);
        return client.ask("GET", "/flows-*/_stats/indexing,docs?filter_path=indices.*.primaries") + " "
                + client.ask("GET", "/_cat/indices?format=json&h=index,uuid&s=index");
    }
}
