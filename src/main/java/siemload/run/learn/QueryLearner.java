package siemload.run.learn;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import siemload.config.ConfigException;
import siemload.config.Origin;
import siemload.database.querylog.QueryLog;
import siemload.dataset.LineProblems;
import siemload.dataset.SeededRandom;
import siemload.event.LineProblem;
import siemload.query.Statement;
import siemload.query.StatementText;
import siemload.run.learn.LearntQueries.LearntStatement;
import siemload.scenario.QueryRecording.RecordedExecution;

/**
 * Learns from logs, which it reads once, in bounded memory. Keeps as many different statements as a scenario can have: if there are more,
 * the least frequent ones are dropped, and counted. Not thread-safe.
 */
public final class QueryLearner implements QueryLog.QueryLogListener {
    /** The maximum number of different statements: as many as a report can show. */
    static final int MOST = 200;

    /** The limit for all statement texts, in bytes: a scenario file may have one megabyte, including escapes and everything else. */
    private static final long MOST_BYTES = 700_000;

    private static final int LONGEST_ROW = 20_000;
    private static final int TOLD_DOUBTS = 10;

    private final Taken taken;
    private final long seed;
    private final Consumer<RecordedExecution> hearer;
    private final LineProblems problems = new LineProblems();
    private final LearntQueries.LeftOut leftOut = new LearntQueries.LeftOut();
    private final LearntQueries.SessionTimes sessions = new LearntQueries.SessionTimes();
    private final Map<String, Long> databases = new TreeMap<>();
    private final Map<StatementText, LearntStatement> statements = new LinkedHashMap<>();

    private final List<String> doubts = new ArrayList<>();
    private Path file = Path.of("");
    private int made;

    /**
     * The rules that decide which statements are taken.
     *
     * @param database the database of the statements; may be empty if the logs have only one database
     * @param program the clients' application name; if empty, all names except siemload's own are taken
     * @param without texts that exclude a statement if its program, user or text contains one, in upper or lower case
     * @param writes whether statements that write are taken, too
     */
    public record Taken(Optional<String> database, Optional<String> program, List<String> without, boolean writes) {
        private static final String OWN_PROGRAM = "siemload";

        public Taken {
            without = List.copyOf(without);
        }

        private Optional<String> refusal(Client client, String text) {
            if (!database.orElse(client.database()).equals(client.database())) {
                return Optional.of(client.database().isEmpty() ? "names no database (%d)" : "is of another database");
            } else if (!program.orElse(client.program()).equals(client.program())) {
                return Optional.of("is of another program");
            } else if (program.isEmpty() && client.program().startsWith(OWN_PROGRAM)) {
                return Optional.of("is siemload's own (--program siemload takes it)");
            }
            String all = (client.program() + "\n" + client.user() + "\n" + text).toLowerCase(Locale.ROOT);
            return without.stream()
                    .filter(part -> all.contains(part.toLowerCase(Locale.ROOT)))
                    .findFirst()
                    .map(part -> "matches --without '" + part + "'");
        }
    }

    QueryLearner(Taken taken, long seed, Consumer<RecordedExecution> hearer) {
        this.taken = taken;
        this.seed = seed;
        this.hearer = hearer;
    }

    /**
     * Learns from logs.
     *
     * @param logs in the order of time
     * @param reading receives each log before it is read
     * @param hearer receives each execution that is taken, in the order of the logs: its start, in microseconds since 1970, and the number
     *     of its statement, which may be left out in the end
     * @throws ConfigException if there is nothing to learn from, or the database to learn from is unclear
     * @throws IOException if a log cannot be read
     */
    static LearntQueries learn(
            List<Path> logs, Taken taken, long seed, Consumer<Path> reading, Consumer<RecordedExecution> hearer)
            throws IOException {
        QueryLearner learner = new QueryLearner(taken, seed, hearer);
        QueryLog reader = new QueryLog(learner, taken.writes() ? Statement.Effect.WRITES : Statement.Effect.READS);
        long records = 0;
        for (Path log : logs) {
            reading.accept(log);
            learner.file = log;
            records += reader.read(log);
        }
        return learner.learnt(logs, records);
    }

