package siemload.run.learn;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import siemload.config.Durations;
import siemload.database.querylog.LatestUsed;
import siemload.database.querylog.QueryLogListener.LoggedStatement;
import siemload.scenario.Distribution;

/**
 * The sessions of a log: how many there were, how many at a time, and how long they waited between two statements that read. Not
 * thread-safe.
 */
final class SessionTimes {
    /** Whoever waits longer is away, and thinks no more. */
    static final Duration LONGEST_THINKING = Duration.ofMinutes(10);

    private static final long LONGEST_MICROS = LONGEST_THINKING.toNanos() / 1_000;
    private static final int MOST_SESSIONS = 50_000;
    private static final int SIGNIFICANT_DIGITS = 3;

    private final Histogram gaps = new Histogram(SIGNIFICANT_DIGITS);
    /** When the last statement of each session ended. Of too many sessions those are forgotten that were silent for the longest time. */
    private final Map<String, Long> lastEnds = new LatestUsed<>(MOST_SESSIONS);

    private long sessions;
    private long absences;
    private long activeMicros;
    private long firstMicros = Long.MAX_VALUE;
    private long lastMicros = Long.MIN_VALUE;

    void add(LoggedStatement statement) {
        long end = statement.endMicros();
        long start = end - statement.durationMicros();
        Long before = lastEnds.put(statement.session(), end);
        if (before == null) {
            sessions++;
        } else {
            gap(start - before);
        }
        activeMicros += statement.durationMicros();
        firstMicros = Math.min(firstMicros, start);
        lastMicros = Math.max(lastMicros, end);
    }

    /** The log tells milliseconds, so that a statement may seem to begin before the one before has ended. */
    private void gap(long micros) {
        if (micros > LONGEST_MICROS) {
            absences++;
        } else {
            gaps.recordValue(Math.max(0, micros));
            activeMicros += Math.max(0, micros);
        }
    }

    void ended(String session) {
        lastEnds.remove(session);
    }

    long sessions() {
        return sessions;
    }

    /** How often a session waited longer than {@link #LONGEST_THINKING}. */
    long absences() {
        return absences;
    }

    /** The waits between two statements of a session, in microseconds; those of absences are not among them. */
    Histogram gaps() {
        return gaps;
    }

    /** How many sessions were working or thinking at a time, in the mean. */
    double atATime() {
        long span = lastMicros - firstMicros;
        return span <= 0 ? sessions : (double) activeMicros / span;
    }

    long firstMicros() {
        return firstMicros;
    }

    long lastMicros() {
        return lastMicros;
    }

    /**
     * Of constant, uniform and exponential waits with the observed mean those whose nine deciles are nearest to the observed ones, by
     * the sum of their distances. The mean decides how many statements a second come, and is kept in any case.
     *
     * @param micros observed waits; a scenario cannot say less than a microsecond
     */
    static Distribution closest(Histogram micros) {
        if (micros.getTotalCount() == 0) {
            return new Distribution.Constant(Duration.ZERO);
        }
        double mean = micros.getMean();
        double halfWidth = Math.min(mean, Math.sqrt(3) * micros.getStdDeviation());
        List<Distribution> choices = List.of(
                new Distribution.Constant(ofMicros(mean)),
                new Distribution.Uniform(ofMicros(mean - halfWidth), ofMicros(mean + halfWidth)),
                new Distribution.Exponential(ofMicros(mean)));
        return choices.stream()
                .min(Comparator.comparingDouble(choice -> distance(choice, micros)))
                .orElseThrow();
    }

    private static double distance(Distribution choice, Histogram micros) {
        double sum = 0;
        for (int decile = 1; decile <= 9; decile++) {
            double chosen = choice.at(decile / 10.0).toNanos() / 1_000.0;
            sum += Math.abs(chosen - micros.getValueAtPercentile(10.0 * decile));
        }
        return sum;
    }

    private static Duration ofMicros(double micros) {
        return Duration.ofNanos(Math.round(micros) * 1_000);
    }

    /** As a scenario writes it: {@code {distribution: exponential, mean: 100ms}}. */
    static String written(Distribution distribution) {
        if (distribution instanceof Distribution.Uniform uniform) {
            return "{distribution: uniform, min: " + Durations.format(uniform.min()) + ", max: "
                    + Durations.format(uniform.max()) + "}";
        }
        return distribution instanceof Distribution.Exponential exponential
                ? "{distribution: exponential, mean: " + Durations.format(exponential.mean()) + "}"
                : "{distribution: constant, value: " + Durations.format(distribution.mean()) + "}";
    }
}
