package siemload.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import siemload.experiment.History.Change;

class HistoryTest {
    @TempDir
    private Path directory = Path.of("");

    @Test
    void nightsAreReadInTheOrderOfTime() throws IOException {
        Path file = directory.resolve("deep/history.jsonl");
        History.add(file, night(2, 10));
        History.add(file, night(1, 20));
        assertThat(History.read(file).nights()).containsExactly(night(1, 20), night(2, 10));
        assertThat(History.read(file).holds(night(2, 99))).isTrue();
        assertThat(History.read(file).holds(night(3, 10))).isFalse();
    }

    @Test
    void aFileThatSomebodyCutOffKeepsItsLinesApart() throws IOException {
        Path file = directory.resolve("history.jsonl");
        History.add(file, night(1, 10));
        Files.writeString(file, Files.readString(file).strip());
        History.add(file, night(2, 10));
        assertThat(History.read(file).nights()).hasSize(2);
    }

    @Test
    void aBrokenLineIsReportedWithItsNumber() throws IOException {
        Path file = directory.resolve("history.jsonl");
        History.add(file, night(1, 10));
        Files.writeString(file, "nonsense\n", StandardOpenOption.APPEND);
        assertThatThrownBy(() -> History.read(file))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("history.jsonl:2");
    }

    @Test
    void aLastingChangeIsFoundWhereItBegan() {
        List<Night> nights = new ArrayList<>();
        for (int day = 1; day <= 20; day++) {
            nights.add(night(day, (day <= 12 ? 100 : 120) + day % 3));
        }
        List<Change> changes = new History(nights).courses("hawat", 1).get(0).changes();
        assertThat(changes).hasSize(1);
        assertThat(changes.get(0).index()).isEqualTo(12);
        assertThat(changes.get(0).after() / changes.get(0).before()).isBetween(1.18, 1.21);
    }

    @Test
    void nightsThatCannotBeTrustedAreShownButSayNothing() {
        List<Night> nights = new ArrayList<>();
        for (int day = 1; day <= 20; day++) {
            Night night = night(day, (day <= 10 ? 100 : 300) + day % 3);
            nights.add(day <= 10 ? night : new Night(night.at(), night.name(), "", "host too noisy", night.figures()));
        }
        History.Course course = new History(nights).courses("hawat", 1).get(0);
        assertThat(course.changes()).isEmpty();
        assertThat(course.values()).hasSize(20);
        assertThat(course.doubtful()).hasSize(10).startsWith(10);
    }

    @Test
    void halfALineAtTheEndIsNoReasonToLoseTheNights() throws IOException {
        Path file = directory.resolve("half.jsonl");
        History.add(file, night(1, 100));
        Files.writeString(file, "{\"at\":\"2026-1", StandardOpenOption.APPEND);
        assertThat(History.read(file).nights()).hasSize(1);

        History.add(file, night(2, 100));
        assertThat(History.read(file).nights()).hasSize(2);
    }

    @Test
    void aLineWithoutWhatANightNeedsIsNamed() throws IOException {
        Path file = Files.writeString(directory.resolve("null.jsonl"), "\nnull\n");
        assertThatThrownBy(() -> History.read(file))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("null.jsonl:2");
    }

    @Test
    void fewerThanTenNightsSayNothing() {
        List<Night> nights = new ArrayList<>();
        for (int day = 1; day <= 9; day++) {
            nights.add(night(day, day <= 5 ? 100 : 300));
        }
        assertThat(new History(nights).courses("hawat", 1).get(0).changes()).isEmpty();
    }

    private static Night night(int day, double p95) {
        return new Night(
                String.format("2026-11-%02dT02:00:00Z", day), "hawat", "", "passed", Map.of("HAWAT1 p95", p95));
    }
}
