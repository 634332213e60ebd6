package siemload.run.learn;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import siemload.scenario.Distribution;

/**
 * What was learnt from logs. Immutable.
 *
 * @param logs that were read, in their order
 * @param statements the most frequent first
 * @param executions of these statements
 * @param unreadable what could not be read, for people, a line each; none where all could
 */
public record LearntQueries(
        List<Path> logs,
        List<NamedStatement> statements,
        long executions,
        SessionTimes sessions,
        LeftOutStatements leftOut,
        List<String> unreadable) {
    public LearntQueries {
        logs = List.copyOf(logs);
        statements = List.copyOf(statements);
        unreadable = List.copyOf(unreadable);
    }

    /** Users who work and think as the sessions did, at least one. */
    int users() {
        return (int) Math.min(1_000_000, Math.max(1, Math.round(sessions.atATime())));
    }

    /** How a run that asks them is begun, for people. */
    String command(Path scenario) {
        return "./siemload run " + LearntScenario.shown(String.valueOf(scenario)) + " --data existing"
                + (writing() > 0 ? " --allowWrites" : "") + " --url ...";
    }

    /** How many of the statements may change data. */
    long writing() {
        return statements.stream().filter(named -> named.statement().writes()).count();
    }

    Distribution thinkTime() {
        return SessionTimes.closest(sessions.gaps());
    }

    Instant first() {
        return instant(sessions.firstMicros());
    }

    Instant last() {
        return instant(sessions.lastMicros());
    }

    Duration span() {
        return Duration.between(first(), last());
    }

    private static Instant instant(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS).truncatedTo(ChronoUnit.MILLIS);
    }
}
