package siemload.measure;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import siemload.results.MicrosSummary;
import siemload.results.RunFile;
import siemload.results.RunWriter;
import siemload.results.RunWriter.LatencyLogWriter;
import siemload.results.RunWriter.TableWriter;
import siemload.results.TimeMetric;

/**
 * Writes what was measured second by second, for other tools: one HdrHistogram log for each {@link TimeMetric}, with the
 * search as tag, and {@code timeline.csv}. Times in the histograms are microseconds; the logs'
 * own column of maxima is in milliseconds. An interval holds what ended in it and belongs to the measured phase. Used by one thread at a time.
 */
public final class IntervalLog implements AutoCloseable {
    private final RunClock clock;
    private final LatencyRecorder searches;
    private final FeederRecorder feeder;
    private final Map<TimeMetric, LatencyLogWriter> logs = new EnumMap<>(TimeMetric.class);
    private final LatencyLogWriter discarded = LatencyLogWriter.discarding();
    private final TableWriter timeline;
    private long lastNanos;
    private long lastFinished;
    private long lastFailed;
    private long lastAcknowledged;
    private long lastDue;

    /**
     * Opens the files.
     *
     * @param startedAt the wall-clock time of {@link RunClock#measureNanos}, which intervals count from
     * @throws IOException if a file cannot be written
     */
    public IntervalLog(RunWriter writer, Instant startedAt, RunClock clock, LatencyRecorder searches)
            throws IOException {
        this.clock = clock;
        this.searches = searches;
        this.feeder = searches.feeder();
        this.lastNanos = clock.startNanos();
        for (TimeMetric metric : TimeMetric.values()) {
            logs.put(metric, writer.latencyLog(metric, startedAt));
        }
        timeline = writer.table(RunFile.TIMELINE);
    }

    /** Ends the current second at this instant of the monotonic clock. */
    public void tick(long nowNanos) {
        double from = clock.second(Math.max(lastNanos, clock.measureNanos()));
        double until = clock.second(Math.max(nowNanos, clock.measureNanos()));
        searches.takeWarmUpIntervals((key, metric, times) -> discarded.write(key.tag(), from, until, times));
        searches.takeIntervals((key, metric, times) -> log(metric).write(key.tag(), from, until, times));
        feeder.takeIntervals((metric, times) -> log(metric).write("", from, until, times));
        logTimeline(nowNanos);
        lastNanos = nowNanos;
    }

    /** Closes the files. @throws IOException if something could not be written */
    @Override
    public void close() throws IOException {
        List<AutoCloseable> files = new ArrayList<>(logs.values());
        files.add(timeline);
        boolean failed = false;
        for (AutoCloseable file : files) {
            failed |= !isComplete(file);
        }
        if (failed) {
            throw new IOException("the logs of each second are not complete: no space left, or no right to write");
        }
    }

    private static boolean isComplete(AutoCloseable file) {
        try {
            file.close();
            return true;
        } catch (Exception incomplete) {
            return false;
        }
    }

    private LatencyLogWriter log(TimeMetric metric) {
        return Objects.requireNonNull(logs.get(metric), "every metric has a log");
    }

    private void logTimeline(long nowNanos) {
        long finished = searches.finishedSoFar();
        long failed = searches.failedSoFar();
        long acknowledged = feeder.acknowledgedSoFar();
        long due = feeder.eventsDue(nowNanos);
        MicrosSummary recent = searches.endInterval();
        timeline.row(
                clock.second(nowNanos),
                clock.phaseAt(lastNanos),
                finished - lastFinished,
                failed - lastFailed,
                searches.running(),
                recent.p50(),
                recent.p95(),
                recent.p99(),
                recent.max(),
                acknowledged - lastAcknowledged,
                feeder.noteBacklog(nowNanos),
                due - lastDue);
        lastDue = due;
        lastFinished = finished;
        lastFailed = failed;
        lastAcknowledged = acknowledged;
    }
}
