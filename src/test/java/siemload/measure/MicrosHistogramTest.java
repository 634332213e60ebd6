package siemload.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import siemload.measure.Tally.MicrosHistogram;
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
