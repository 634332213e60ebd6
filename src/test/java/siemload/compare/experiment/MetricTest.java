package siemload.compare.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MetricTest {

    @ParameterizedTest
    @CsvSource({
        "p95, response time p95, 25_441, 25.4 ms",
        "lastEventMicros, last event, 999, 0.999 ms",
        "countMicros, count, 12_345_678, 12300 ms",
        "p95Micros, p95, 17_250, 17.3 ms",
        "firstEventP95, first event p95, 1_500, 1.5 ms",
        "latenessP99, lateness p99, 50, 0.05 ms",
        "visibleP50, visible p50, 4_000, 4 ms",
        "slopeMicrosPerPage, slope per page, 12.34, 12.3 µs",
        "searchesPerSecond, searches, 40, 40 /s",
        "seconds, seconds, 0, 0 s",
        "settleSeconds, settle, 61.25, 61.3 s",
        "eventsPerSecond, events, 11_049, 11000 /s",
        "bytes, bytes, 2_500_000, 2.5 MB",
        "walBytesPerEvent, wal bytes per event, 1_234.5, 1230 bytes",
        "blocksRead, blocks read, 17, 17"
    })
    void valuesAreShownInTheUnitsOfPeople(String metric, String title, String value, String shown) {
        Metric.Words words = new Metric(metric).inWords();

        assertThat(words.title()).isEqualTo(title);
        assertThat(words.shown(Double.parseDouble(value.replace("_", "")))).isEqualTo(shown);
    }
}
