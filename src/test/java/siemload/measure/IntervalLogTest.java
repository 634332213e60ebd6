package siemload.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.util.DefaultLocale;
import siemload.measure.LatencyRecorder.Sample;
import siemload.query.Order;
import siemload.query.PageClass;
import siemload.query.SearchName;
import siemload.results.Outcome;
import siemload.results.RunFile.TimeMetric;
import siemload.results.RunWriter;
import siemload.results.SearchKey;
import siemload.scenario.Rate;

@Tag("every-java")
class IntervalLogTest {
    private static final long SECOND = 1_000_000_000;
    private static final long MILLI = 1_000_000;
    private static final Instant MEASURED_FROM = Instant.parse("2026-11-21T10:15:00Z");
    private static final SearchKey FIRST = new SearchKey(SearchName.HAWAT1, PageClass.FIRST, Order.NEWEST_FIRST);
    private static final SearchKey COUNT = new SearchKey(SearchName.HAWAT3, PageClass.COUNT, Order.OLDEST_FIRST);

    /** One second of warm-up, two measured. */
    private final RunClock clock = RunClock.startingAt(0, Duration.ofSeconds(1), Duration.ofSeconds(2));

    private final LatencyRecorder searches = new LatencyRecorder(clock, Rate.constant(100));
    private final FeederRecorder feeder = searches.feeder();

    @TempDir
    private Path directory;

    @Test
    void eachIntervalHoldsWhatEndedInItByTag() throws IOException {
        try (RunWriter writer = RunWriter.to(directory)) {
            IntervalLog log = open(writer);
            search(FIRST, 500, 7);
            log.tick(SECOND);
            search(FIRST, 1_100, 20);
            search(FIRST, 1_200, 40);
            search(COUNT, 1_300, 5);
            log.tick(2 * SECOND);
            search(FIRST, 2_100, 80);
            log.tick(3 * SECOND);
        }

        List<Histogram> intervals = read(TimeMetric.RESPONSE_TIME);
        assertThat(intervals)
                .extracting(Histogram::getTag)
                .containsExactlyInAnyOrder(
                        "HAWAT1-first-newestFirst", "HAWAT3-count-oldestFirst", "HAWAT1-first-newestFirst");
        assertThat(intervals)
                .filteredOn(one -> one.getTag().startsWith("HAWAT1"))
                .extracting(Histogram::getTotalCount)
                .containsExactly(2L, 1L);
        Histogram second = intervals.get(intervals.size() - 1);
        assertThat(second.getStartTimeStamp()).isEqualTo(MEASURED_FROM.toEpochMilli() + 1_000);
        assertThat(second.getEndTimeStamp()).isEqualTo(MEASURED_FROM.toEpochMilli() + 2_000);
        assertThat(second.valuesAreEquivalent(second.getMaxValue(), 80_000)).isTrue();
    }

    @Test
    @DefaultLocale("ar-EG")
    void theTimelineCountsEveryPhaseAndHowFarTheFeederIsBehind() throws IOException {
        try (RunWriter writer = RunWriter.to(directory)) {
            IntervalLog log = open(writer);
            search(FIRST, 500, 7);
            feeder.acknowledged(60, 1, 0, 0, SECOND / 2);
            log.tick(SECOND);
            searches.started();
            feeder.acknowledged(100, 1, 0, 0, SECOND);
            log.tick(2 * SECOND);
        }

        assertThat(Files.readString(directory.resolve("timeline.csv")).lines().skip(1))
                .containsExactly(
                        "0.000,warmup,1,0,0,7003,7003,7003,7003,60,40,100", "1.000,measured,0,0,1,0,0,0,0,100,40,100");
    }

    private IntervalLog open(RunWriter writer) throws IOException {
        return new IntervalLog(writer, MEASURED_FROM, clock, searches);
    }

    private void search(SearchKey key, long dueMillis, long millis) {
        long due = dueMillis * MILLI;
        long end = due + millis * MILLI;
        searches.started();
        searches.finished(key, new Sample(due, due, due, end, end, 1, 1, Outcome.OK, ""));
    }

    private List<Histogram> read(TimeMetric metric) throws IOException {
        List<Histogram> intervals = new ArrayList<>();
        HistogramLogReader reader = new HistogramLogReader(
                directory.resolve(metric.file().fileName()).toFile());
        while (reader.hasNext()) {
            intervals.add((Histogram) reader.nextIntervalHistogram());
        }
        reader.close();
        assertThat(reader.getStartTimeSec()).isEqualTo(MEASURED_FROM.getEpochSecond());
        return intervals;
    }
}
