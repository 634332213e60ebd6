package siemload.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import siemload.measure.LatencyRecorder.Sample;
import siemload.measure.LatencyRecorder.TickRecorder;
import siemload.measure.Tally.MicrosHistogram;
import siemload.query.Order;
import siemload.query.PageClass;
import siemload.query.SearchName;
import siemload.results.MicrosSummary;
import siemload.results.Outcome;
import siemload.results.RunResult.ScheduleResult;
import siemload.results.RunResult.SearchResult;
import siemload.results.SearchKey;

@Tag("every-java")
class LatencyRecorderTest {
    private static final long MILLI = 1_000_000;
    private static final SearchKey KEY = new SearchKey(SearchName.HAWAT1, PageClass.FIRST, Order.NEWEST_FIRST);

    private final RunClock clock = RunClock.startingAt(0, Duration.ofSeconds(1), Duration.ofSeconds(2));
    private final LatencyRecorder recorder = new LatencyRecorder(clock);

    @Test
    void aSearchBelongsToThePhaseItWasDueIn() {
        record(sample(999 * MILLI, 1000 * MILLI, 1001 * MILLI, Outcome.OK, ""));
        record(sample(1000 * MILLI, 1001 * MILLI, 1005 * MILLI, Outcome.OK, ""));
        record(sample(3000 * MILLI, 3001 * MILLI, 3002 * MILLI, Outcome.OK, ""));

        assertThat(recorder.results()).singleElement().satisfies(result -> {
            assertThat(result.count()).isEqualTo(1);
            assertThat(result.responseTimeMicros().max()).isBetween(5000L, 5005L);
        });
    }

    @Test
    void responseTimeStartsWhenTheUserWasDueAndServiceTimeWhenAWorkerTookIt() {
        record(new Sample(
                1000 * MILLI, 1200 * MILLI, 1300 * MILLI, 1340 * MILLI, 1400 * MILLI, 7, 700, Outcome.OK, ""));

        SearchResult result = recorder.results().get(0);
        assertThat(result.responseTimeMicros().p50()).isBetween(400_000L, 400_400L);
        assertThat(result.latenessMicros().p50()).isBetween(200_000L, 200_200L);
        assertThat(result.workerWaitMicros().p50()).isBetween(300_000L, 300_300L);
        assertThat(result.serviceTimeMicros().p50()).isBetween(100_000L, 100_100L);
        assertThat(result.firstEventMicros().p50()).isBetween(40_000L, 40_040L);
        assertThat(result.lastEventMicros().p50()).isBetween(100_000L, 100_100L);
        assertThat(result.rows()).isEqualTo(7);
        assertThat(result.bytes()).isEqualTo(700);
    }

    @Test
    void aTimeoutIsAmongTheResponseTimesButARefusalIsNot() {
        record(sample(1000 * MILLI, 1000 * MILLI, 1500 * MILLI, Outcome.TIMEOUT, "57014"));
        record(sample(1000 * MILLI, 1000 * MILLI, 1001 * MILLI, Outcome.REFUSED, "53200"));

        SearchResult result = recorder.results().get(0);
        assertThat(result.ko()).isEqualTo(2);
        assertThat(result.ok()).isZero();
        assertThat(result.errors()).isEqualTo(Map.of("timeout 57014", 1L, "refused 53200", 1L));
        assertThat(result.responseTimeMicros().min()).isBetween(499_500L, 500_500L);
        assertThat(result.responseTimeMicros().max()).isLessThanOrEqualTo(500_500L);
        assertThat(result.serviceTimeMicros().max()).isZero();
    }

    @Test
    void aTotalHasAllPagesAndOrdersButExactCountsAreNoPages() {
        record(KEY, 10);
        record(new SearchKey(SearchName.HAWAT1, PageClass.DEEPER, Order.OLDEST_FIRST), 30);
        record(new SearchKey(SearchName.HAWAT1, PageClass.COUNT, Order.NEWEST_FIRST), 900);
        record(new SearchKey(SearchName.MENTAT, PageClass.FIRST, Order.NEWEST_FIRST), 20);

        assertThat(recorder.totals())
                .extracting(
                        total -> total.kind().label(),
                        SearchResult::count,
                        total -> Math.round(total.responseTimeMicros().max() / 1e3))
                .containsExactly(
                        tuple("MENTAT", 1L, 20L),
                        tuple("HAWAT1", 2L, 30L),
                        tuple("all", 3L, 30L),
                        tuple("exact counts", 1L, 900L));
    }

