package siemload.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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
    void aFileThatIsNotFinishedIsNotThereAndTheOneBeforeItStays() throws IOException {
        List<SecurityEvent> before = write("events.idea", 2);
        try (IdeaLineWriter writer = IdeaLineWriter.open(directory.resolve("events.idea"), atEnd -> {})) {
            writer.write(before);
        }

        assertThat(read(directory.resolve("events.idea"))).isEqualTo(before);
        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files).containsExactly(directory.resolve("events.idea"));
        }
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
    void aLineThatNeverEndsTakesNoMemoryAndIsReportedWithItsNumber() throws IOException {
        InputStream endless =
                new SequenceInputStream(new ByteArrayInputStream(new byte[] {'a', '\n'}), zeros(100 << 20));
        try (ByteLines lines = new ByteLines(endless, 1 << 20)) {
            assertThat(lines.next()).isTrue();
            assertThat(lines.next()).isTrue();

            assertThat(lines.isTooLong()).isTrue();
            assertThat(lines.buffer).hasSizeLessThanOrEqualTo(4 << 20);
        }
    }

    @Test
    void aLineAboveAMebibyteIsSkippedAndReported() throws IOException {
        Path file = directory.resolve("long.idea");
        Files.writeString(file, good("a") + "{\"ID\":\"" + "x".repeat(1 << 20) + "\"}\n" + good("b"));

        assertThat(read(file)).extracting(SecurityEvent::id).containsExactly("a", "b");
        assertThat(problems)
                .singleElement()
                .hasToString(file + ":2: the record is longer than 1 MiB (does each line have one event?)");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    the ID                                | "ID":"%s"
                    a Category                            | "ID":"e","Category":["Test","%s"]
                    the Name or a Type of a Node          | "ID":"e","Node":[{"Name":"n"},{"Name":"%s"}]
                    the Name or a Type of a Node          | "ID":"e","Node":[{"Name":"n","Type":["%s"]}]
                    a Type or Proto of a Source or Target | "ID":"e","Source":[{"Proto":["%s"]}]
                    a Type or Proto of a Source or Target | "ID":"e","Target":[{"Type":["%s"]}]
                    """)
    void aTextTooLongForAnIndexIsRefusedWithItsEventAndLine(String what, String keys) throws IOException {
        String line =
                "{\"Format\":\"IDEA0\",\"Category\":[\"Test\"],\"DetectTime\":\"2016-06-06T12:00:00Z\"," + keys + "}\n";
        String events = keys.contains("Category") ? line.replace("\"Category\":[\"Test\"],\"Detect", "\"Detect") : line;
        Path file = directory.resolve("texts.idea");
        Files.writeString(
                file, good("a") + events.replace("%s", "č".repeat(1_001)) + events.replace("%s", "č".repeat(1_000)));

        assertThat(read(file)).hasSize(2);
        assertThat(problems)
                .singleElement()
                .satisfies(problem -> assertThat(problem.toString())
                        .startsWith(file + ":2: " + what + " of event ")
                        .contains("has 2,002 bytes (allowed: at most 2,000"));
    }

    private static String good(String id) {
        return "{\"ID\":\"" + id
                + "\",\"DetectTime\":\"2016-06-06T12:00:00Z\",\"Category\":[\"Test\"],\"Format\":\"IDEA0\"}\n";
    }

    private static InputStream zeros(int count) {
        return new InputStream() {
            private int left = count;

            @Override
            public int read() {
                return left-- > 0 ? '0' : -1;
            }

            @Override
            public int read(byte[] bytes, int offset, int length) {
                int read = Math.min(left, length);
                Arrays.fill(bytes, offset, offset + read, (byte) '0');
                left -= read;
                return read > 0 ? read : -1;
            }
        };
    }

    private List<SecurityEvent> write(String name, int count) {
        List<SecurityEvent> events =
                IntStream.range(0, count).mapToObj(IdeaLinesTest::event).toList();
        try (IdeaLineWriter writer = IdeaLineWriter.open(directory.resolve(name), atEnd -> {})) {
            writer.write(events);
            writer.finish();
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
        try (EventLineReader reader = EventLineReader.open(file, new IdeaReader(), problems::add)) {
            for (Optional<SecurityEvent> event = reader.next(); event.isPresent(); event = reader.next()) {
                events.add(event.get());
            }
        }
        return events;
    }
}
