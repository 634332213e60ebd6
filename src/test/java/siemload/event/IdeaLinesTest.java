package siemload.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class IdeaLinesTest {
    @TempDir
    private Path directory;

    private final List<LineProblem> problems = new ArrayList<>();

    @ParameterizedTest
    @ValueSource(strings = {"events.idea", "events.jsonl", "events.idea.gz"})
    void writtenEventsAreReadBackInTheirOrder(String name) {
        List<SecurityEvent> events = write(name, 500);

        assertThat(read(directory.resolve(name))).isEqualTo(events);
    }

    @Test
    void gzipIsToldByItsFirstBytesAndNotByItsName() throws IOException {
        List<SecurityEvent> events = write("events.gz", 5);
        Files.move(directory.resolve("events.gz"), directory.resolve("plain.idea"));

        assertThat(read(directory.resolve("plain.idea"))).isEqualTo(events);
    }

    @Test
    void badLinesAreReportedWithTheirNumberAndSkipped() throws IOException {
        String good =
                "{\"ID\":\"%s\",\"DetectTime\":\"2016-06-06T12:00:00Z\",\"Category\":[\"Test\"],\"Format\":\"IDEA0\"}";
        Path file = directory.resolve("bad.idea");
        Files.writeString(
                file, "\uFEFF" + good.formatted("a") + "\r\n\n \t\r\n{\"ID\":7}\nrubbish\n" + good.formatted("b"));

        assertThat(read(file)).extracting(SecurityEvent::id).containsExactly("a", "b");
        assertThat(problems).extracting(LineProblem::line).containsExactly(4L, 5L);
        assertThat(problems.get(0))
                .hasToString(file + ":4: ID must be a text with at least one character and no NUL, was 7");
    }

    @Test
    void anEventThatLacksFormatAndCategoryIsReadAndWarnedAbout() throws IOException {
        Path file = directory.resolve("lacking.idea");
        Files.writeString(file, "{\"ID\":\"a\",\"DetectTime\":\"2016-06-06T12:00:00Z\"}\n");

        assertThat(read(file)).hasSize(1);
        assertThat(problems)
                .extracting(LineProblem::severity)
                .containsOnly(LineProblem.Severity.WARNING)
                .hasSize(2);
    }

    @Test
    void ofAGzipFileThatEndsEarlyTheLinesBeforeTheBreakCount() throws IOException {
        List<SecurityEvent> events = write("whole.gz", 2_000);
        byte[] whole = Files.readAllBytes(directory.resolve("whole.gz"));
        Path cut = directory.resolve("cut.gz");
        Files.write(cut, Arrays.copyOf(whole, whole.length / 2));

        List<SecurityEvent> read = read(cut);

        assertThat(read).hasSizeBetween(500, 1_500).isEqualTo(events.subList(0, read.size()));
        assertThat(problems).singleElement().satisfies(problem -> {
            assertThat(problem.line()).isEqualTo(read.size() + 1);
            assertThat(problem.reason()).contains("gzip", "ends early");
        });
    }

    @Test
    void anEmptyFileHasNoEvents() throws IOException {
        Path file = directory.resolve("empty.idea");
        Files.writeString(file, "");

        assertThat(read(file)).isEmpty();
        assertThat(problems).isEmpty();
    }

    @Test
    void aMissingFileIsNamed() {
        assertThatThrownBy(() -> read(directory.resolve("missing.idea")))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("missing.idea");
    }

    @Test
    void aLineAboveTheLimitIsCutAndTheNextOneIsRead() throws IOException {
        byte[] text = ("short\n" + "x".repeat(300_000) + "\nafter\n\nlast").getBytes(StandardCharsets.UTF_8);
        List<String> lines = new ArrayList<>();
        try (ByteLines reader = new ByteLines(new ByteArrayInputStream(text), 200_000)) {
            while (reader.next()) {
                lines.add(
                        reader.isTooLong()
                                ? "too long"
                                : new String(reader.buffer(), reader.start(), reader.length(), StandardCharsets.UTF_8));
            }
        }

        assertThat(lines).containsExactly("short", "too long", "after", "", "last");
    }

    private List<SecurityEvent> write(String name, int count) {
        List<SecurityEvent> events =
                IntStream.range(0, count).mapToObj(IdeaLinesTest::event).toList();
        try (IdeaLineWriter writer = IdeaLineWriter.open(directory.resolve(name))) {
            writer.write(events);
        }
        return events;
    }

    private static SecurityEvent event(int number) {
        SecurityEvent bare = new IdeaReader()
                .read("{\"ID\":\"e" + number + "\",\"DetectTime\":\"2016-06-06T12:00:00Z\",\"Format\":\"IDEA0\"}");
        return new SecurityEvent(
                bare.id(),
                Instant.ofEpochSecond(1_465_171_200L + number),
                List.of("Recon.Scanning"),
                "příklad " + Integer.toHexString(number * 0x9E37_79B9),
                List.of(new Endpoint(List.of(), List.of(AddressRange.ip4(number)), List.of(), List.of(), Map.of())),
                List.of(),
                List.of(),
                bare.other());
    }

    private List<SecurityEvent> read(Path file) {
        List<SecurityEvent> events = new ArrayList<>();
        try (IdeaLineReader reader = IdeaLineReader.open(file, problems::add)) {
            for (Optional<SecurityEvent> event = reader.next(); event.isPresent(); event = reader.next()) {
                events.add(event.get());
            }
        }
        return events;
    }
}
