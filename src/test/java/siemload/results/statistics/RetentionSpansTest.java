package siemload.results.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import siemload.results.LatencyLogWriter;
import siemload.results.RetentionResult.RetentionSpan;
import siemload.results.RunListener;
import siemload.results.RunWriter;
import siemload.results.TimeMetric;

/** Forty seconds, in each of which one search ends that took as many microseconds as its second has tens. */
final class RetentionSpansTest {
    private static final int SECONDS = 40;

    @TempDir
    private Path directory;

    @Test
    void theSecondsThatARemovalReachesIntoAreDuringIt() throws IOException {
        write();
        List<RetentionSpan> spans = RetentionSpans.read(directory, 20.9, 22.1);
        assertThat(spans).extracting(RetentionSpan::name).containsExactly("before", "during", "after");
        assertThat(spans).extracting(RetentionSpan::seconds).containsExactly(10, 3, 10);
        assertThat(spans).extracting(RetentionSpan::searches).containsExactly(10L, 3L, 10L);
        assertThat(spans).extracting(span -> span.responseTimeMicros().min()).containsExactly(110L, 210L, 240L);
        assertThat(spans).extracting(span -> span.responseTimeMicros().max()).containsExactly(200L, 230L, 330L);
        assertThat(spans).extracting(span -> span.feederLatenessMicros().max()).containsExactly(20L, 23L, 33L);
    }

    @Test
    void atTheEndsOfTheMeasuredPhaseThereAreFewer() throws IOException {
        write();
        assertThat(RetentionSpans.read(directory, 3.5, 3.6))
                .extracting(RetentionSpan::seconds)
                .containsExactly(3, 1, 10);
        assertThat(RetentionSpans.read(directory, 35, 35.5))
                .extracting(RetentionSpan::searches)
                .containsExactly(10L, 1L, 4L);
    }

    private void write() throws IOException {
        RunWriter writer = new RunWriter(directory, RunListener.NONE);
        try (LatencyLogWriter searches = writer.latencyLog(TimeMetric.RESPONSE_TIME, Instant.EPOCH);
                LatencyLogWriter feeder = writer.latencyLog(TimeMetric.FEEDER_LATENESS, Instant.EPOCH)) {
            for (int second = 1; second <= SECONDS; second++) {
                searches.write("HAWAT1-first-newestFirst", second - 1, second, times(10L * second));
                feeder.write("", second - 1, second, times(second));
            }
        }
    }

    private static Histogram times(long micros) {
        Histogram times = new Histogram(3);
        times.recordValue(micros);
        return times;
    }
}
