package siemload.dataset.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import siemload.GoldenFile;
import siemload.config.ConfigException;
import siemload.config.NamedFile;
import siemload.config.Origin;
import siemload.event.EventFormatException;
import siemload.event.EventReader;
import siemload.event.IdeaWriter;
import siemload.event.SecurityEvent;

/**
 * Each mapping file with lines of its format and what they become: a format is a YAML file and a file of lines. They are written after the
 * public specifications; none is of a real system.
 */
@Tag("every-java")
class MappingFilesTest {
    private static final Path HOME = Path.of("");
    private static final Path GOLDEN = Path.of("src/test/resources/golden");
    private static final Instant THEN = Instant.parse("2016-06-07T00:00:00Z");

    @TempDir
    private Path directory;

    /** Its time gives a year to times without one. */
    private Path file = Path.of("");

    @BeforeEach
    void aFileOfThen() throws IOException {
        file = Files.writeString(directory.resolve("events.log"), "");
        Files.setLastModifiedTime(file, FileTime.from(THEN));
    }

    @ParameterizedTest
    @MethodSource("mappings")
    void linesShowTheirFormatAndBecomeIdea(String format) throws IOException {
        EventReader reader = reader(format);

        GoldenFile.of("formats/" + format + ".txt").assertEach(line -> {
            String shown = shown(line.replace("<CR>", "\r"));
            return idea(reader, line.replace("<CR>", "\r")) + (shown.equals(format) ? "" : "\nshown as " + shown);
        });
    }

    @Test
    void eachFileOfLinesHasItsMapping() throws IOException {
        try (Stream<Path> files = Files.list(GOLDEN.resolve("formats"))) {
            assertThat(files.map(lines -> lines.getFileName().toString().replace(".txt", "")))
                    .containsExactlyInAnyOrderElementsOf(mappings());
        }
    }

    @Test
    void theLanguageOfMappingsSaysAllThis() throws IOException {
        EventReader reader = reader(GOLDEN + "/mappings/language.yaml");

        GoldenFile.of("mappings/language.txt").assertEach(line -> idea(reader, line));
    }

    @Test
    void aWrongMappingFileIsToldWithLineAndColumn() throws IOException {
        GoldenFile.of("mappings/wrong.txt")
                .assertHolds(catchThrowableOfType(ConfigException.class, () -> reader(GOLDEN + "/mappings/wrong.yaml"))
                                .getMessage()
                        + "\n");
    }

    @Test
    void timesAreReadAsTheyAreMeantOrNotAtAll() throws IOException {
        GoldenFile.of("events/times.txt").assertEach(line -> {
            String[] parts = (line + " || " + THEN).split(" \\|\\| ", -1);
            return new EventTimes(ZoneOffset.UTC, Map.of(), Instant.parse(parts[1]))
                    .parse(parts[0])
                    .map(Instant::toString)
                    .orElse("no time");
        });
    }

    @Test
    void aFileOfNoKnownFormatIsRefusedInOneSentenceWithItsKeysAndNoValue() {
        assertThat(shown("{\"ID\":\"a\",\"DetectTime\":\"2016-06-06T12:00:00Z\",\"_x\":{\"@timestamp\":1}}"))
                .isEqualTo(EventFile.IDEA);
        assertThatThrownBy(() -> shown("{\"what\":\"secret\",\"ever\":{\"DetectTime\":1}}"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("no known format was found (looked for IDEA, CEF, ")
                .hasMessageContaining("the first event is JSON with the keys what, ever; ")
                .hasMessageContaining("--format my.yaml")
                .hasMessageNotContaining("secret");
        assertThatThrownBy(() -> shown("{\"a\":1}\r{\"a\":2}")).hasMessageContaining("tr '\\r' '\\n'");
    }

    private EventReader reader(String mapping) {
        return EventFile.mapping(NamedFile.find(HOME, "datasets/formats", mapping, new Origin.Default()), file);
    }

    private String shown(String line) {
        try {
            return EventFile.shown(HOME, Files.writeString(directory.resolve("line.log"), line + "\n"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** An equal line at another place is another event. */
    private static String idea(EventReader reader, String line) {
        byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
        try {
            SecurityEvent event = reader.read(bytes, 0, bytes.length, 0);
            assertThat(reader.read(bytes, 0, bytes.length, 9).id()).isNotEqualTo(event.id());
            return new String(new IdeaWriter().toBytes(event), StandardCharsets.UTF_8).strip();
        } catch (EventFormatException refused) {
            return "refused: " + refused.getMessage();
        }
    }

    private static Set<String> mappings() {
        return NamedFile.files(HOME, "datasets/formats", 1).keySet();
    }
}
