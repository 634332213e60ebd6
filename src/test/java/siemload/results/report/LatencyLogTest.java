package siemload.results.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import siemload.results.BrokenFileException;
import siemload.results.TimeMetric;

/** All times here are below 2048, where the histograms hold them exactly. */
class LatencyLogTest {
    private static final TimeAxis AXIS = TimeAxis.of(0, 3);

    @TempDir
    private Path directory;

    private Path file;

    @BeforeEach
    void writeLog() throws IOException {
        file = directory.resolve("response-time.hlog");
        try (PrintStream out = new PrintStream(Files.newOutputStream(file), false, StandardCharsets.UTF_8)) {
            HistogramLogWriter log = new HistogramLogWriter(out);
            log.outputLogFormatVersion();
            log.outputStartTime(1_795_282_544_020L);
            log.outputLegend();
            write(log, "HAWAT1-first-newestFirst", 0, 1.002, times(1, 100));
            write(log, "HAWAT1-deeper-oldestFirst", 0, 1.002, times(101, 200));
            write(log, "HAWAT1-count-newestFirst", 0, 1.002, times(2000, 2000));
            write(log, "MENTAT-first-newestFirst", 0, 1.002, times(1000, 1000));
            write(log, "HAWAT1-first-newestFirst", 2, 2.999, times(7, 7));
        }
    }

    private static Histogram times(int from, int to) {
        Histogram times = new Histogram(3);
        for (int micros = from; micros <= to; micros++) {
            times.recordValue(micros);
        }
        return times;
    }

    private static void write(HistogramLogWriter log, String tag, double from, double to, Histogram times) {
        times.setTag(tag);
        log.outputIntervalHistogram(from, to, times, 1000);
    }

    @Test
    void intervalsOfASearchAreMergedWhateverPageAndOrderWithoutExactCounts() throws IOException {
        JsonNode overTime =
                LatencyLog.read(directory, TimeMetric.RESPONSE_TIME, AXIS).overTime();

        // Of 1 to 200 half are at most 100, and 190 of 200 at most 190.
        assertThat(overTime.at("/HAWAT1/p50")).hasToString("[null,100.0,null,7.0]");
        assertThat(overTime.at("/HAWAT1/p95")).hasToString("[null,190.0,null,7.0]");
        assertThat(overTime.at("/HAWAT1/max")).hasToString("[null,200.0,null,7.0]");
        assertThat(overTime.at("/MENTAT/p50")).hasToString("[null,1000.0,null,null]");
        assertThat(overTime.at("/all/max")).hasToString("[null,1000.0,null,7.0]");
    }

    @Test
    void theSpectrumEndsAtTheHighestTimeAndItsRarityIsTheCount() throws IOException {
        JsonNode spectrum = LatencyLog.read(directory, TimeMetric.RESPONSE_TIME, AXIS)
                .spectrum()
                .path("all");
        JsonNode points = spectrum.path("points");

        assertThat(spectrum.path("count").asLong()).isEqualTo(202);
        assertThat(points.get(points.size() - 1)).hasToString("[202.0,1000]");
        for (int i = 1; i < points.size(); i++) {
            assertThat(points.get(i).get(0).asDouble())
                    .isGreaterThanOrEqualTo(points.get(i - 1).get(0).asDouble());
            assertThat(points.get(i).get(1).asLong())
                    .isGreaterThanOrEqualTo(points.get(i - 1).get(1).asLong());
        }
    }

    @Test
    void aTornLineIsRefusedWithItsNumber() throws IOException {
        String text = Files.readString(file);
        Files.writeString(file, text.substring(0, text.length() - 20));

        assertThatExceptionOfType(BrokenFileException.class)
                .isThrownBy(() -> LatencyLog.read(directory, TimeMetric.RESPONSE_TIME, AXIS))
                .withMessage("response-time.hlog:8: not an interval of a histogram log");
    }

    @Test
    void aFileWithoutItsHeadIsNoHistogramLog() throws IOException {
        Files.writeString(file, "");

        assertThatExceptionOfType(BrokenFileException.class)
                .isThrownBy(() -> LatencyLog.read(directory, TimeMetric.RESPONSE_TIME, AXIS))
                .withMessage("response-time.hlog:1: not a histogram log of format version 1");
    }
}
