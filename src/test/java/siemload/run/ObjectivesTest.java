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
import siemload.results.FeederResult.StoredEvents;
import siemload.results.Outcome;
import siemload.results.RunResult.Disturbance;
import siemload.results.RunResult.ObjectiveResult;
import siemload.results.RunWriter;
import siemload.results.RunWriter.LatencyLogWriter;
import siemload.results.SearchKey;
import siemload.results.SearchResult;
import siemload.results.TimeMetric;
import siemload.run.RunOutcome.Objectives;
import siemload.run.RunOutcome.RunIntervals;
import siemload.scenario.Objective;
import siemload.scenario.Objective.Comparison;
import siemload.scenario.rate.ConstantRate;

class ObjectivesTest {
    private static final long MILLI = 1_000_000;

    private final RunClock clock = RunClock.startingAt(0, Duration.ZERO, Duration.ofSeconds(10));
    private final LatencyRecorder searches = new LatencyRecorder(clock);
    private Disturbance disturbance = Disturbance.NONE;

    @TempDir
    private Path directory;

    /** In each of 20 seconds HAWAT1: 45 first pages of 10 ms and 5 deeper ones of 100 ms; a count of 9 s. HAWAT3: one failure. */
    @BeforeEach
    void record() throws IOException {
        for (int i = 0; i < 20; i++) {
            record(SearchName.HAWAT1, PageClass.FIRST, 10, Outcome.OK, 45);
            record(SearchName.HAWAT1, PageClass.DEEPER, 100, Outcome.OK, 5);
            record(SearchName.HAWAT1, PageClass.COUNT, 9_000, Outcome.OK, 1);
        }
        record(SearchName.HAWAT3, PageClass.FIRST, 1, Outcome.REFUSED, 1);
        for (TimeMetric metric : List.of(TimeMetric.RESPONSE_TIME, TimeMetric.SERVICE_TIME)) {
            try (LatencyLogWriter log =
                    RunWriter.to(directory).latencyLog(metric, Instant.parse("2026-11-21T10:15:00Z"))) {
                for (int second = 1; second <= 20; second++) {
                    log.write("HAWAT1-first-newestFirst", second - 1, second, times(10_000, 45));
                    log.write("HAWAT1-deeper-newestFirst", second - 1, second, times(100_000, 5));
                    log.write("HAWAT1-count-newestFirst", second - 1, second, times(9_000_000, 1));
                    if (second <= 5) {
                        log.write("HAWAT5-first-newestFirst", second - 1, second, times(75_000, 1));
                    }
                }
            }
        }
    }

    @Test
    void aSearchIsHeldToAllItsPagesTogetherWithoutCounts() {
        assertThat(check("HAWAT1", "responseTime", "p50", Comparison.BELOW, 11_000))
                .returns(ObjectiveResult.Outcome.MET, ObjectiveResult::outcome)
                .returns("10.0ms, 95 %: 10.0ms to 10.0ms", ObjectiveResult::measured);
        assertThat(check("HAWAT1", "responseTime", "p95", Comparison.BELOW, 99_000))
                .returns(ObjectiveResult.Outcome.MISSED, ObjectiveResult::outcome)
                .returns("100.0ms, 95 %: 100.0ms to 100.0ms", ObjectiveResult::measured);
        assertThat(check("HAWAT1", "responseTime", "max", Comparison.AT_MOST, 101_000))
                .returns(ObjectiveResult.Outcome.MET, ObjectiveResult::outcome)
                .returns("100.0ms", ObjectiveResult::measured);
    }

    @Test
    void aLimitWithinTheIntervalDecidesNothing() {
        assertThat(check("HAWAT1", "responseTime", "p90", Comparison.BELOW, 11_000))
                .returns(ObjectiveResult.Outcome.UNDECIDED, ObjectiveResult::outcome)
                .returns(true, ObjectiveResult::met)
                .returns("10.0ms, 95 %: 10.0ms to 100.0ms", ObjectiveResult::measured)
                .returns(
                        "the limit lies within the 95 % interval: measure longer (-Dduration)",
                        ObjectiveResult::reason);
    }

    @Test
    void whatOthersMayHaveMadeLongerIsNotMissedForCertain() {
        disturbance = new Disturbance(12, List.of("other programs (stress-ng 48 %) took CPU time"));

        assertThat(check("HAWAT1", "responseTime", "p95", Comparison.BELOW, 99_000))
                .returns(ObjectiveResult.Outcome.UNDECIDED, ObjectiveResult::outcome)
                .returns(
                        "without other programs it may be met: other programs (stress-ng 48 %) took CPU time; the"
                                + " percentiles may be off by about 12 %",
                        ObjectiveResult::reason);
        assertThat(check("HAWAT1", "responseTime", "p95", Comparison.BELOW, 80_000)
                        .outcome())
                .isEqualTo(ObjectiveResult.Outcome.MISSED);
    }