    private void record(SearchKey key, long millis) {
        recorder.started();
        recorder.finished(key, sample(1000 * MILLI, 1000 * MILLI, (1000 + millis) * MILLI, Outcome.OK, ""));
    }

    private void record(Sample sample) {
        recorder.started();
        recorder.finished(KEY, sample);
    }

    private static Sample sample(long intended, long taken, long end, Outcome outcome, String code) {
        return new Sample(intended, intended, taken, end, end, 0, 0, outcome, code);
    }

    @Test
    void percentilesAreNearestRankOnOneToOneHundred() {
        MicrosHistogram histogram = new MicrosHistogram();
        for (int micros = 1; micros <= 100; micros++) {
            histogram.recordNanos(micros * 1000L);
        }

        assertThat(histogram.summary()).isEqualTo(new MicrosSummary(1, 50.5, 50, 90, 95, 99, 100, 100));
    }

    @Test
    void intervalsHaveEachTimeOnceWhileOthersRecord() throws InterruptedException {
        MicrosHistogram histogram = new MicrosHistogram();
        List<Thread> recording = IntStream.range(0, 4)
                .mapToObj(thread -> new Thread(() ->
                        IntStream.range(0, 50_000).forEach(number -> histogram.recordNanos(number % 100 * 1_000_000L))))
                .toList();
        recording.forEach(Thread::start);

        Histogram intervals = new Histogram(3);
        while (recording.stream().anyMatch(Thread::isAlive)) {
            intervals.add(histogram.takeInterval());
        }
        for (Thread thread : recording) {
            thread.join();
        }
        intervals.add(histogram.takeInterval());

        assertThat(intervals.getTotalCount()).isEqualTo(200_000);
        assertThat(histogram.count()).isEqualTo(200_000);
        assertThat(histogram.summary()).isEqualTo(MicrosSummary.of(intervals));
        assertThat(histogram.takeInterval().getTotalCount()).isZero();
    }

    private static final long SECOND = 1_000_000_000L;

    private final RunClock minute = RunClock.startingAt(0, Duration.ofSeconds(10), Duration.ofSeconds(60));
    private final LatencyRecorder ticks = new LatencyRecorder(minute);

    /** One task, a tick a second from the start. */
    private TickRecorder everySecond() {
        ticks.expectTicks("rules", 1, Duration.ofSeconds(1), nanos -> Math.max(0, -Math.floorDiv(-nanos, SECOND)));
        return ticks.ticks("rules");
    }

    @Test
    void eachTickOfTheMeasuredPhaseIsRunOrMissedOrUnfinished() {
        TickRecorder rules = everySecond();
        for (long second = 0; second < 70; second++) {
            if (second % 10 == 5) {
                rules.missed(second * SECOND);
            } else {
                rules.started(second * SECOND);
                if (second != 69) {
                    rules.done(sample(second * SECOND, 2, 42, second == 60 ? Outcome.TIMEOUT : Outcome.OK));
                }
            }
        }

        ScheduleResult result = ticks.ticks(minute.endNanos()).get(0);
        assertThat(result.due()).isEqualTo(60);
        assertThat(result.missed()).isEqualTo(6);
        assertThat(result.failed()).isEqualTo(1);
        assertThat(result.run()).isEqualTo(53);
        assertThat(result.unfinished()).isEqualTo(1);
        assertThat(result.unreported()).isZero();
        assertThat(result.latenessMicros().max()).isBetween(1_999L, 2_002L);
        assertThat(result.responseTimeMicros().max()).isBetween(41_950L, 42_050L);
    }

    private static Sample sample(long due, long lateMillis, long millis, Outcome outcome) {
        long taken = due + lateMillis * 1_000_000;
        long end = due + millis * 1_000_000;
        return new Sample(due, due, taken, end, end, 3, 30, outcome, "");
    }
}