    /** Returns everything that was learnt, without statements that a scenario cannot have. */
    LearntQueries learnt(List<Path> logs, long records) {
        Origin origin = new Origin.WholeFile(logs.stream().map(Path::toString).collect(Collectors.joining(", ")));
        if (databases.size() > 1) {
            List<String> found = new ArrayList<>();
            databases.forEach((name, count) -> found.add(LearntQueries.text("%s (%,d)", name, count)));
            throw new ConfigException(
                    origin, "has statements of several databases (choose one: --from): " + String.join(", ", found));
        }
        List<String> unreadable = problems.lines("", LineProblem::toString);
        List<LearntStatement> kept = kept();
        if (kept.isEmpty()) {
            StringBuilder lines = new StringBuilder();
            unreadable.forEach(line -> lines.append('\n').append(line));
            leftOut.lines().forEach(line -> lines.append("\n  ").append(line));
            String format = "has %,d records, but no statement%s with its time and its values";
            String found = LearntQueries.text(format, records, taken.writes() ? "" : " that only reads");
            String what = records == 0 ? "is not a log that can be read" : found;
            throw new ConfigException(origin, what + " (needed: " + QueryLog.FORMATS + ")" + lines);
        }
        if (databases.containsKey("")) {
            doubts.add("The log names no database (%d of log_line_prefix): statements of all databases are taken.");
        }
        List<String> told = Stream.concat(doubts.stream(), unreadable.stream()).toList();
        return new LearntQueries(LearntQueries.named(kept), sessions, leftOut, told);
    }

    /** Returns the statements that a scenario can have, the most frequent first. */
    private List<LearntStatement> kept() {
        removeRare();
        long bytes = 0;
        for (LearntStatement statement : ranked()) {
            int more = statement.text().written().getBytes(StandardCharsets.UTF_8).length;
            if (bytes + more > MOST_BYTES) {
                remove(statement, "does not fit into the 700,000 bytes for all statements");
            } else {
                bytes += more;
            }
        }
        return ranked();
    }

    private List<LearntStatement> ranked() {
        return statements.values().stream()
                .sorted(Comparator.comparingLong(LearntStatement::count).reversed())
                .toList();
    }

    private void removeRare() {
        ranked().stream()
                .skip(MOST)
                .forEach(rare ->
                        remove(rare, "is too rare: of more than " + MOST + " statements, the most frequent are kept"));
    }

    private void remove(LearntStatement statement, String reason) {
        leftOut.add(reason, statement.text().written(), statement.count());
        statements.remove(statement.text());
    }

    @Override
    public void executed(LoggedStatement execution) {
        String written = execution.text().written();
        Optional<String> refusal = taken.refusal(execution.client(), written);
        if (refusal.isPresent() || LearntStatement.SampledRows.length(execution.values()) > LONGEST_ROW) {
            leftOut(refusal.orElse("has values of more than 20,000 characters"), written);
            return;
        }
        databases.merge(execution.client().database(), 1L, Long::sum);
        LearntStatement statement = statements.computeIfAbsent(
                execution.text(),
                text -> new LearntStatement(made, text, execution.effect(), SeededRandom.of(seed, made++)));
        statement.add(execution);
        hearer.accept(sessions.add(execution, statement.number()));
        if (statements.size() > 2 * MOST) {
            removeRare();
        }
    }

    @Override
    public void leftOut(String reason, String text) {
        leftOut.add(reason, text, 1);
    }

    @Override
    public void ended(String session) {
        sessions.ended(session);
    }

    @Override
    public void doubtful(long line, String what) {
        if (doubts.size() < TOLD_DOUBTS) {
            doubts.add(file + ":" + line + ": " + what);
        } else if (doubts.size() == TOLD_DOUBTS) {
            doubts.add("... and more such lines");
        }
    }

    @Override
    public void unreadable(long line, String reason) {
        problems.accept(new LineProblem(file, line, reason, true));
    }
}
