package siemload.database.opensearch;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import siemload.config.ConfigException;
import siemload.config.Problems;
import siemload.database.layout.Blocks;
import siemload.database.layout.JsonTemplate;
import siemload.event.IdeaReader;
import siemload.event.IdeaWriter;
import siemload.event.SecurityEvent;

/** Documents of events as a layout makes them, and texts of blocks that are broken at random. */
final class OwnIndexLayoutTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int SEEDS = 3_000;
    private static final List<String> PIECES = List.of(
            "{",
            "}",
            "[",
            "]",
            "\"",
            ":",
            ",",
            "null",
            "1e999",
            "{\"$param\": \"id\"}",
            "{\"$each\": \"node\", \"in\": []}",
            "\\u0000",
            "/* no comment */",
            "'single'",
            "NaN",
            "-",
            "1e9999999999");

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

        JsonNode document = written(IndexLayout.IDEA, event);

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

    private static JsonNode written(IndexLayout layout, SecurityEvent event) throws IOException {
        return JSON.readTree(JSON.writeValueAsBytes(layout.document(event, new IdeaWriter().toBytes(event))));
    }

    @Test
    void brokenTextsAreToldToBeNone() {
        List<String> whole = IndexLayout.IDEA.read().blocks().all().values().stream()
                .map(Blocks.Block::text)
                .toList();
        int told = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            String text = broken(whole.get(random.nextInt(whole.size())), random);
            try {
                assertThat(read(text)).isNotNull();
            } catch (ConfigException | JsonTemplate.BadTemplateException bad) {
                told++;
                assertThat(bad).as("seed " + seed + ": " + text).message().isNotBlank();
            } catch (RuntimeException other) {
                throw new AssertionError("seed " + seed + ": " + text, other);
            }
        }
        assertThat(told).isBetween(SEEDS / 3, SEEDS - 1);
    }

    private static Object read(String text) {
        Problems problems = new Problems();
        Blocks blocks = Blocks.of("x.json", "{\"x\": " + text + "}", Blocks.Syntax.JSON, problems);
        problems.throwIfAny();
        List<Object> read = new ArrayList<>();
        blocks.all()
                .values()
                .forEach(block -> read.add(
                        JsonTemplate.read(block, IndexLayout.PlainJson.NOTATION).json()));
        return read;
    }

    private static String broken(String text, SplittableRandom random) {
        StringBuilder broken = new StringBuilder(text);
        for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
            int from = random.nextInt(broken.length() + 1);
            int until = Math.min(broken.length(), from + random.nextInt(6));
            broken.replace(from, until, random.nextBoolean() ? PIECES.get(random.nextInt(PIECES.size())) : "");
        }
        return broken.toString();
    }
}
