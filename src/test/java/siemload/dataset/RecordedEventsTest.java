package siemload.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import siemload.config.ConfigException;
import siemload.dataset.Datasets.RecordedEvents;
import siemload.dataset.FeedEvents.CapturedTimes;
import siemload.event.IdeaLineWriter;
import siemload.event.SecurityEvent;

final class RecordedEventsTest {
    private static final String LINE =
            "{\"ID\":\"%s\",\"DetectTime\":\"%s\",\"EventTime\":\"2016-06-06T00:00:00+02:00\",\"CeaseTime\":\"soon\","
                    + "\"Format\":\"IDEA0\",\"Category\":[\"Test\"],\"Source\":[{\"Port\":\"22\",\"IP4\":\"192.0.2.1\"}]}\n";

    @TempDir
    private Path directory;

    @Test
    void theSameEventsHaveTheSameFingerprintPackedOrNot() {
        record("a.idea", 50);
        record("b.idea.gz", 50);
        record("c.idea", 51);

        assertThat(open("a.idea", 1).fingerprint())
                .matches("[0-9a-f]{16}")
                .isEqualTo(open("b.idea.gz", 1).fingerprint())
                .isNotEqualTo(open("c.idea", 1).fingerprint())
                .isNotEqualTo(open("a.idea", 2).fingerprint());
    }

    @ParameterizedTest
    @CsvSource({"2", "7", "2000"})
    void copiesFillTheSpanWithIdsOfTheirOwn(int amplify) {
        List<SecurityEvent> events = record("short.idea", 20);

        RecordedEvents recorded = open("short.idea", amplify);
        List<SecurityEvent> copies = read(recorded, 64);

        Instant start = events.get(0).detectTime();
        Set<String> ids = new HashSet<>();
        copies.forEach(event -> ids.add(event.id()));
        assertThat(recorded.count()).isEqualTo(20L * amplify);
        assertThat(ids)
                .hasSize(20 * amplify)
                .doesNotContainAnyElementsOf(
                        events.stream().map(SecurityEvent::id).toList());
        assertThat(copies).extracting(SecurityEvent::detectTime).isSorted();
        assertThat(recorded.first()).isEqualTo(start).isEqualTo(copies.get(0).detectTime());
        Instant last = copies.get(copies.size() - 1).detectTime();
        assertThat(last).isBefore(start.plus(Duration.ofDays(7))).isBefore(recorded.until());
        assertThat(last)
                .isAfter(start.plus(Duration.ofDays(7)).minus(Duration.ofDays(7).dividedBy(amplify)));
        assertThat(read(recorded, 1_000)).isEqualTo(copies);
    }

    @Test
    void aRecordingOverYearsIsSqueezedAndKeepsTheGapsBetweenTheTimesOfAnEvent() throws IOException {
        write("years.idea", LINE.formatted("a", "2012-01-01T00:00:00Z") + LINE.formatted("b", "2016-06-06T00:00:00Z"));

        List<SecurityEvent> copies = read(open("years.idea", 7), 10);

        SecurityEvent second = copies.get(1);
        assertThat(second.detectTime())
                .isBetween(Instant.parse("2012-01-01T23:59:00Z"), Instant.parse("2012-01-02T00:00:00Z"));
        assertThat(Instant.parse(second.other().get("EventTime").textValue()))
                .isEqualTo(second.detectTime().minus(Duration.ofHours(2)));
        assertThat(second.other().get("CeaseTime").textValue()).isEqualTo("soon");
        assertThat(second.sources().get(0).ports()).containsExactly(22);
    }

