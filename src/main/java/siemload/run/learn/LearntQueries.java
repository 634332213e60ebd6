package siemload.run.learn;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.HdrHistogram.Histogram;
import siemload.config.Durations;
import siemload.database.querylog.QueryLog;
import siemload.database.querylog.QueryLog.QueryLogListener.LoggedStatement;
import siemload.dataset.SeededRandom;
import siemload.query.Statement;
import siemload.query.StatementText;
import siemload.results.MicrosSummary;
import siemload.results.report.Amounts;
import siemload.results.report.Table;
import siemload.scenario.QueryRecording.RecordedExecution;

/**
 * The statements and sessions that were learnt from logs. Immutable.
 *
 * @param statements the statements by their new names, the most frequent first; at least one
 * @param unreadable a sentence for each place that could not be read, or at which the clock goes back
 */
public record LearntQueries(
        Map<String, LearntStatement> statements, SessionTimes sessions, LeftOut leftOut, List<String> unreadable) {
    private static final Pattern TABLE = Pattern.compile(
            "(?i)(?:\\bfrom|\\binto|^update)\\s+(?:only\\s+)?(?:\"?[\\w$]+\"?\\s*\\.\\s*)?\"?([A-Za-z]\\w*)");
    private static final int LONGEST_TABLE = 30;
    private static final int SHOWN_CHARACTERS = 70;
    private static final int SIGNIFICANT_DIGITS = 3;

    public LearntQueries {
        statements = Collections.unmodifiableMap(new LinkedHashMap<>(statements));
        unreadable = List.copyOf(unreadable);
    }

    /** Names statements in their order: each after the first table that it reads or writes, with a number. */
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

    long executions() {
        return statements.values().stream().mapToLong(LearntStatement::count).sum();
    }

    /** Returns the number of users who work and think as the sessions did, at least one. */
    int users() {
        return (int) Math.min(1_000_000, Math.max(1, Math.round(sessions.atATime())));
    }

    /** Returns the command that runs these statements, for people. */
    String command(Path scenario) {
        return "./siemload run " + String.valueOf(scenario).replaceAll("\\p{Cntrl}", "?") + " --data existing"
                + (writing() > 0 ? " --allowWrites" : "") + " --url ...";
    }

    private long writing() {
        return statements.values().stream().filter(LearntStatement::writes).count();
    }

    /** Returns exponential think times with the observed mean, at least a microsecond: the mean determines the statements a second. */
    String thinkTime() {
        Duration mean =
                Duration.ofNanos(1_000 * Math.max(1, Math.round(sessions.gaps().getMean())));
        return "{distribution: exponential, mean: " + Durations.format(mean) + "}";
    }

    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        Instant first = sessions.first();
        Instant last = sessions.last();
        String found = "%,d statements of %,d sessions, %d different, from %s to %s (%s)\n";
        String took = Durations.format(Duration.between(first, last));
        lines.add(text(found, executions(), sessions.sessions(), statements.size(), first, last, took));
        lines.addAll(table().lines().toList());
        lines.add("Milliseconds at the server: parsing, binding and executing together.");
        if (writing() > 0) {
            lines.add(writing() + " of these statements write: they run only with -DallowWrites=true, each in a"
                    + " transaction of its own, and their changes stay.");
        }
        String together = "\nsessions: %,d, of which %.2f at a time were working or thinking";
        lines.add(text(together, sessions.sessions(), sessions.atATime()));
        lines.add(thinking());
        String users = users() + (users() == 1 ? " user" : " users");
        lines.add("in a scenario: " + users + ", thinkTime " + thinkTime());
        for (List<String> more : List.of(leftOut.lines(), unreadable)) {
            if (!more.isEmpty()) {
                lines.add("");
                lines.addAll(more);
            }
        }
        return String.join("\n", lines).lines().toList();
    }

    private String table() {
        Table table = Table.titled("statement", "count", "share", "p50", "p95", "max", "<text");
        statements.forEach((name, statement) -> {
            MicrosSummary times = MicrosSummary.of(statement.micros());
            table.row(
                    name,
                    text("%,d", statement.count()),
                    text("%.1f %%", 100.0 * statement.count() / executions()),
                    Amounts.millis((double) times.p50()),
                    Amounts.millis((double) times.p95()),
                    Amounts.millis((double) times.max()),
                    LeftOut.shown(statement.text().written(), SHOWN_CHARACTERS));
        });
        return table.lines();
    }

    /** Returns {@code think time: median 98 ms, p90 230 ms, mean 101 ms, of 1,234 waits; 3 longer than 10m are absences}. */
    String thinking() {
        Histogram gaps = sessions.gaps();
        String longest = Durations.format(SessionTimes.LONGEST_THINKING);
        if (gaps.getTotalCount() == 0) {
            return "think time: not known, since no session had two statements within " + longest;
        }
        String median = Amounts.millis((double) gaps.getValueAtPercentile(50));
        String p90 = Amounts.millis((double) gaps.getValueAtPercentile(90));
        String mean = Amounts.millis((double) Math.round(gaps.getMean()));
        String waits = "think time: median %s ms, p90 %s ms, mean %s ms, of %,d waits";
        String away = sessions.absences() == 0 ? "" : "; %,d longer than %s are absences";
        return text(waits + away, median, p90, mean, gaps.getTotalCount(), sessions.absences(), longest);
    }

    static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }

    /** The statements that a scenario does not take from a log, counted by reason, with the first text of each. Not thread-safe. */
    static final class LeftOut {
        private static final int SHOWN_CHARACTERS = 60;

        private final Map<String, Long> counts = new LinkedHashMap<>();
        private final Map<String, String> examples = new LinkedHashMap<>();

        void add(String reason, String text, long count) {
            counts.merge(reason, count, Long::sum);
            examples.computeIfAbsent(reason, unused -> shown(text, SHOWN_CHARACTERS));
        }

        /** Returns the sum, and a line for each reason, the most frequent first: {@code 1,204 is not a query (BEGIN): BEGIN READ ONLY}. */
        List<String> lines() {
            List<String> lines = new ArrayList<>();
            counts.entrySet().stream()
                    .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
                    .map(reason ->
                            text("%,9d  %s: ", reason.getValue(), reason.getKey()) + examples.get(reason.getKey()))
                    .forEach(line -> lines.add(line.replaceAll(": $", "")));
            if (!lines.isEmpty()) {
                long all = counts.values().stream().mapToLong(Long::longValue).sum();
                lines.add(0, text("left out: %,d", all));
            }
            return lines;
        }

        /** Returns the beginning of a text, without line breaks. */
        static String shown(String text, int characters) {
            String line = text.substring(0, Math.min(text.length(), 4 * characters))
                    .replaceAll("[\\s\\p{Cntrl}]+", " ")
                    .strip();
            return line.length() > characters ? line.substring(0, characters) + "..." : line;
        }
    }

    /**
     * A statement of the log with everything known about its executions. Not thread-safe.
     *
     * @param number distinguishes the statement from others of the same logs
     * @param effect the effect, as far as the statement's text shows it
     * @param micros how long the logged executions took, including preparation
     * @param rows a sample of the statement's values
     */
    record LearntStatement(
            int number, StatementText text, Statement.Effect effect, Histogram micros, SampledRows rows) {
        LearntStatement(int number, StatementText text, Statement.Effect effect, SeededRandom random) {
            this(number, text, effect, new Histogram(SIGNIFICANT_DIGITS), new SampledRows(random));
        }

        void add(LoggedStatement execution) {
            micros.recordValue(execution.durationMicros());
            if (hasParameters()) {
                rows.add(execution.values());
            }
        }

        boolean hasParameters() {
            return !text.parameters().isEmpty();
        }

        boolean writes() {
            return effect == Statement.Effect.WRITES;
        }

        long count() {
            return micros.getTotalCount();
        }

        /**
         * A sample of the values of a statement, row by row, each execution with the same probability (Vitter, Random Sampling with a
         * Reservoir, 1985, algorithm R). Not thread-safe.
         */
        static final class SampledRows {
            private static final int MOST_ROWS = 2_000;
            /** The limit for all rows together: if rows are long, fewer of them are kept. */
            private static final long MOST_CHARACTERS = 100_000;

            private final SeededRandom random;
            private final List<List<String>> rows = new ArrayList<>();
            private int capacity = MOST_ROWS;
            private long seen;
            private long characters;

            SampledRows(SeededRandom random) {
                this.random = random;
            }

            void add(List<String> row) {
                seen++;
                if (rows.size() < capacity) {
                    rows.add(row);
                    characters += length(row);
                } else {
                    long place = random.nextLong(seen);
                    if (place < capacity) {
                        characters += length(row) - length(rows.set((int) place, row));
                    }
                }
                while (characters > MOST_CHARACTERS && rows.size() > 1) {
                    int place = random.nextInt(rows.size());
                    characters -= length(rows.set(place, rows.get(rows.size() - 1)));
                    rows.remove(rows.size() - 1);
                    capacity = rows.size();
                }
            }

            List<List<String>> rows() {
                return List.copyOf(rows);
            }

            static long length(List<String> row) {
                return row.stream().mapToLong(String::length).sum();
            }
        }
    }

    /**
     * The sessions of a log: how many there were, how many at a time, and how long they waited between two statements. Not thread-safe.
     */
    static final class SessionTimes {
        /** A wait longer than this is an absence, not think time. */
        static final Duration LONGEST_THINKING = Duration.ofMinutes(10);

        private static final int MOST_SESSIONS = 50_000;

        private final Histogram gaps = new Histogram(SIGNIFICANT_DIGITS);
        /** If there are too many sessions, those silent for the longest time are forgotten; if they continue, they count as new. */
        private final Map<String, Known> known = QueryLog.latestUsed(MOST_SESSIONS);

        private int sessions;
        private long absences;
        private long activeMicros;
        private long firstMicros = Long.MAX_VALUE;
        private long lastMicros = Long.MIN_VALUE;

        private record Known(int number, long endMicros) {}

        /**
         * Takes an execution, and returns it with its start, in microseconds since 1970. The log has only the end of an execution, to the
         * millisecond or so. A start before the end of the session's previous execution is moved to that end.
         *
         * @param number the number of its statement
         */
        RecordedExecution add(LoggedStatement statement, int number) {
            long micros = statement.durationMicros();
            long start = statement.endMicros() - micros;
            Known before = known.get(statement.client().session());
            int session = before == null ? sessions++ : before.number;
            long from = before == null ? start : Math.max(start, before.endMicros);
            long gap = before == null ? 0 : from - before.endMicros;
            if (gap > LONGEST_THINKING.toNanos() / 1_000) {
                absences++;
            } else if (before != null) {
                gaps.recordValue(gap);
                activeMicros += gap;
            }
            known.put(statement.client().session(), new Known(session, from + micros));
            activeMicros += micros;
            firstMicros = Math.min(firstMicros, start);
            lastMicros = Math.max(lastMicros, statement.endMicros());
            return new RecordedExecution(from, session, number, micros, statement.values());
        }

        void ended(String session) {
            known.remove(session);
        }

        int sessions() {
            return sessions;
        }

        /** Returns how often a session waited longer than {@link #LONGEST_THINKING}. */
        long absences() {
            return absences;
        }

        /** Returns the waits between two statements of a session, in microseconds, without absences. */
        Histogram gaps() {
            return gaps;
        }

        /** Returns the mean number of sessions that were working or thinking. */
        double atATime() {
            long span = lastMicros - firstMicros;
            return span <= 0 ? sessions : (double) activeMicros / span;
        }

        Instant first() {
            return Instant.EPOCH.plus(firstMicros / 1_000, ChronoUnit.MILLIS);
        }

        Instant last() {
            return Instant.EPOCH.plus(lastMicros / 1_000, ChronoUnit.MILLIS);
        }
    }
}
