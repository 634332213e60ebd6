package siemload.compare.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import siemload.compare.experiment.History.HistoryEntry;

class HistoryTest {
    @Test
    void nightsStandInTheOrderOfTime() {
        assertThat(new History(List.of(entry(2, 10), entry(1, 20))).courses())
                .isEqualTo(Map.of("hawat", Map.of("HAWAT1 p95", List.of(entry(1, 20), entry(2, 10)))));
    }

    private static HistoryEntry entry(int day, double p95) {
        return new HistoryEntry(
                String.format("2026-11-%02dT02:00:00Z", day), "hawat", "", "passed", Map.of("HAWAT1 p95", p95));
    }
}