    @Test
    void fewSearchesMeetNothingAndSayHowManyAreMissing() {
        record(SearchName.HAWAT5, PageClass.FIRST, 75, Outcome.OK, 5);

        assertThat(check("HAWAT5", "responseTime", "p95", Comparison.BELOW, 2_000_000))
                .returns(ObjectiveResult.Outcome.UNDECIDED, ObjectiveResult::outcome)
                .returns("75.0ms, 95 %: 75.0ms or more", ObjectiveResult::measured)
                .returns("p95 takes 72 searches, 5 measured: 67 more, about -Dduration=5m", ObjectiveResult::reason)
                .returns(67L, ObjectiveResult::searchesMissing);
    }

    /** Of five searches all took longer: chance does not make that of a p95 within the limit. */
    @Test
    void fewSearchesMayMissForCertain() {
        record(SearchName.HAWAT5, PageClass.FIRST, 75, Outcome.OK, 5);

        assertThat(check("HAWAT5", "responseTime", "p95", Comparison.BELOW, 50_000)
                        .outcome())
                .isEqualTo(ObjectiveResult.Outcome.MISSED);
    }

    private static Histogram times(long micros, int count) {
        Histogram times = new Histogram(3);
        times.recordValueWithCount(micros, count);
        return times;
    }

    @Test
    void errorsAreHeldToTheirShareOfAllSearches() {
        assertThat(check("all", "errorRatio", "", Comparison.AT_MOST, 0.01))
                .returns(ObjectiveResult.Outcome.MET, ObjectiveResult::outcome)
                .returns("0.0010", ObjectiveResult::measured);
        assertThat(check("HAWAT3", "errorRatio", "", Comparison.AT_MOST, 0.01).outcome())
                .isEqualTo(ObjectiveResult.Outcome.MISSED);
    }

    @Test
    void fewSearchesWithoutAFailureDoNotShowARatioOfOneInAHundred() {
        record(SearchName.HAWAT5, PageClass.FIRST, 75, Outcome.OK, 16);

        assertThat(check("HAWAT5", "errorRatio", "", Comparison.AT_MOST, 0.01))
                .returns(ObjectiveResult.Outcome.UNDECIDED, ObjectiveResult::outcome)
                .returns(84L, ObjectiveResult::searchesMissing);
        assertThat(check("HAWAT5", "errorRatio", "", Comparison.AT_MOST, 0).outcome())
                .isEqualTo(ObjectiveResult.Outcome.MET);
    }

    @Test
    void ofASearchThatWasNotMeasuredNothingIsKnown() {
        assertThat(check("HAWAT7", "responseTime", "p95", Comparison.BELOW, 1e9))
                .returns(ObjectiveResult.Outcome.UNDECIDED, ObjectiveResult::outcome)
                .returns(false, ObjectiveResult::met)
                .returns("nothing", ObjectiveResult::measured)
                .returns("p95 takes 72 searches, none was measured", ObjectiveResult::reason);
    }

    /** Of the searches 2 % were given up: those that were answered say nothing of the slowest hundredth. */
    @Test
    void timesOfAnswersMeetNothingWhereTheSlowestSearchesGotNone() {
        record(SearchName.HAWAT1, PageClass.FIRST, 60_000, Outcome.TIMEOUT, 20);

        assertThat(check("HAWAT1", "lastEvent", "p95", Comparison.BELOW, 200_000)
                        .outcome())
                .isEqualTo(ObjectiveResult.Outcome.MET);
        assertThat(check("HAWAT1", "lastEvent", "p99", Comparison.BELOW, 200_000))
                .returns(ObjectiveResult.Outcome.MISSED, ObjectiveResult::outcome)
                .returns("2.0 % were not answered", ObjectiveResult::measured);
    }

    @Test
    void searchesThatWereAllRefusedMeetNoTime() {
        for (String metric : List.of("responseTime", "firstEvent")) {
            assertThat(check("HAWAT3", metric, "min", Comparison.BELOW, 200_000))
                    .returns(ObjectiveResult.Outcome.MISSED, ObjectiveResult::outcome)
                    .returns("100.0 % were not answered", ObjectiveResult::measured);
        }
    }

    @Test
    void theFeederIsHeldToItsRate() {
        assertThat(check("feeder", "achievedRatio", "", Comparison.AT_LEAST, 0.99))
                .returns(ObjectiveResult.Outcome.MISSED, ObjectiveResult::outcome)
                .returns("0.9000", ObjectiveResult::measured);
    }

    private ObjectiveResult check(
            String subject, String metric, String statistic, Comparison comparison, double limit) {
        FeederRecorder feeder = new LatencyRecorder(clock).feeder(new ConstantRate(100));
        feeder.sent(900, 0, 0);
        feeder.acknowledged(900, 0, 0, 0, 1);
        feeder.neverSent(1, 100, 0, 1);
        Objective objective = new Objective("text", subject, metric, statistic, comparison, limit);
        List<SearchResult> totals = RunIntervals.read(directory).addedTo(searches.totals());
        return new Objectives(totals, feeder.result(clock.endNanos(), StoredEvents.ALL), disturbance, 20)
                .check(objective);
    }

    private void record(SearchName name, PageClass page, long millis, Outcome outcome, int times) {
        for (int i = 0; i < times; i++) {
            searches.started();
            searches.finished(
                    new SearchKey(name, page, Order.NEWEST_FIRST),
                    new Sample(0, 0, 0, millis * MILLI, millis * MILLI, 0, 0, outcome, ""));
        }
    }
}
