package siemload.run.learn;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import org.HdrHistogram.Histogram;
import siemload.config.Durations;
import siemload.database.querylog.QueryLog.LatestUsed;
import siemload.database.querylog.QueryLogListener.LoggedStatement;
import siemload.scenario.replay.RecordedExecution;

/**
 * The sessions of a log: how many there were, how many at a time, and how long they waited between two statements. Not thread-safe.
 */
final class SessionTimes {
    /** Whoever waits longer is away, and thinks no more. */
    static final Duration LONGEST_THINKING = Duration.ofMinutes(10);

    private static final int MOST_SESSIONS = 50_000;
    private static final int SIGNIFICANT_DIGITS = 3;
    /** Of the deviation to the mean: below it waits are all but the same. That of uniform ones from 0 is 0.58, of exponential ones 1. */
    private static final double CONSTANT_RATIO = 0.1;

    private static final double EXPONENTIAL_RATIO = 0.8;

    private final Histogram gaps = new Histogram(SIGNIFICANT_DIGITS);
    /** Of too many sessions those are forgotten that were silent for the longest time: they count as others if they go on. */
    private final Map<String, Known> known = new LatestUsed<>(MOST_SESSIONS);

    private int sessions;
    private long absences;
    private long activeMicros;
    private long firstMicros = Long.MAX_VALUE;
    private long lastMicros = Long.MIN_VALUE;

    private record Known(int number, long endMicros) {}

    /**
     * Takes an execution, and says when it began, since 1970. The log tells when it ended, to the millisecond or so: where it would have begun
     * before the one before in its session had ended, it began at its end.
     *
     * @param number of its statement
     */
    RecordedExecution add(LoggedStatement statement, int number) {
        long micros = statement.durationMicros();
        long start = statement.endMicros() - micros;
        Known before = known.get(statement.client().session());
        int session = before == null ? sessions++ : before.number;
        long from = before == null ? start : Math.max(start, before.endMicros);
        if (before != null) {
            gap(from - before.endMicros);
        }
        known.put(statement.client().session(), new Known(session, from + micros));
        activeMicros += micros;
        firstMicros = Math.min(firstMicros, start);
        lastMicros = Math.max(lastMicros, statement.endMicros());
        return new RecordedExecution(from, session, number, micros, statement.values());
    }

    private void gap(long micros) {
        if (micros > LONGEST_THINKING.toNanos() / 1_000) {
            absences++;
        } else {
            gaps.recordValue(micros);
            activeMicros += micros;
        }
    }

    void ended(String session) {
        known.remove(session);
    }

    int sessions() {
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

    Instant first() {
        return instant(firstMicros);
    }

    Instant last() {
        return instant(lastMicros);
    }

    private static Instant instant(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS).truncatedTo(ChronoUnit.MILLIS);
    }

    /**
     * Constant, uniform or exponential waits with the observed mean, which decides how many statements a second come, by how their standard
     * deviation compares with it: as a scenario writes them, {@code {distribution: exponential, mean: 100ms}}.
     *
     * @param micros observed waits; a scenario cannot say less than a microsecond
     */
    static String closest(Histogram micros) {
        double mean = micros.getTotalCount() == 0 ? 0 : micros.getMean();
        double deviation = micros.getStdDeviation();
        if (mean == 0 || deviation / mean < CONSTANT_RATIO) {
            return "{distribution: constant, value: " + duration(mean) + "}";
        } else if (deviation / mean > EXPONENTIAL_RATIO) {
            return "{distribution: exponential, mean: " + duration(mean) + "}";
        }
        double halfWidth = Math.min(mean, Math.sqrt(3) * deviation);
        return "{distribution: uniform, min: " + duration(mean - halfWidth) + ", max: " + duration(mean + halfWidth)
                + "}";
    }

    private static String duration(double micros) {
        return Durations.format(Duration.ofNanos(Math.round(micros) * 1_000));
    }
}
