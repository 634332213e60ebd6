package siemload.results;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;
import siemload.results.RunWriter.RunListener;

/**
 * Writes one HdrHistogram log of a run, for other tools too. Times in the histograms are microseconds; the log's own column of
 * maxima is in milliseconds. Used by one thread at a time.
 */
public final class LatencyLogWriter implements AutoCloseable {
    private static final double MICROS_IN_MILLI = 1_000;

    private final TimeMetric metric;
    private final RunListener listener;
    private final PrintStream file;
    private final HistogramLogWriter writer;

    private LatencyLogWriter(TimeMetric metric, RunListener listener, PrintStream file) {
        this.metric = metric;
        this.listener = listener;
        this.file = file;
        this.writer = new HistogramLogWriter(file);
    }

    static LatencyLogWriter open(Path directory, TimeMetric metric, Instant startedAt, RunListener listener)
            throws IOException {
        LatencyLogWriter log = new LatencyLogWriter(metric, listener, RunWriter.open(directory, metric.file()));
        log.writer.outputComment("[" + metric.name() + " in microseconds, logged by siemload]");
        log.writer.outputLogFormatVersion();
        log.writer.outputStartTime(startedAt.toEpochMilli());
        log.writer.setBaseTime(0);
        log.writer.outputLegend();
        return log;
    }

    /** A log that goes nowhere and takes as long. */
    public static LatencyLogWriter discarding() {
        PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
        return new LatencyLogWriter(TimeMetric.RESPONSE_TIME, RunListener.NONE, nowhere);
    }

    /**
     * Adds what ended between two seconds, if anything did.
     *
     * @param tag the kind of search; empty where there is none
     */
    public void write(String tag, double from, double until, Histogram times) {
        if (times.getTotalCount() == 0) {
            return;
        }
        if (!tag.isEmpty()) {
            times.setTag(tag);
        }
        writer.outputIntervalHistogram(from, until, times, MICROS_IN_MILLI);
        listener.interval(metric, new LoggedInterval(tag, until, times));
    }

    /** Closes the file. @throws IOException if something could not be written */
    @Override
    public void close() throws IOException {
        RunWriter.close(file, metric.file());
    }
}