    @Test
    void badAndRepeatedLinesAreLeftOutAndReported() throws IOException {
        write(
                "bad.idea",
                LINE.formatted("a", "2016-06-06T00:00:00Z") + "rubbish\n" + LINE.formatted("a", "2016-06-07T00:00:00Z")
                        + "{\"ID\":\"b\",\"DetectTime\":\"2016-06-06T00:00:00Z\",\"Format\":\"IDEA0\"}\n");

        RecordedEvents recorded = open("bad.idea", 1);

        Path file = directory.resolve("bad.idea");
        assertThat(open("bad.idea", 1).warnings()).as("from the index").isEqualTo(recorded.warnings());
        assertThat(read(recorded, 10)).extracting(SecurityEvent::id).containsExactly("a", "b");
        assertThat(recorded.count()).isEqualTo(2);
        assertThat(recorded.until()).isEqualTo("2016-06-06T00:00:01Z");
        assertThat(recorded.warnings())
                .satisfiesExactly(
                        head -> assertThat(head).isEqualTo(file + ": 2 unreadable lines were skipped:"),
                        rubbish -> assertThat(rubbish).startsWith("  " + file + ":2: not valid JSON"),
                        repeated ->
                                assertThat(repeated).isEqualTo("  " + file + ":3: the ID occurred on an earlier line"));
        assertThat(recorded.leftOut().orElseThrow())
                .startsWith(
                        "2 of 4 lines of the recording could not be read and were left out, first " + file + ":2: not");
    }

    @Test
    void aFileWithoutAnEventIsRefusedWithTheReasons() throws IOException {
        write("none.idea", "rubbish\n");
        write("empty.idea", "");

        assertThatThrownBy(() -> open("none.idea", 1))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("there is no event in it")
                .hasMessageContaining("none.idea:1: not valid JSON");
        assertThatThrownBy(() -> open("empty.idea", 1)).hasMessageContaining("the file is empty");
    }

    @Test
    void fedEventsAreRecordedOnesWithOtherIdsAndTimes() {
        List<SecurityEvent> events = record("fed.idea", 3);
        FeedEvents feed = open("fed.idea", 1).feed();
        Instant now = Instant.parse("2030-01-01T00:00:00Z");

        SecurityEvent fifth = feed.event(4, now);

        assertThat(fifth.detectTime()).isEqualTo(now);
        assertThat(fifth.id()).isEqualTo(feed.id(4)).isNotEqualTo(feed.id(1));
        assertThat(fifth.sources()).isEqualTo(events.get(1).sources());
    }

    @Test
    void theTimesOfFedEventsAreThoseOfTheRecordingAgainAndAgain() throws IOException {
        write(
                "gaps.idea",
                LINE.formatted("a", "2016-06-06T00:00:00Z")
                        + LINE.formatted("c", "2016-06-06T00:00:04Z")
                        + LINE.formatted("b", "2016-06-06T00:00:01Z"));
        CapturedTimes times = open("gaps.idea", 1).feed().captured().orElseThrow();

        assertThat(LongStream.range(-1, 5).mapToObj(times::micros)).containsExactly(-2e6, 0.0, 1e6, 4e6, 6e6, 7e6);
        assertThat(times.countUntil(0)).isEqualTo(1);
        assertThat(times.countUntil(3.9e6)).isEqualTo(2);
        assertThat(times.countUntil(6e6)).isEqualTo(4);
        assertThat(times.countUntil(-1)).isZero();
        assertThat(times.countUntil(-2_000_001)).isEqualTo(-1);
    }

    private List<SecurityEvent> record(String name, int count) {
        List<SecurityEvent> events = read(new EventGenerator(ShippedDatasets.small(count, 1)), 1_000);
        try (IdeaLineWriter writer = IdeaLineWriter.open(directory.resolve(name), discard -> {})) {
            writer.write(events);
            writer.finish();
        }
        return read(open(name, 1), 1_000);
    }

    private void write(String name, String text) throws IOException {
        Files.writeString(directory.resolve(name), text);
    }

    private RecordedEvents open(String name, int amplify) {
        return RecordingFiles.open(directory.resolve(name), amplify);
    }

    private static List<SecurityEvent> read(EventSource source, int batch) {
        List<SecurityEvent> events = new ArrayList<>();
        source.read(batch, events::addAll);
        return events;
    }
}
