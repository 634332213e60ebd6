package siemload.measure;

import java.io.IOException;
import java.time.Instant;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import siemload.results.MicrosSummary;
import siemload.results.RunFile;
import siemload.results.RunFile.TimeMetric;
import siemload.results.RunWriter;
import siemload.results.RunWriter.LatencyLogWriter;
import siemload.results.RunWriter.TableWriter;

/**
 * Writes what was measured second by second, for other tools: one HdrHistogram log for each {@link TimeMetric}, with the
 * search as tag, and {@code timeline.csv}. Times in the histograms are microseconds; the logs'
 * own column of maxima is in milliseconds. An interval holds what ended in it and belongs to the measured phase. Used by one thread at a time.
 */
public final class IntervalLog {
    private final RunClock clock;
    private final LatencyRecorder searches;
    private final FeederRecorder feeder;
    private final Map<TimeMetric, LatencyLogWriter> logs = new EnumMap<>(TimeMetric.class);
    private final LatencyLogWriter discarded = LatencyLogWriter.discarding();
    private final TableWriter timeline;
    private long lastNanos;
    private final Map<String, Long> told = new HashMap<>();

    /**
     * Opens the files, which the writer closes.
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
        searches.takeIntervals(
                (key, metric, times) -> log(metric).write(key.tag(), from, until, times),
                (key, metric, times) -> discarded.write(key.tag(), from, until, times));
        feeder.takeIntervals((metric, times) -> log(metric).write("", from, until, times));
        logTimeline(nowNanos);
        lastNanos = nowNanos;
    }

    private LatencyLogWriter log(TimeMetric metric) {
        return Objects.requireNonNull(logs.get(metric), "every metric has a log");
    }

    private void logTimeline(long nowNanos) {
        long finished = since("finished", searches.finishedSoFar());
        long failed = since("failed", searches.failedSoFar());
        long acknowledged = since("acknowledged", feeder.acknowledgedSoFar());
        MicrosSummary recent = searches.endInterval();
        timeline.row(
                clock.second(nowNanos),
                clock.phaseAt(lastNanos),
                finished,
                failed,
                searches.running(),
                recent.p50(),
                recent.p95(),
                recent.p99(),
                recent.max(),
                acknowledged,
                feeder.noteBacklog(nowNanos),
                since("due", feeder.eventsDue(nowNanos)));
    }

    private long since(String name, long now) {
        return now - Objects.requireNonNullElse(told.put(name, now), 0L);
    }
}
