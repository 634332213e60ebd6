package siemload.dataset.format;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import siemload.config.NamedFile;
import siemload.config.Origin;
import siemload.event.EventLineReader;
import siemload.event.IdeaTime;
import siemload.event.IdeaWriter;
import siemload.event.LineProblem;
import siemload.event.SecurityEvent;

/** Lines that other programs wrote: see the README beside them. */
class RealLinesTest {
    private static final Path DIRECTORY = Path.of("src/test/resources/recordings/real");
    private static final ObjectMapper JSON = new ObjectMapper();

    @ParameterizedTest
    @CsvSource({"cef.log, cef", "ecs.ndjson, ecs", "ocsf.ndjson, ocsf"})
    void theyAreReadWithoutAskingForTheirFormatAndNothingIsLost(String name, String format) throws IOException {
        Path file = DIRECTORY.resolve(name);
        List<String> lines = Files.readAllLines(file);
        String found = EventFile.shown(Path.of(""), file);

        assertThat(found).isEqualTo(format);
        List<SecurityEvent> events = read(file, found);
        assertThat(events).hasSameSizeAs(lines);
        for (int i = 0; i < events.size(); i++) {
            JsonNode written = JSON.readTree(new IdeaWriter().toBytes(events.get(i)));
            assertThat(values(written)).as(lines.get(i)).containsAll(expected(lines.get(i), format));
        }
    }

    private static List<SecurityEvent> read(Path file, String format) {
        List<LineProblem> problems = new ArrayList<>();
        List<SecurityEvent> events = new ArrayList<>();
        NamedFile mapping = NamedFile.find(Path.of(""), "datasets/formats", format, new Origin.Default());
        try (EventLineReader reader = EventLineReader.open(file, EventFile.mapping(mapping, file), problems::add)) {
            for (Optional<SecurityEvent> event = reader.next(); event.isPresent(); event = reader.next()) {
                events.add(event.get());
            }
        }
        assertThat(problems).isEmpty();
        return events;
    }

    /** Times as IDEA writes them. */
    private static Set<String> expected(String line, String format) throws IOException {
        JsonNode fields = format.equals("cef") ? MarkedLine.CEF.fields(line) : JSON.readTree(line);
        EventTimes times = new EventTimes(ZoneOffset.UTC, Map.of(), modified());
        Set<String> expected = values(fields);
        for (String place : List.of("/@timestamp", "/time", "/syslog/time")) {
            JsonNode time = fields.at(place);
            times.parse(time).ifPresent(instant -> {
                expected.remove(time.asText().toLowerCase(Locale.ROOT));
                expected.add(IdeaTime.format(instant).toLowerCase(Locale.ROOT));
            });
        }
        return expected;
    }

    private static Instant modified() throws IOException {
        return Files.getLastModifiedTime(DIRECTORY.resolve("cef.log")).toInstant();
    }

    private static Set<String> values(JsonNode node) {
        Set<String> values = new LinkedHashSet<>();
        if (node.isValueNode()) {
            values.add(node.asText().toLowerCase(Locale.ROOT));
        }
        node.forEach(child -> values.addAll(values(child)));
        return values;
    }
}
