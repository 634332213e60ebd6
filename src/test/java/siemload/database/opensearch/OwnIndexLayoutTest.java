package siemload.database.opensearch;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import siemload.database.IndexSet;
import siemload.database.layout.JsonLayout;
import siemload.event.IdeaReader;
import siemload.event.IdeaWriter;
import siemload.event.SecurityEvent;

/** Documents of events as a layout makes them. */
final class OwnIndexLayoutTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final JsonLayout IDEA =
            OpenSearchSearches.FORMAT.of(OpenSearchTestServer.variant(IndexSet.NATIVE));

    @Test
    void theDocumentOfAnEventHasAllThatIsSearched() throws IOException {
        SecurityEvent event = new IdeaReader().read("""
                {"Format": "IDEA0", "ID": "e/é", "DetectTime": "2016-06-06T01:02:03.456789Z", "Category": ["A", "B"],
                 "Description": "a\\u0000\\"b\\"", "X": 1.50,
                 "Source": [{"IP4": ["198.51.100.0/24", "192.0.2.1"], "Port": [22]}, {"IP4": ["192.0.2.1"]},
                            {"IP6": ["2001:db8::/127", "::1"]}],
                 "Target": [{"Port": [22, 80], "IP4": ["10.0.0.9-10.0.0.11"]}, {"Port": [443], "IP6": ["2001:db8::9"]}],
                 "Node": [{"Name": "relay"}, {"Name": "d"}]}
                """);

        JsonNode document = written(IDEA, event);

        assertThat(document.path("event").textValue())
                .isEqualTo(new String(new IdeaWriter().toBytes(event), StandardCharsets.UTF_8))
                .contains("1.50");
        assertThat(document).isEqualTo(JSON.readTree("""
                {
                    "id": "e/é", "detect_micros": 1465174923456789, "event": %s,
                    "category": ["A", "B"], "detector": ["relay", "d"], "description": "a\\"b\\"",
                    "port": [22, 80, 443], "source_port": [22], "target_port": [22, 80, 443],
                    "source_ip4": ["192.0.2.1"], "source_range4": [{"gte": "198.51.100.0", "lte": "198.51.100.255"}],
                    "source_ip6": ["::1"], "source_range6": [{"gte": "2001:db8::", "lte": "2001:db8::1"}],
                    "target_ip4": [], "target_range4": [{"gte": "10.0.0.9", "lte": "10.0.0.11"}],
                    "target_ip6": ["2001:db8::9"], "target_range6": [],
                    "hour": "2016-06-06T01:00:00Z", "lowest_source": "4c0000201"
                }
                """.formatted(document.path("event"))));
    }

    private static JsonNode written(JsonLayout layout, SecurityEvent event) throws IOException {
        return JSON.readTree(JSON.writeValueAsBytes(layout.document(event, new IdeaWriter().toBytes(event))));
    }
}
