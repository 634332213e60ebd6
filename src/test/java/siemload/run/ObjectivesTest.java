package siemload.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import siemload.measure.FeederRecorder;
import siemload.measure.LatencyRecorder;
import siemload.measure.RunClock;
import siemload.measure.Sample;
import siemload.query.Order;
import siemload.query.PageClass;
import siemload.query.SearchName;
import siemload.results.Asked;
import siemload.results.LatencyLogWriter;
import siemload.results.Outcome;
import siemload.results.RunResult;
import siemload.results.RunWriter;
import siemload.results.SearchKey;
import siemload.results.StoredEvents;
import siemload.results.TimeMetric;
import siemload.results.statistics.RunIntervals;
import siemload.scenario.Objective;
import siemload.scenario.Objective.Comparison;
import siemload.scenario.rate.ConstantRate;

class ObjectivesTest {
    private static final long MILLI = 1_000_000;

    private final RunClock clock = RunClock.startingAt(0, Duration.ZERO, Duration.ofSeconds(10));
    private final LatencyRecorder searches = new LatencyRecorder(clock);
    private RunIntervals intervals = RunIntervals.NONE;

    @TempDir
    private Path directory;

    /** HAWAT1: 90 first pages of 10 ms and 10 deeper ones of 100 ms; a count of 9 s; HAWAT3: one failure. */
    @BeforeEach
    void record() {
        for (int i = 0; i < 90; i++) {
            record(SearchName.HAWAT1, PageClass.FIRST, 10, Outcome.OK);
        }
        for (int i = 0; i < 10; i++) {
            record(SearchName.HAWAT1, PageClass.DEEPER, 100, Outcome.OK);
        }
        record(SearchName.HAWAT1, PageClass.COUNT, 9_000, Outcome.OK);
        record(SearchName.HAWAT3, PageClass.FIRST, 1, Outcome.REFUSED);
    }

    @Test
    void aSearchIsHeldToAllItsPagesTogetherWithoutCounts() {
        assertThat(check("HAWAT1", "responseTime", "p90", Comparison.BELOW, 11_000)
                        .met())
                .isTrue();
        RunResult.ObjectiveResult p95 = check("HAWAT1", "responseTime", "p95", Comparison.BELOW, 99_000);
        assertThat(p95.met()).isFalse();
        assertThat(p95.measured()).isEqualTo("100.0ms");
        assertThat(check("HAWAT1", "responseTime", "max", Comparison.AT_MOST, 101_000)
                        .met())
                .isTrue();
    }

    @Test
    void aPercentileSaysBetweenWhatItLies() throws IOException {
        try (LatencyLogWriter log =
                RunWriter.to(directory).latencyLog(TimeMetric.RESPONSE_TIME, Instant.parse("2026-11-21T10:15:00Z"))) {
            for (int second = 1; second <= 20; second++) {
                log.write("HAWAT1-first-newestFirst", second - 1, second, times(10_000, 5));
                log.write("HAWAT1-deeper-newestFirst", second - 1, second, times(100_000, 5));
                log.write("HAWAT1-count-newestFirst", second - 1, second, times(9_000_000, 50));
            }
        }
        intervals = RunIntervals.read(directory);

        assertThat(check("HAWAT1", "responseTime", "p50", Comparison.BELOW, 11_000)
                        .measured())
                .isEqualTo("10.0ms, 95 %: 10.0ms to 100.0ms");
        assertThat(check("all", "responseTime", "p99", Comparison.BELOW, 11_000).measured())
                .endsWith(", 95 %: 100.0ms or more");
        assertThat(check("all", "responseTime", "max", Comparison.BELOW, 11_000).measured())
                .doesNotContain("95 %");
    }

    private static Histogram times(long micros, int count) {
        Histogram times = new Histogram(3);
        times.recordValueWithCount(micros, count);
        return times;
    }

    @Test
    void errorsAreHeldToTheirShareOfAllSearches() {
        RunResult.ObjectiveResult result = check("all", "errorRatio", "", Comparison.AT_MOST, 0.01);

        assertThat(result.met()).isTrue();
        assertThat(result.measured()).isEqualTo("0.0099");
        assertThat(check("HAWAT3", "errorRatio", "", Comparison.AT_MOST, 0.01).met())
                .isFalse();
    }

    @Test
    void aSearchThatWasNotMeasuredMissesItsObjective() {
        RunResult.ObjectiveResult result = check("HAWAT7", "responseTime", "p95", Comparison.BELOW, 1e9);

        assertThat(result.met()).isFalse();
        assertThat(result.measured()).isEqualTo("no such search was measured");
    }

    /** Of the searches one in a hundred and two was given up: those that were answered say nothing of the slowest hundredth. */
    @Test
    void timesOfAnswersMeetNothingWhereTheSlowestSearchesGotNone() {
        record(SearchName.HAWAT1, PageClass.FIRST, 60_000, Outcome.TIMEOUT);
        record(SearchName.HAWAT1, PageClass.FIRST, 60_000, Outcome.TIMEOUT);

        assertThat(check("HAWAT1", "lastEvent", "p95", Comparison.BELOW, 200_000)
                        .met())
                .isTrue();
        RunResult.ObjectiveResult p99 = check("HAWAT1", "lastEvent", "p99", Comparison.BELOW, 200_000);
        assertThat(p99.met()).isFalse();
        assertThat(p99.measured()).isEqualTo("2.0 % were not answered");
        assertThat(check("HAWAT3", "firstEvent", "min", Comparison.BELOW, 200_000)
                        .measured())
                .isEqualTo("100.0 % were not answered");
    }

    @Test
    void theFeederIsHeldToItsRate() {
        RunResult.ObjectiveResult result = check("feeder", "achievedRatio", "", Comparison.AT_LEAST, 0.99);

        assertThat(result.met()).isFalse();
        assertThat(result.measured()).isEqualTo("0.9000");
    }

    private RunResult.ObjectiveResult check(
            String subject, String metric, String statistic, Comparison comparison, double limit) {
        FeederRecorder feeder = new FeederRecorder(clock, new ConstantRate(100));
        feeder.acknowledged(900, 0, 0, 1);
        Objective objective = new Objective("text", subject, metric, statistic, comparison, limit);
        return new Objectives(searches, feeder.result(clock.endNanos(), StoredEvents.ALL), intervals)
                .check(List.of(objective))
                .get(0);
    }

    private void record(SearchName name, PageClass page, long millis, Outcome outcome) {
        searches.started();
        searches.finished(
                new SearchKey(name, page, Order.NEWEST_FIRST),
                Asked.FIRST,
                new Sample(0, 0, 0, millis * MILLI, millis * MILLI, 0, 0, outcome, "", 0));
    }
}
