package siemload.compare.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import siemload.compare.experiment.History.HistoryEntry;

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

    private static HistoryEntry entry(int day, double p95) {
        return new HistoryEntry(
                String.format("2026-11-%02dT02:00:00Z", day), "hawat", "", "passed", Map.of("HAWAT1 p95", p95));
    }
}
