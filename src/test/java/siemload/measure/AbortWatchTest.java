package siemload.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import siemload.config.Property;
import siemload.measure.IntervalLog.AbortWatch;
import siemload.measure.LatencyRecorder.RecordedSearches;
import siemload.measure.Tally.Recorded;

class AbortWatchTest {
    @Test
    void manyErrorsCountOnceTheyLastedForTheWholeWindow() {
        AbortWatch watch = watch("errorRatio > 0.2 for 3s");
        assertThat(second(watch, 100, 100, 1)).isEmpty();
        assertThat(second(watch, 100, 0, 1)).isEmpty();
        assertThat(second(watch, 100, 0, 1)).hasValue("errorRatio was 0.33 (abortIf errorRatio > 0.2 for 3s)");
        assertThat(second(watch, 100, 0, 1)).as("the errors are over").isEmpty();
    }

    @Test
    void fewerThanTenSayNothing() {
        AbortWatch watch = watch("errorRatio > 0.2 for 1s");
        assertThat(second(watch, 9, 9, 1)).isEmpty();
        assertThat(second(watch, 10, 10, 1)).isPresent();
    }

    @Test
    void percentilesAreThoseOfTheWholeWindow() {
        AbortWatch watch = watch("p95 > 30s for 2s, errorRatio > 0.9 for 1s");
        assertThat(second(watch, 90, 0, 1_000)).isEmpty();
        assertThat(second(watch, 10, 0, 40_000_000)).hasValue("p95 was 40.0 s (abortIf p95 > 30s for 2s)");
        assertThat(second(watch, 900, 0, 1_000)).isEmpty();
    }

    @Test
    void whatIsNoConditionIsRefused() {
        String none =
                ";errorRatio;errorRatio < 0.2 for 10s;errorRatio > 2 for 10s;p95 > 0.2 for 10s;p96 > 1s for 10s;p95 > 1s for 0s"
                        + ";never, p95 > 1s for 1s";
        for (String written : none.split(";", -1)) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> Property.ABORT_IF.type().parse(written));
        }
    }

    private AbortWatch watch(String conditions) {
        return new AbortWatch(Property.ABORT_IF.type().parse(conditions));
    }

    private Optional<String> second(AbortWatch watch, int endedNow, int failedNow, long micros) {
        Histogram times = new Histogram(3);
        times.recordValueWithCount(micros, endedNow);
        Map<String, Long> counts = Map.of("finished", (long) endedNow, "failed", (long) failedNow);
        Recorded all = new Recorded(counts, Map.of("responses", times), Map.of());
        return watch.second(new RecordedSearches(List.of(), Map.of(LatencyRecorder.ALL, all)));
    }
}
