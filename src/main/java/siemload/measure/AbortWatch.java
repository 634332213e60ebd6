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
    public Optional<String> second(LatencyRecorder searches, FeederRecorder feeder) {
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
        if (seconds.size() < window) {
            return Optional.empty();
        }
        List<Second> last = seconds.stream().skip(seconds.size() - window).toList();
        if (last.stream().mapToLong(Second::ended).sum() < FEWEST) {
            return Optional.empty();
        }
        double seen = value(condition.figure(), last);
        return seen > condition.limit() ? Optional.of(text(condition, seen)) : Optional.empty();
    }

    private static double value(AbortCondition.Figure figure, List<Second> last) {
        return switch (figure) {
            case ERROR_RATIO ->
                last.stream().mapToLong(Second::failed).sum()
                        / (double) last.stream().mapToLong(Second::ended).sum();
            case P50 -> times(last).getValueAtPercentile(50);
            case P95 -> times(last).getValueAtPercentile(95);
            case P99 -> times(last).getValueAtPercentile(99);
            case MAX -> times(last).getMaxValue();
        };
    }

    private static Histogram times(List<Second> last) {
        Histogram all = new Histogram(DIGITS);
        last.forEach(second -> all.add(second.responseTimes()));
        return all;
    }

    private static String text(AbortCondition condition, double seen) {
        String what = condition.figure() == AbortCondition.Figure.ERROR_RATIO
                ? String.format(Locale.ROOT, "%.2f", seen)
                : String.format(Locale.ROOT, "%.1f s", seen / 1e6);
        return condition.figure().label() + " was " + what + " (abortIf " + condition + ")";
    }
}
