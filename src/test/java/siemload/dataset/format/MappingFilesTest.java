package siemload.dataset.format;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import siemload.GoldenFile;
import siemload.config.NamedFile;
import siemload.event.EventFormatException;
import siemload.event.EventReader;
import siemload.event.IdeaWriter;

/** Each mapping file with lines of its format and what they become: a format is a YAML file and a file of lines. */
class MappingFilesTest {
    private static final Path HOME = Path.of("");
    private static final Path LINES = Path.of("src/test/resources/golden/formats");

    @TempDir
    private Path directory;

    @ParameterizedTest
    @MethodSource("mappings")
    void linesShowTheirFormatAndBecomeIdea(String format) throws IOException {
        GoldenFile golden = GoldenFile.of("formats/" + format + ".txt");
        Path file = directory.resolve("lines.log");
        for (String line : lines(golden.path())) {
            Files.writeString(file, line + "\n");
            assertThat(EventFile.shown(HOME, file)).as(line).isEqualTo(format);
        }
        EventReader reader = EventFile.reader(HOME, format, file);
        golden.assertEach(line -> {
            byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
            try {
                return new String(
                        new IdeaWriter().toBytes(reader.read(bytes, 0, bytes.length, 0)), StandardCharsets.UTF_8);
            } catch (EventFormatException refused) {
                return "refused: " + refused.getMessage();
            }
        });
    }

    @Test
    void eachFileOfLinesHasItsMapping() throws IOException {
        try (Stream<Path> files = Files.list(LINES)) {
            assertThat(files.map(file -> file.getFileName().toString().replace(".txt", "")))
                    .containsExactlyInAnyOrderElementsOf(mappings());
        }
    }

    private static Set<String> mappings() {
        return NamedFile.files(HOME, "datasets/formats", 1).keySet();
    }

    private static List<String> lines(Path golden) throws IOException {
        return Files.readAllLines(golden).stream()
                .filter(line -> !line.isEmpty() && !line.startsWith("#") && !line.startsWith(" "))
                .toList();
    }
}
