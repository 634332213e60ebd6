package siemload.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import siemload.config.ConfigException;
import siemload.event.SecurityEvent;

@Tag("every-java")
final class RecordingTest {
    private static final int LARGE = 10_500;
    private static final Duration WEEK = Duration.ofDays(7);
    private static final Instant START = Instant.parse("2016-06-06T00:00:00Z");
    private static final String LINE =
            "{\"ID\":\"%s\",\"DetectTime\":\"%s\",\"EventTime\":\"2016-06-06T00:00:00+02:00\",\"CeaseTime\":\"soon\","
                    + "\"Format\":\"IDEA0\",\"Category\":[\"Test\"],\"Source\":[{\"Port\":\"22\",\"IP4\":\"192.0.2.1\"}]}";

    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"large.idea", "large.idea.gz", "marked.idea", "marked.idea.gz"})
    void eachEventIsFoundByItsNumber(String name) throws IOException {
        write(name, lines(LARGE, 1));

        Recording recording = open(name, 1);

        List<SecurityEvent> all = read(recording, 1_000);
        assertThat(all).hasSize(LARGE).extracting(SecurityEvent::detectTime).isSorted();
        assertThat(recording.count()).isEqualTo(LARGE);
        new Random(1)
                .ints(500, 0, LARGE)
                .forEach(number -> assertThat(recording.event(number)).isEqualTo(all.get(number)));
    }

    @Test
    void thingsOfSeveralSortedPartsAreSortedAndThoseOfOneTimeStayInOrder() throws IOException {
        Path file = Files.writeString(directory.resolve("things"), "of a killed process");
        ToLongFunction<Integer> time = number -> number % 10_000 / 7;
        try (TimedFile.Writer writer = new TimedFile.Writer(file)) {
            for (int i = 0; i < 30_000; i++) {
                writer.add(time.applyAsLong(i), Integer.toString(i).getBytes(StandardCharsets.UTF_8));
            }
        }
        BitSet without = new BitSet();
        without.set(5_000, 12_000);

        TimedFile.sort(file, without);

        try (TimedFile sorted = new TimedFile(file)) {
            assertThat(IntStream.range(0, sorted.count()).mapToObj(i -> Integer.valueOf(text(sorted.get(i)))))
                    .containsExactlyElementsOf(IntStream.range(0, 30_000)
                            .filter(number -> !without.get(number))
                            .boxed()
                            .sorted(Comparator.comparingLong(time))
                            .toList());
        }
        TimedFile.delete(file);
        assertThat(directory).isEmptyDirectory();
    }

    private static String text(byte[] thing) {
        return new String(thing, StandardCharsets.UTF_8);
    }

    @Test
    void theIndexIsMadeOnceAndAgainWhenTheFileHasChanged() throws IOException {
        write("a.idea.gz", lines(LARGE, 1));
        String first = open("a.idea.gz", 1).fingerprint();
        List<Path> made = files();
        assertThat(open("a.idea.gz", 1).fingerprint()).isEqualTo(first).matches("[0-9a-f]{16}");
        assertThat(open("a.idea.gz", 2).fingerprint()).isNotEqualTo(first);
        assertThat(files()).isEqualTo(made).hasSize(1);

        write("a.idea.gz", lines(LARGE + 1, 2));
        Recording again = open("a.idea.gz", 1);

        assertThat(again.count()).isEqualTo(LARGE + 1);
        assertThat(again.fingerprint()).isNotEqualTo(first);
        assertThat(files()).isEqualTo(made);
    }

    @Test
    void anIndexThatIsDamagedIsMadeAgain() throws IOException {
        write("a.idea", lines(LARGE, 1));
        List<SecurityEvent> events = read(open("a.idea", 1), 1_000);
        for (String name : List.of("lines.index", "summary")) {
            Files.write(files().get(0).resolve(name), new byte[] {1, 2, 3});

            assertThat(read(open("a.idea", 1), 1_000)).isEqualTo(events);
        }
    }

    @Test
    void aFileThatChangesDoesNotChangeARecordingThatIsOpen() throws IOException {
        write("a.idea", lines(LARGE, 1));
        Recording recording = open("a.idea", 1);
        List<SecurityEvent> events = read(recording, 1_000);
        write("a.idea", lines(LARGE, 2));

        assertThat(read(recording, 1_000)).isEqualTo(events);
        assertThat(read(open("a.idea", 1), 1_000)).isNotEqualTo(events);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 7, 2_000})
    void copiesFillTheSpanWithIdsOfTheirOwn(int amplify) throws IOException {
        write("short.idea", lines(20, 1));
        List<SecurityEvent> events = read(open("short.idea", 1), 64);

        Recording recorded = open("short.idea", amplify);
        List<SecurityEvent> copies = read(recorded, 64);

        Instant start = events.get(0).detectTime();
        assertThat(recorded.count()).isEqualTo(20L * amplify);
        assertThat(copies)
                .hasSize(20 * amplify)
                .extracting(SecurityEvent::id)
                .doesNotHaveDuplicates()
                .doesNotContainAnyElementsOf(
                        events.stream().map(SecurityEvent::id).toList());
        assertThat(copies).extracting(SecurityEvent::detectTime).isSorted();
        assertThat(recorded.first()).isEqualTo(start).isEqualTo(copies.get(0).detectTime());
        Instant last = copies.get(copies.size() - 1).detectTime();
        assertThat(last).isBefore(start.plus(WEEK)).isBefore(recorded.until());
        assertThat(last).isAfter(start.plus(WEEK).minus(WEEK.dividedBy(amplify)));
        assertThat(read(recorded, 1_000)).isEqualTo(copies);
    }

    @Test
    void aRecordingOverYearsIsSqueezedAndKeepsTheGapsBetweenTheTimesOfAnEvent() throws IOException {
        write("years.idea", List.of(line("a", "2012-01-01T00:00:00Z"), line("b", "2016-06-06T00:00:00Z")));

        SecurityEvent second = read(open("years.idea", 7), 10).get(1);

        assertThat(second.detectTime())
                .isBetween(Instant.parse("2012-01-01T23:59:00Z"), Instant.parse("2012-01-02T00:00:00Z"));
        assertThat(Instant.parse(second.other().get("EventTime").textValue()))
                .isEqualTo(second.detectTime().minus(Duration.ofHours(2)));
        assertThat(second.other().get("CeaseTime").textValue()).isEqualTo("soon");
        assertThat(second.sources().get(0).ports()).containsExactly(22);
    }

    @Test
    void badAndRepeatedLinesAreLeftOutAndReported() throws IOException {
        String time = "2016-06-06T00:00:00Z";
        write("bad.idea", List.of(line("a", time), "rubbish", line("a", "2016-06-07T00:00:00Z"), line("b", time)));

        Recording recorded = open("bad.idea", 1);

        Path file = directory.resolve("bad.idea");
        assertThat(open("bad.idea", 1).warnings()).as("from the index").isEqualTo(recorded.warnings());
        assertThat(read(recorded, 10)).extracting(SecurityEvent::id).containsExactly("a", "b");
        assertThat(recorded.until()).isEqualTo("2016-06-06T00:00:01Z");
        assertThat(recorded.warnings())
                .satisfiesExactly(
                        head -> assertThat(head).isEqualTo(file + ": 2 unreadable lines were skipped:"),
                        rubbish -> assertThat(rubbish).startsWith("  " + file + ":2: not valid JSON"),
                        repeated ->
                                assertThat(repeated).isEqualTo("  " + file + ":3: the ID occurred on an earlier line"));
        assertThat(recorded.leftOut().orElseThrow())
                .startsWith("2 of 4 lines of the recording could not be read and were left out; the first is " + file
                        + ":2: not");
    }

    @Test
    void aFileWithoutAnEventIsRefusedWithTheReasons() throws IOException {
        write("none.idea", List.of("rubbish"));
        write("empty.idea", List.of());

        assertThatThrownBy(() -> open("none.idea", 1))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("there is no event in it")
                .hasMessageContaining("none.idea:1: not valid JSON");
        assertThatThrownBy(() -> open("empty.idea", 1)).hasMessageContaining("the file is empty");
    }

    @Test
    void fedEventsAreRecordedOnesAgainAndAgainWithOtherIdsAndTimes() throws IOException {
        write(
                "gaps.idea",
                List.of(
                        line("a", "2016-06-06T00:00:00Z"),
                        line("c", "2016-06-06T00:00:04Z"),
                        line("b", "2016-06-06T00:00:01Z")));
        Recording recording = open("gaps.idea", 1);
        FeedEvents feed = recording.feed();
        SecurityEvent fifth = feed.event(4, START);
        assertThat(fifth.detectTime()).isEqualTo(START);
        assertThat(fifth.id()).isEqualTo(feed.id(4)).isNotEqualTo(feed.id(1));
        assertThat(fifth.sources()).isEqualTo(recording.event(1).sources());
    }

    private Recording open(String name, int amplify) {
        return RecordingFiles.open(directory.resolve(name), amplify, directory.resolve("cache"));
    }

    private static List<SecurityEvent> read(EventSource source, int batch) {
        List<SecurityEvent> events = new ArrayList<>();
        source.read(batch, events::addAll);
        return events;
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(directory.resolve("cache/recordings"))) {
            return files.sorted(Comparator.reverseOrder()).toList();
        }
    }

    private static String line(String id, String time) {
        return LINE.formatted(id, time);
    }

    /** Nearly in the order of their times, as recordings are. */
    private static List<String> lines(int count, long seed) {
        Random random = new Random(seed);
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Instant time = START.plusMillis(i * 500L + random.nextInt(60_000));
            lines.add(String.format(
                    Locale.ROOT,
                    "{\"Format\":\"IDEA0\",\"ID\":\"%d\",\"DetectTime\":\"%s\",\"Category\":[\"Test\"],\"Note\":\"%s\"}",
                    i,
                    time,
                    "x".repeat(random.nextInt(50))));
        }
        return lines;
    }

    private void write(String name, List<String> lines) throws IOException {
        Path file = directory.resolve(name);
        boolean again = Files.exists(file);
        String text = (name.startsWith("marked") ? "\uFEFF" : "") + String.join("\n", lines);
        try (OutputStream out = Files.newOutputStream(file);
                OutputStream packed = name.endsWith(".gz") ? new GZIPOutputStream(out) : out) {
            packed.write(text.getBytes(StandardCharsets.UTF_8));
        }
        if (again) {
            Files.setLastModifiedTime(file, FileTime.from(Instant.now().plusSeconds(10)));
        }
    }
}
