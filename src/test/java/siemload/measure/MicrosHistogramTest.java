package siemload.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import siemload.results.MicrosSummary;

class MicrosHistogramTest {

    @Test
    void percentilesAreNearestRankOnOneToOneHundred() {
        MicrosHistogram histogram = new MicrosHistogram();
        for (int micros = 1; micros <= 100; micros++) {
            histogram.recordNanos(micros * 1000L);
        }

        assertThat(histogram.summary()).isEqualTo(new MicrosSummary(1, 50.5, 50, 90, 95, 99, 100, 100));
    }

    @Test
    void aMixOfTwoValuesNeverReportsAValueBetweenThem() {
        MicrosHistogram histogram = new MicrosHistogram();
        for (int i = 0; i < 1000; i++) {
            histogram.recordNanos(i % 2 == 0 ? 20_000_000L : 120_000_000L);
        }

        assertThat((double) histogram.summary().p50()).isCloseTo(20_000, within(20.0));
        assertThat((double) histogram.summary().p90()).isCloseTo(120_000, within(120.0));
    }

    @Test
    void everyValueIsKeptWithinOneThousandth() {
        for (long micros = 1; micros < 4_000_000_000L; micros = micros * 3 + 1) {
            MicrosHistogram histogram = new MicrosHistogram();
            histogram.recordNanos(micros * 1000);

            assertThat((double) histogram.summary().p50()).isCloseTo(micros, within(micros / 1000.0));
        }
    }

    @Test
    void nothingRecordedIsAllZero() {
        assertThat(new MicrosHistogram().summary()).isEqualTo(new MicrosSummary(0, 0, 0, 0, 0, 0, 0, 0));
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
}
