package siemload.measure;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.HdrHistogram.Histogram;
import siemload.config.AbortCondition;

/**
 * Finds out second by second whether a load does harm. A condition holds if what ended within its window, as long as that is
 * full, goes beyond its limit; fewer than ten searches and batches in it say nothing. Used by one thread.
 */
public final class AbortWatch {
    private static final int FEWEST = 10;
    private static final int DIGITS = 3;

    private final List<AbortCondition> conditions;
    private final long longest;
    private final Deque<Second> seconds = new ArrayDeque<>();
    private long ended;
    private long failed;

    /** Over a load that begins now. */
    public AbortWatch(List<AbortCondition> conditions) {
        this.conditions = List.copyOf(conditions);
        this.longest = conditions.stream()
                .mapToLong(condition -> condition.window().toSeconds())
                .max()
                .orElse(0);
    }

    /** What ended in one second. */
    private record Second(long ended, long failed, Histogram responseTimes) {}

    /**
     * Takes one more second of a load: what its searches and the batches of its feeder have come to by now.
     *
     * @return which condition holds now, and what was seen; empty if none does
     */
    public Optional<String> second(LatencyRecorder searches) {
        FeederRecorder feeder = searches.feeder();
        return second(
                searches.finishedSoFar() + feeder.attemptsSoFar(),
                searches.failedSoFar() + feeder.failedAttemptsSoFar(),
                searches.lastIntervalTimes());
    }

    /**
     * Takes one more second.
     *
     * @param endedSoFar searches, and batches of the feeder, since the start
     * @param failedSoFar those of them that failed
     * @param responseTimes of the searches that ended in this second, in microseconds; not changed afterwards
     * @return which condition holds now, and what was seen; empty if none does
     */
    public Optional<String> second(long endedSoFar, long failedSoFar, Histogram responseTimes) {
        seconds.addLast(new Second(endedSoFar - ended, failedSoFar - failed, responseTimes));
        ended = endedSoFar;
        failed = failedSoFar;
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
        return Optional.of(condition.figure().label() + " was " + what + " (abortIf " + condition + ")");
    }
}
