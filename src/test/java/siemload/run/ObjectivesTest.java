package siemload.run;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import siemload.GoldenFile;
import siemload.measure.FeederRecorder;
import siemload.measure.LatencyRecorder;
import siemload.measure.LatencyRecorder.Sample;
import siemload.measure.RunClock;
import siemload.query.Order;
import siemload.query.PageClass;
import siemload.query.SearchName;
import siemload.results.FeederResult.StoredEvents;
import siemload.results.Outcome;
import siemload.results.RunFile.TimeMetric;
import siemload.results.RunResult.Disturbance;
import siemload.results.RunResult.ObjectiveResult;
import siemload.results.RunResult.SearchResult;
import siemload.results.RunWriter;
import siemload.results.RunWriter.LatencyLogWriter;
import siemload.results.SearchKey;
import siemload.run.RunOutcome.Objectives;
import siemload.run.RunOutcome.RunIntervals;
import siemload.scenario.Objective;
import siemload.scenario.Rate;

/** What becomes of objectives in a run that {@code golden/validity/objectives.txt} describes. */
class ObjectivesTest {
    private static final long MILLI = 1_000_000;
    private static final RunClock CLOCK = RunClock.startingAt(0, Duration.ZERO, Duration.ofSeconds(10));

    private RunIntervals intervals;

    @Test
    void eachRuleFromBothSides(@TempDir Path directory) throws IOException {
        for (TimeMetric metric : List.of(TimeMetric.RESPONSE_TIME, TimeMetric.SERVICE_TIME)) {
            try (RunWriter writer = RunWriter.to(directory)) {
                LatencyLogWriter log = writer.latencyLog(metric, Instant.parse("2026-11-21T10:15:00Z"));
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
        intervals = RunIntervals.read(directory);
        GoldenFile.of("validity/objectives.txt").assertEach(this::check);
    }

    private static Histogram times(long micros, int count) {
        Histogram times = new Histogram(3);
        times.recordValueWithCount(micros, count);
        return times;
    }

    private String check(String line) {
        String[] things = line.split("; ", -1);
        LatencyRecorder searches = new LatencyRecorder(CLOCK);
        for (int i = 0; i < 20; i++) {
            record(searches, SearchName.HAWAT1, PageClass.FIRST, 10, Outcome.OK, 45);
            record(searches, SearchName.HAWAT1, PageClass.DEEPER, 100, Outcome.OK, 5);
            record(searches, SearchName.HAWAT1, PageClass.COUNT, 9_000, Outcome.OK, 1);
        }
        record(searches, SearchName.HAWAT3, PageClass.FIRST, 1, Outcome.REFUSED, 1);
        Disturbance disturbance = Disturbance.NONE;
        for (String thing : Arrays.asList(things).subList(1, things.length)) {
            if (thing.equals("disturbed")) {
                disturbance = new Disturbance(12, List.of("other programs (stress-ng 48 %) took CPU time"));
            } else {
                String[] more = thing.split(" ", -1);
                Outcome outcome = Outcome.valueOf(more[2].toUpperCase(Locale.ROOT));
                int times = Integer.parseInt(more[0]);
                record(searches, new SearchName(more[1]), PageClass.FIRST, Long.parseLong(more[3]), outcome, times);
            }
        }
        FeederRecorder feeder = new LatencyRecorder(CLOCK, Rate.constant(100)).feeder();
        feeder.sent(900, 0, 0);
        feeder.acknowledged(900, 0, 0, 0, 1);
        feeder.neverSent(1, 100, 0, 1);
        List<SearchResult> totals = intervals.addedTo(searches.totals());
        ObjectiveResult result = new Objectives(
                        totals, feeder.result(CLOCK.endNanos(), StoredEvents.ALL), disturbance, 20)
                .check(objective(things[0].split(" ", -1)));
        String missing = result.hasTooFew() ? " (" + result.searchesMissing() + " missing)" : "";
        return result.outcome().label()
                + (result.met() ? ", within the limit: " : ", not within: ")
                + result.measured()
                + (result.reason().isEmpty() ? "" : "\n" + result.reason() + missing);
    }

    private static Objective objective(String... words) {
        double limit = Double.parseDouble(words[words.length - 1]);
        String statistic = words.length == 5 ? words[2] : "";
        return new Objective("text", words[0], words[1], statistic, words[words.length - 2], limit);
    }

    private static void record(
            LatencyRecorder searches, SearchName name, PageClass page, long millis, Outcome outcome, int times) {
        for (int i = 0; i < times; i++) {
            searches.started();
            searches.finished(
                    new SearchKey(name, page, Order.NEWEST_FIRST),
                    new Sample(0, 0, 0, millis * MILLI, millis * MILLI, 0, 0, outcome, ""));
        }
    }
}
