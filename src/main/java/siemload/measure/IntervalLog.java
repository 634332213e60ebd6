package siemload.measure;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;

/**
 * Writes what was measured second by second, for other tools: one HdrHistogram log for each {@link Metric}, with the
 * search as tag, and {@code timeline.csv}. Times in the histograms are microseconds; the logs' own column of maxima is in
 * milliseconds. An interval holds what ended in it and belongs to the measured phase. Used by one thread at a time.
 */
public final class IntervalLog implements AutoCloseable {
    private static final double MICROS_IN_MILLI = 1_000;
    private static final String CSV_HEADER = "second,phase,finished,failed,running,responseP50Micros,responseP95Micros,"
            + "responseP99Micros,responseMaxMicros,eventsAcknowledged,eventsBehind\n";

    private final RunClock clock;
    private final LatencyRecorder searches;
    private final FeederRecorder feeder;
    private final Map<Metric, LogFile> logs = new EnumMap<>(Metric.class);
    private final HistogramLogWriter rehearsal = new HistogramLogWriter(OutputStream.nullOutputStream());
    private final PrintStream timeline;
    private long lastNanos;
    private long lastFinished;
    private long lastFailed;
    private long lastAcknowledged;

    /** What is logged, each in a file of its own. */
    public enum Metric {
        RESPONSE_TIME,
        /** Which is the time to the last event, too. */
        SERVICE_TIME,
        WORKER_WAIT,
        FIRST_EVENT,
        FEEDER_ACKNOWLEDGE,
        FEEDER_LATENESS;

        /** The name of the file: {@code response-time.hlog}. */
        public String fileName() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-') + ".hlog";
        }
    }

    /**
     * Opens the files.
     *
     * @param startedAt the wall-clock time of {@link RunClock#measureNanos}, which intervals count from
     * @throws IOException if a file cannot be written
     */
    public IntervalLog(
            Path directory, Instant startedAt, RunClock clock, LatencyRecorder searches, FeederRecorder feeder)
            throws IOException {
        this.clock = clock;
        this.searches = searches;
        this.feeder = feeder;
        this.lastNanos = clock.startNanos();
        for (Metric metric : Metric.values()) {
            logs.put(metric, LogFile.open(directory, metric, startedAt));
        }
        timeline = open(directory.resolve("timeline.csv"));
        timeline.print(CSV_HEADER);
    }

    /** One HdrHistogram log. */
    private record LogFile(PrintStream file, HistogramLogWriter writer) {

        static LogFile open(Path directory, Metric metric, Instant startedAt) throws IOException {
            PrintStream file = IntervalLog.open(directory.resolve(metric.fileName()));
            HistogramLogWriter writer = new HistogramLogWriter(file);
            writer.outputComment("[" + metric.name() + " in microseconds, logged by siemload]");
            writer.outputLogFormatVersion();
            writer.outputStartTime(startedAt.toEpochMilli());
            writer.setBaseTime(0);
            writer.outputLegend();
            return new LogFile(file, writer);
        }
    }

    /** Ends the current interval at this instant of the monotonic clock. */
    public void tick(long nowNanos) {
        double from = seconds(Math.max(lastNanos, clock.measureNanos()));
        double until = seconds(Math.max(nowNanos, clock.measureNanos()));
        searches.takeRehearsedIntervals((key, metric, times) -> log(rehearsal, key.tag(), from, until, times));
        searches.takeIntervals((key, metric, times) -> log(writer(metric), key.tag(), from, until, times));
        feeder.takeIntervals((metric, times) -> log(writer(metric), "", from, until, times));
        logTimeline(nowNanos);
        lastNanos = nowNanos;
    }

    /** Closes the files. @throws IOException if something could not be written */
    @Override
    public void close() throws IOException {
        boolean failed = timeline.checkError();
        timeline.close();
        for (LogFile log : logs.values()) {
            failed |= log.file().checkError();
            log.file().close();
        }
        if (failed) {
            throw new IOException("the logs of each second are not complete: no space left, or no right to write");
        }
    }

    private HistogramLogWriter writer(Metric metric) {
        return Objects.requireNonNull(logs.get(metric), "every metric has a log")
                .writer();
    }

    private static void log(HistogramLogWriter writer, String tag, double from, double until, Histogram times) {
        if (times.getTotalCount() > 0) {
            if (!tag.isEmpty()) {
                times.setTag(tag);
            }
            writer.outputIntervalHistogram(from, until, times, MICROS_IN_MILLI);
        }
    }

    private void logTimeline(long nowNanos) {
        long finished = searches.finishedSoFar();
        long failed = searches.failedSoFar();
        long acknowledged = feeder.acknowledgedSoFar();
        MicrosSummary recent = searches.endInterval();
        timeline.print(String.format(
                Locale.ROOT,
                "%.3f,%s,%d,%d,%d,%d,%d,%d,%d,%d,%d\n",
                seconds(nowNanos),
                clock.phaseAt(lastNanos),
                finished - lastFinished,
                failed - lastFailed,
                searches.running(),
                recent.p50(),
                recent.p95(),
                recent.p99(),
                recent.max(),
                acknowledged - lastAcknowledged,
                feeder.noteBacklog(nowNanos)));
        lastFinished = finished;
        lastFailed = failed;
        lastAcknowledged = acknowledged;
    }

    private double seconds(long nanos) {
        return (nanos - clock.measureNanos()) / 1e9;
    }

    private static PrintStream open(Path file) throws IOException {
        return new PrintStream(Files.newOutputStream(file), false, StandardCharsets.UTF_8);
    }
}
