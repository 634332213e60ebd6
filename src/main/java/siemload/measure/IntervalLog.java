package siemload.measure;

import java.io.IOException;
import java.io.OutputStream;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;
import siemload.config.AbortCondition;
import siemload.config.Choices;
import siemload.measure.LatencyRecorder.RecordedSearches;
import siemload.measure.Tally.Recorded;
import siemload.results.MicrosSummary;
import siemload.results.RunFile;
import siemload.results.RunFile.TimeMetric;
import siemload.results.RunWriter;
import siemload.results.RunWriter.LatencyLogWriter;
import siemload.results.RunWriter.TableWriter;

/**
 * Writes the measurements of every second, for other tools: one HdrHistogram log for each {@link TimeMetric}, with the search as tag, and
 * {@code timeline.csv}. Times in the histograms are microseconds; the logs' own column of maxima is in milliseconds. An interval contains
 * searches and batches that ended in it and belong to the measured phase. Used by one thread at a time.
 */
public final class IntervalLog {
    private final RunClock clock;
    private final LatencyRecorder searches;
    private final Map<TimeMetric, LatencyLogWriter> logs = new EnumMap<>(TimeMetric.class);
    /** Takes times that are not measured, so that the code that encodes histograms is compiled before searches are measured. */
    private final HistogramLogWriter discarded = new HistogramLogWriter(OutputStream.nullOutputStream());

    private final TableWriter timeline;
    private long lastNanos;
    private long lastDue;

    /**
     * Opens the files, which the writer closes.
     *
     * @param startedAt the wall-clock time of {@link RunClock#measureNanos}, from which intervals count
     * @throws IOException if a file cannot be written
     */
    public IntervalLog(RunWriter writer, Instant startedAt, RunClock clock, LatencyRecorder searches)
            throws IOException {
        this.clock = clock;
        this.searches = searches;
        this.lastNanos = clock.startNanos();
        for (TimeMetric metric : TimeMetric.values()) {
            logs.put(metric, writer.latencyLog(metric, startedAt));
        }
        timeline = writer.table(RunFile.TIMELINE);
    }

    /** Ends the current second at this instant of the monotonic clock. @return the records of that second */
    public RecordedSearches tick(long nowNanos) {
        double from = clock.second(Math.max(lastNanos, clock.measureNanos()));
        double until = clock.second(Math.max(nowNanos, clock.measureNanos()));
        RecordedSearches second = searches.takeRecorded((nowNanos - lastNanos) / 1e9);
        searches.takeUnmeasured().forEach(times -> discarded.outputIntervalHistogram(from, until, times, 1));
        second.measured().forEach(one -> log(one.key().kind().tag(), from, until, one.recorded()));
        log("", from, until, second.of(LatencyRecorder.FEEDER));
        MicrosSummary recent = searches.recentResponseTimes();
        long due = searches.feeder().eventsDue(nowNanos);
        timeline.row(
                clock.second(nowNanos),
                clock.phaseAt(lastNanos),
                second.finished(),
                second.of(LatencyRecorder.ALL).count("failed"),
                searches.running(),
                recent.p50(),
                recent.p95(),
                recent.p99(),
                recent.max(),
                second.acknowledged(),
                searches.feeder().noteBacklog(nowNanos),
                due - lastDue);
        lastNanos = nowNanos;
        lastDue = due;
        return second;
    }

    private void log(String tag, double from, double until, Recorded recorded) {
        recorded.times()
                .forEach((metric, times) -> Objects.requireNonNull(
                                logs.get(TimeMetric.valueOf(metric)), "every metric has a log")
                        .write(tag, from, until, times));
    }

    /**
     * Decides every second whether a load does harm. A condition for aborting holds if the searches and batches that ended in its full
     * window exceed its limit; fewer than ten of them do not count. Used by one thread.
     */
    public static final class AbortWatch {
        private static final int FEWEST = 10;
        private static final int DIGITS = 3;

        private final List<AbortCondition> conditions;
        private final long longest;
        private final Deque<Second> seconds = new ArrayDeque<>();

        public AbortWatch(List<AbortCondition> conditions) {
            this.conditions = List.copyOf(conditions);
            this.longest = conditions.stream()
                    .mapToLong(condition -> condition.window().toSeconds())
                    .max()
                    .orElse(0);
        }

        private record Second(long ended, long failed, Histogram responseTimes) {}

        /**
         * Takes the records of one more second of a load.
         *
         * @return the condition that holds now, with the measured value; empty if no condition holds
         */
        public Optional<String> second(RecordedSearches second) {
            Recorded searches = second.of(LatencyRecorder.ALL);
            Recorded fed = second.of(LatencyRecorder.FEEDER);
            seconds.addLast(new Second(
                    searches.count("finished") + fed.count("attempts"),
                    searches.count("failed") + fed.count("failedAttempts"),
                    second.responseTimes()));
            if (seconds.size() > longest) {
                seconds.removeFirst();
            }
            return conditions.stream()
                    .flatMap(condition -> broken(condition).stream())
                    .findFirst();
        }

        private Optional<String> broken(AbortCondition condition) {
            long window = condition.window().toSeconds();
            List<Second> recent =
                    seconds.stream().skip(Math.max(0, seconds.size() - window)).toList();
            long allEnded = recent.stream().mapToLong(Second::ended).sum();
            long allFailed = recent.stream().mapToLong(Second::failed).sum();
            Histogram times = new Histogram(DIGITS);
            recent.forEach(second -> times.add(second.responseTimes));
            double seen = switch (condition.figure()) {
                case ERROR_RATIO -> allFailed / (double) allEnded;
                case P50 -> times.getValueAtPercentile(50);
                case P95 -> times.getValueAtPercentile(95);
                case P99 -> times.getValueAtPercentile(99);
                case MAX -> times.getMaxValue();
            };
            if (seconds.size() < window || allEnded < FEWEST || seen <= condition.limit()) {
                return Optional.empty();
            }
            String what = condition.figure() == AbortCondition.Figure.ERROR_RATIO
                    ? String.format(Locale.ROOT, "%.2f", seen)
                    : String.format(Locale.ROOT, "%.1f s", seen / 1e6);
            return Optional.of(Choices.camelCase(condition.figure()) + " was " + what + " (abortIf " + condition + ")");
        }
    }
}
