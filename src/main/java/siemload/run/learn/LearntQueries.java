package siemload.run.learn;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import siemload.scenario.Distribution;

/**
 * What was learnt from logs. Immutable.
 *
 * @param logs that were read, in their order
 * @param statements by the names that they get, the most frequent first
 * @param executions of these statements
 * @param unreadable what could not be read, for people, a line each; none where all could
 */
public record LearntQueries(
        List<Path> logs,
        Map<String, LearntStatement> statements,
        long executions,
        SessionTimes sessions,
        LeftOutStatements leftOut,
        List<String> unreadable) {
    private static final Pattern TABLE = Pattern.compile(
            "(?i)(?:\\bfrom|\\binto|^update)\\s+(?:only\\s+)?(?:\"?[\\w$]+\"?\\s*\\.\\s*)?\"?([A-Za-z]\\w*)");
    private static final int LONGEST_TABLE = 30;

    public LearntQueries {
        logs = List.copyOf(logs);
        statements = Collections.unmodifiableMap(new LinkedHashMap<>(statements));
        unreadable = List.copyOf(unreadable);
    }

    /** Names statements in their order: each by the table that it reads or writes first, and a number. */
    static Map<String, LearntStatement> named(List<LearntStatement> statements) {
        Map<String, Integer> counts = new HashMap<>();
        Map<String, LearntStatement> named = new LinkedHashMap<>();
        for (LearntStatement statement : statements) {
            Matcher found = TABLE.matcher(statement.text().written());
            String name = found.find() ? found.group(1).toLowerCase(Locale.ROOT) : "query";
            String table = name.substring(0, Math.min(name.length(), LONGEST_TABLE));
            named.put(table + "_" + counts.merge(table, 1, Integer::sum), statement);
        }
        return named;
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
        return statements.values().stream().filter(LearntStatement::writes).count();
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
