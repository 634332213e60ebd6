package siemload.compare.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import siemload.compare.experiment.History.HistoryEntry;
import siemload.compare.statistics.ChangePoints.ChangePoint;

class HistoryTest {
    @TempDir
    private Path directory = Path.of("");

    @Test
    void nightsAreReadInTheOrderOfTime() throws IOException {
        Path file = directory.resolve("deep/history.jsonl");
        History.add(file, entry(2, 10));
        History.add(file, entry(1, 20));
        assertThat(History.read(file).entries()).containsExactly(entry(1, 20), entry(2, 10));
        assertThat(History.read(file).holds(entry(2, 99))).isTrue();
        assertThat(History.read(file).holds(entry(3, 10))).isFalse();
    }

    /** An editor may leave out the last line break, and a crash more than that. */
    @ParameterizedTest
    @ValueSource(strings = {"", "\n", "\n{\"at\":\"2026-1"})
    void aFileThatWasCutOffKeepsItsLinesApart(String end) throws IOException {
        Path file = directory.resolve("history.jsonl");
        History.add(file, entry(1, 10));
        Files.writeString(file, Files.readString(file).strip() + end);
        assertThat(History.read(file).entries()).hasSize(1);
        History.add(file, entry(2, 10));
        assertThat(History.read(file).entries()).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"nonsense", "null", "{}"})
    void aBrokenLineIsReportedWithItsNumber(String line) throws IOException {
        Path file = Files.writeString(directory.resolve("history.jsonl"), "\n" + line + "\n");
        assertThatThrownBy(() -> History.read(file))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("history.jsonl:2");
    }

    @Test
    void aLastingChangeIsFoundWhereItBegan() {
        List<ChangePoint> changes = changes(20, day -> (day <= 12 ? 100 : 120) + day % 3);
        assertThat(changes).hasSize(1);
        assertThat(changes.get(0).index()).isEqualTo(12);
        assertThat(changes.get(0).after() / changes.get(0).before()).isBetween(1.18, 1.21);
    }

    @Test
    void nightsThatCannotBeTrustedAreShownButSayNothing() {
        List<HistoryEntry> entries = new ArrayList<>();
        for (int day = 1; day <= 20; day++) {
            HistoryEntry entry = entry(day, (day <= 10 ? 100 : 300) + day % 3);
            entries.add(
                    day <= 10
                            ? entry
                            : new HistoryEntry(entry.at(), entry.name(), "", "host too noisy", entry.figures()));
        }
        History.Course course = new History(entries).courses("hawat", 1).get(0);
        assertThat(course.changes()).isEmpty();
        assertThat(course.values()).hasSize(20);
        assertThat(course.doubtful()).hasSize(10).startsWith(10);
    }

    @Test
    void fewerThanTenNightsSayNothing() {
        assertThat(changes(9, day -> day <= 5 ? 100 : 300)).isEmpty();
    }

    /** @param p95 day by day */
    private static List<ChangePoint> changes(int days, IntToDoubleFunction p95) {
        List<HistoryEntry> entries = IntStream.rangeClosed(1, days)
                .mapToObj(day -> entry(day, p95.applyAsDouble(day)))
                .toList();
        return new History(entries).courses("hawat", 1).get(0).changes();
    }

    private static HistoryEntry entry(int day, double p95) {
        return new HistoryEntry(
                String.format("2026-11-%02dT02:00:00Z", day), "hawat", "", "passed", Map.of("HAWAT1 p95", p95));
    }
}
