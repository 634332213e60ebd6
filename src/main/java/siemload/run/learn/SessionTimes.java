package siemload.run.learn;

import java.time.Duration;
import java.util.Map;
import org.HdrHistogram.Histogram;
import siemload.database.querylog.LatestUsed;
import siemload.database.querylog.LoggedStatement;

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
}
