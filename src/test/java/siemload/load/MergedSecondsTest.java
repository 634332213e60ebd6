package siemload.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import siemload.dataset.SeededRandom;
import siemload.load.InjectedLoad.MergedSeconds;
import siemload.load.Injectors.Frame;
import siemload.measure.IntervalLog;
import siemload.measure.LatencyRecorder;
import siemload.measure.LatencyRecorder.Sample;
import siemload.measure.RunClock;
import siemload.query.Order;
import siemload.query.PageClass;
import siemload.query.SearchName;
import siemload.results.FeederResult.StoredEvents;
import siemload.results.LoggedInterval;
import siemload.results.Outcome;
import siemload.results.RunFile.TimeMetric;
import siemload.results.RunWriter;
import siemload.results.SearchKey;
import siemload.scenario.Rate;

final class MergedSecondsTest {
    private static final long SECOND = 1_000_000_000;
    private static final Instant MEASURED_FROM = Instant.parse("2026-11-21T10:15:00Z");
    private static final int SECONDS = 6;
    private static final List<SearchKey> KEYS = List.of(
            new SearchKey(SearchName.HAWAT1, PageClass.FIRST, Order.NEWEST_FIRST),
            new SearchKey(SearchName.HAWAT3, PageClass.COUNT, Order.OLDEST_FIRST),
            new SearchKey(SearchName.MENTAT, PageClass.DEEPER, Order.NEWEST_FIRST));

    /** Two seconds of warm-up, four measured. */
    private final RunClock clock = RunClock.startingAt(0, Duration.ofSeconds(2), Duration.ofSeconds(4));

    @TempDir
    private Path directory;

    private LatencyRecorder recorder() {
        return new LatencyRecorder(clock, Rate.constant(1_000));
    }

    /** One search and one batch, which depend on their number alone. */
    private static void record(LatencyRecorder recorder, int number, long secondNanos) {
        SeededRandom random = SeededRandom.of(7, number);
        long due = secondNanos + (long) (random.nextDouble() * SECOND / 2);
        long taken = due + random.nextInt(3_000_000);
        long end = taken + (long) (Math.exp(10 + 9 * random.nextDouble()));
        Outcome outcome = random.nextInt(20) == 0 ? Outcome.TIMEOUT : Outcome.OK;
        recorder.started();
        recorder.finished(
                KEYS.get(random.nextInt(KEYS.size())),
                new Sample(due, due, taken, taken + 500_000, end, random.nextInt(100), 9, outcome, ""));
        recorder.feeder().sent(10, due, taken);
        recorder.feeder().acknowledged(10, 100, taken, taken, Math.min(end, secondNanos + SECOND - 1));
        recorder.feeder().seen(taken, Math.min(end, secondNanos + SECOND - 1));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 16})
    void mergedIsBitForBitWhatOneRecorderHas(int injectors) throws IOException {
        LatencyRecorder one = recorder();
        LatencyRecorder merged = recorder();
        List<LatencyRecorder> parts =
                Stream.generate(this::recorder).limit(injectors).toList();
        Path ofOne = Files.createDirectory(directory.resolve("one"));
        Path ofSeveral = Files.createDirectory(directory.resolve("several"));
        try (RunWriter ofAlone = RunWriter.to(ofOne);
                RunWriter ofTogether = RunWriter.to(ofSeveral)) {
            IntervalLog alone = log(ofAlone, one);
            IntervalLog together = log(ofTogether, merged);
            MergedSeconds seconds = new MergedSeconds(
                    injectors, merged, second -> together.tick(clock.measureNanos() + Math.round(second * 1e9)));
            for (int second = 0; second < SECONDS; second++) {
                for (int number = second * 500; number < (second + 1) * 500; number++) {
                    record(one, number, second * SECOND);
                    record(parts.get(number % injectors), number, second * SECOND);
                }
                alone.tick((second + 1) * SECOND);
                long late = second + 1 == SECONDS ? 0 : 3_000_000;
                for (int i = 0; i < injectors; i++) {
                    seconds.take(i, overAStream(second((second + 1) * SECOND + i * late, parts.get(i))));
                }
            }
            for (int i = 0; i < injectors; i++) {
                seconds.end(i);
            }
        }

        assertThat(merged.results()).isEqualTo(one.results());
        assertThat(merged.inFlightAtEnd()).isEqualTo(one.inFlightAtEnd());
        assertThat(merged.feeder().visibility()).isEqualTo(one.feeder().visibility());
        assertThat(merged.feeder().result(clock.endNanos(), StoredEvents.ALL))
                .isEqualTo(one.feeder().result(clock.endNanos(), StoredEvents.ALL));
        for (TimeMetric metric : TimeMetric.values()) {
            Map<String, Histogram> expected = intervals(ofOne, metric);
            assertThat(expected).as(metric.name()).hasSizeGreaterThan(3);
            // As a whole: equal counts of each value, whatever room a histogram has for greater ones.
            assertThat(intervals(ofSeveral, metric)).as(metric.name()).isEqualTo(expected);
        }
    }

    private Frame.Second second(long nanos, LatencyRecorder part) {
        return new Frame.Second(clock.second(nanos), part.takeRecorded(), List.of());
    }

    private static Frame.Second overAStream(Frame.Second second) throws IOException {
        String line = new String(second.line(), StandardCharsets.UTF_8);
        return (Frame.Second)
                Frame.read(new BufferedReader(new StringReader(line))).orElseThrow();
    }

    private IntervalLog log(RunWriter files, LatencyRecorder recorders) throws IOException {
        return new IntervalLog(files, MEASURED_FROM, clock, recorders);
    }

    /** By search and second. */
    private static Map<String, Histogram> intervals(Path files, TimeMetric metric) throws IOException {
        Map<String, Histogram> intervals = new TreeMap<>();
        LoggedInterval.read(
                files,
                metric,
                interval -> assertThat(intervals.put(interval.tag() + " " + interval.endSecond(), interval.times()))
                        .isNull());
        return intervals;
    }
}
