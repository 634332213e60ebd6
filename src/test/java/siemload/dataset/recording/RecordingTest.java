package siemload.dataset.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import siemload.event.IdeaReader;
import siemload.event.SecurityEvent;

/** Recordings are found by an index, which is kept. */
final class RecordingTest {
    private static final int LARGE = 10_500;
    private static final Instant START = Instant.parse("2016-06-06T00:00:00Z");

    @TempDir
    private Path directory;

    private Path cache;

    @BeforeEach
    void nameCache() {
        cache = directory.resolve("cache");
    }

    @ParameterizedTest
    @ValueSource(strings = {"large.idea", "large.idea.gz", "marked.idea"})
    void eachEventIsFoundByItsNumber(String name) throws IOException {
        write(name, lines(LARGE, 1));

        Recording recording = open(name);

        List<SecurityEvent> all = all(recording);
        assertThat(all).hasSize(LARGE).extracting(SecurityEvent::detectTime).isSorted();
        assertThat(recording.count()).isEqualTo(LARGE);
        new Random(1)
                .ints(500, 0, LARGE)
                .forEach(number -> assertThat(recording.event(number)).isEqualTo(all.get(number)));
    }

    @ParameterizedTest
    @ValueSource(ints = {100, 6_060, 10_000})
    void repeatedIdsAreFoundAndTimesSortedHoweverManyFitIntoMemory(int idsInMemory) throws IOException {
        List<String> lines = lines(6_000, 1);
        for (int i = 0; i < 6_000; i += 100) {
            lines.add(lines.get(i));
        }
        write("repeating.idea", lines);
        RecordingScan.RecordedFile file =
                RecordingScan.RecordedFile.of(directory.resolve("repeating.idea"), new IdeaReader());

        RecordingScan scan =
                new RecordingScan(List.of(file), name -> directory.resolve(name), status -> {}, idsInMemory);
        scan.run();

        assertThat(scan.count()).isEqualTo(6_000);
        assertThat(scan.warnings())
                .hasSize(11)
                .contains("  " + file.path() + ":6001: the ID occurred on an earlier line");
        List<Long> times = new ArrayList<>();
        scan.forEach(entry -> times.add(entry[0]));
        assertThat(times).hasSize(6_000).isSorted();
    }

    @Test
    void theIndexIsMadeOnceAndAgainWhenTheFileHasChanged() throws IOException {
        write("a.idea", lines(LARGE, 1));
        Recording first = open("a.idea");
        List<Path> made = files();
        Recording second = open("a.idea");
        assertThat(files()).isEqualTo(made).hasSize(1);
        assertThat(second.fingerprint()).isEqualTo(first.fingerprint());

        write("a.idea", lines(LARGE + 1, 2));
        Recording third = open("a.idea");

        assertThat(third.count()).isEqualTo(LARGE + 1);
        assertThat(files()).hasSize(1).isNotEqualTo(made);
    }

    @Test
    void whatAKilledProcessLeftIsRemovedAfterADay() throws IOException {
        write("a.idea.gz", lines(LARGE, 1));
        open("a.idea.gz");
        String name = String.valueOf(files().get(0).getFileName()).replaceFirst("[-.].*", "");
        Path young = Files.createFile(cache.resolve("recordings/" + name + "-young.tmp"));
        Path old = Files.createFile(cache.resolve("recordings/" + name + "-old.tmp"));
        Files.setLastModifiedTime(old, FileTime.from(Instant.now().minusSeconds(100_000)));

        write("a.idea.gz", lines(LARGE + 1, 2));
        open("a.idea.gz");

        assertThat(files()).hasSize(2).contains(young).doesNotContain(old);
    }

    @Test
    void anIndexThatIsDamagedIsMadeAgain() throws IOException {
        write("a.idea", lines(LARGE, 1));
        List<SecurityEvent> events = all(open("a.idea"));
        for (String name : List.of("index", "summary")) {
            Files.write(files().get(0).resolve(name), new byte[] {1, 2, 3});

            assertThat(all(open("a.idea"))).isEqualTo(events);
        }
    }

    @Test
    void aFileThatChangesUnderARecordingIsNotTakenForIt() throws IOException {
        write("a.idea", lines(LARGE, 1));
        Recording recording = open("a.idea");
        write("a.idea", lines(LARGE, 2));

        assertThatThrownBy(() -> all(recording)).hasMessageContaining("a.idea has changed since it was looked through");
    }

    private Recording open(String... names) {
        List<Path> files = Stream.of(names).map(directory::resolve).toList();
        return Recording.open(files, new Recording.Reading(file -> new IdeaReader(), cache, text -> {}));
    }

    private static List<SecurityEvent> all(Recording recording) {
        List<SecurityEvent> events = new ArrayList<>();
        recording.forEach(events::add);
        return events;
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(cache.resolve("recordings"))) {
            return files.sorted(Comparator.reverseOrder()).toList();
        }
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
