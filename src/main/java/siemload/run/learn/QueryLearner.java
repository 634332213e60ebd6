package siemload.run.learn;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import siemload.config.ConfigException;
import siemload.config.Origin;
import siemload.database.querylog.LatestUsed;
import siemload.database.querylog.QueryLog;
import siemload.database.querylog.QueryLogListener;
import siemload.database.querylog.QueryLogListener.LoggedPlan;
import siemload.database.querylog.QueryLogListener.LoggedStatement;
import siemload.dataset.SeededRandom;
import siemload.dataset.recording.LineProblems;
import siemload.event.LineProblem;
import siemload.query.StatementText;
import siemload.run.learn.LearntStatement.LearntPlans;

/** Learns from logs, which it reads once, in memory that does not grow with them. Not thread-safe. */
public final class QueryLearner {
    /** How siemload calls itself to servers. */
    private static final String OWN_PROGRAM = "siemload";

    private static final int MOST_DATABASES = 1_000;

    private final Taken taken;
    private final Consumer<LoggedStatement> hearer;
    private final LeftOutStatements leftOut = new LeftOutStatements();
    private final SessionTimes sessions = new SessionTimes();
    private final StatementCatalogue statements;
    private final Map<String, Long> databases = new TreeMap<>();
    private final LineProblems problems;

    /**
     * Whose statements are taken.
     *
     * @param database may be empty where the logs have those of one alone
     * @param program as clients call themselves; all but siemload where it is empty
     * @param without those that are left out besides
     * @param writes whether those that write are taken, too
     */
    public record Taken(Optional<String> database, Optional<String> program, List<Without> without, boolean writes) {
        private static final Pattern OWN_DATABASE = Pattern.compile("siemload_(data|run|registry)_.*");

        public Taken {
            without = List.copyOf(without);
        }

        Optional<String> refusal(String itsDatabase, String itsProgram, String user, String text) {
            if (database.filter(wanted -> !wanted.equals(itsDatabase)).isPresent()) {
                return Optional.of("is of another database");
            } else if (program.filter(wanted -> !wanted.equals(itsProgram)).isPresent()) {
                return Optional.of("is of another program");
            } else if (program.isEmpty() && itsProgram.startsWith(OWN_PROGRAM)) {
                return Optional.of("is siemload's own (--program siemload takes it)");
            } else if (database.isEmpty() && OWN_DATABASE.matcher(itsDatabase).matches()) {
                return Optional.of("is of a database that siemload made (--from takes it)");
            }
            return without.stream()
                    .filter(unwanted -> unwanted.matches(itsProgram, user, text))
                    .findFirst()
                    .map(unwanted -> "matches --without '" + unwanted.written() + "'");
        }
    }

    /** Statements by their program, their user, or a part of their text; {@code *} stands for any characters, and case makes no difference. */
    public record Without(String written) {
        /** @throws IllegalArgumentException if it would match whatever comes */
        public Without {
            if (written.replace("*", "").isBlank()) {
                throw new IllegalArgumentException("'" + written
                        + "' matches every statement (needed: a program, a user or a part of a statement, where * stands for any"
                        + " characters)");
            }
        }

        private boolean matches(String program, String user, String text) {
            Pattern pattern = pattern();
            return pattern.matcher(program).matches()
                    || pattern.matcher(user).matches()
                    || pattern.matcher(text).find();
        }

        private Pattern pattern() {
            String expression =
                    Arrays.stream(written.split("\\*", -1)).map(Pattern::quote).collect(Collectors.joining(".*"));
            return Pattern.compile(expression, Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE | Pattern.DOTALL);
        }
    }

    private QueryLearner(List<Path> logs, Taken taken, long seed, Consumer<LoggedStatement> hearer) {
        this.problems = new LineProblems(logs);
        this.taken = taken;
        this.hearer = hearer;
        this.statements = new StatementCatalogue(leftOut, seed);
    }

    /**
     * Learns.
     *
     * @param logs in the order of time
     * @param reading told of each log that is begun
     * @throws ConfigException if there is nothing to learn from, or it is not clear from which database
     * @throws IOException if a log cannot be read
     */
    public static LearntQueries learn(List<Path> logs, Taken taken, long seed, Consumer<Path> reading)
            throws IOException {
        return learn(logs, taken, seed, reading, statement -> {});
    }

    /** The same, of which somebody hears all that is taken, in the order of the logs. */
    static LearntQueries learn(
            List<Path> logs, Taken taken, long seed, Consumer<Path> reading, Consumer<LoggedStatement> hearer)
            throws IOException {
        requireLogs(logs);
        QueryLearner learner = new QueryLearner(logs, taken, seed, hearer);
        Listener listener = learner.new Listener();
        QueryLog reader = new QueryLog(listener);
        long records = 0;
        for (Path log : logs) {
            reading.accept(log);
            listener.file = log;
            records += reader.read(log);
        }
        learner.requireStatements(logs, records);
        Map<String, LearntStatement> named = LearntQueries.named(learner.statements.finish());
        return new LearntQueries(
                logs, named, learner.statements.executions(), learner.sessions, learner.leftOut, learner.unreadable());
    }

    private void requireStatements(List<Path> logs, long records) {
        requireOneDatabase(logs, databases);
        if (statements.executions() == 0) {
            List<String> lines = new ArrayList<>(unreadable());
            leftOut.lines().forEach(line -> lines.add("  " + line));
            throw new ConfigException(
                    origin(logs),
                    (records == 0
                                    ? "is no log that can be read"
                                    : String.format(
                                            Locale.ROOT,
                                            "has %,d records, but no statement%s with its time and its values",
                                            records,
                                            taken.writes() ? "" : " that only reads"))
                            + " (needed: " + QueryLog.FORMATS + ")"
                            + (lines.isEmpty() ? "" : "\n" + String.join("\n", lines)));
        }
    }

    /** Makes sure that one of them at least begins as a log does. */
    private static void requireLogs(List<Path> files) throws IOException {
        for (Path file : files) {
            if (QueryLog.isOne(file)) {
                return;
            }
        }
        throw new ConfigException(origin(files), "is no log that can be read (needed: " + QueryLog.FORMATS + ")");
    }

    private static Origin origin(List<Path> files) {
        return new Origin.WholeFile(files.stream().map(Path::toString).collect(Collectors.joining(", ")));
    }

    /** @param executions in the files, by the database */
    private static void requireOneDatabase(List<Path> files, Map<String, Long> executions) {
        if (executions.size() > 1) {
            throw new ConfigException(
                    origin(files),
                    "has statements of several databases (choose one by --from): "
                            + executions.entrySet().stream()
                                    .map(found ->
                                            String.format(Locale.ROOT, "%s (%,d)", found.getKey(), found.getValue()))
                                    .collect(Collectors.joining(", ")));
        }
    }

    private List<String> unreadable() {
        return problems.lines("", LineProblem::toString);
    }

    /** Takes what is read to where it is counted. */
    private final class Listener implements QueryLogListener {
        private Path file = Path.of("");

        @Override
        public void executed(LoggedStatement statement) {
            String name = statement.database();
            String text = statement.text().written();
            Optional<String> refusal = taken.refusal(name, statement.program(), statement.user(), text);
            if (refusal.isPresent()) {
                leftOut.add(refusal.get(), text);
                return;
            }
            if (databases.containsKey(name) || databases.size() < MOST_DATABASES) {
                databases.merge(name, 1L, Long::sum);
            }
            statements.add(statement);
            sessions.add(statement);
            hearer.accept(statement);
        }

        @Override
        public void planned(LoggedPlan plan) {
            if (taken.refusal(
                            plan.database(),
                            plan.program(),
                            plan.user(),
                            plan.text().written())
                    .isEmpty()) {
                statements.planned(plan);
            }
        }

        @Override
        public boolean wantsWrites() {
            return taken.writes();
        }

        @Override
        public void leftOut(String reason, String text) {
            leftOut.add(reason, text);
        }

        @Override
        public void ended(String session) {
            sessions.ended(session);
        }

        @Override
        public void unreadable(long line, String reason) {
            problems.accept(new LineProblem(file, line, LineProblem.Severity.UNREADABLE, reason));
        }
    }

    /**
     * The different statements of a log, as many as a scenario can have. Where there are more, those that came least often go, and what is
     * left out is counted. Not thread-safe.
     */
    static final class StatementCatalogue {
        /** As many as a report can show. */
        static final int MOST = 200;

        private static final long MOST_CHARACTERS = 50_000_000;
        /** A scenario may have a megabyte, and there is more in it than texts. */
        static final long MOST_BYTES = 800_000;

        static final String TOO_RARE =
                "is too rare: of more than " + MOST + " different ones the most frequent are kept";

        static final String NO_PLACE = "has no place in a file of 1 MB";

        private static final int MOST_WAITING = 200;
        private static final long MOST_PLAN_CHARACTERS = 10_000_000;

        private final Map<StatementText, LearntStatement> statements = new LinkedHashMap<>();
        /** Plans of statements that have not come yet: the log has some before the execution. Many will never come. */
        private final Map<StatementText, LearntPlans> waiting = new LatestUsed<>(MOST_WAITING);

        private final LeftOutStatements leftOut;
        private final long seed;
        private long made;
        private long characters;
        private long executions;

        StatementCatalogue(LeftOutStatements leftOut, long seed) {
            this.leftOut = leftOut;
            this.seed = seed;
        }

        void add(LoggedStatement execution) {
            LearntStatement statement = statements.computeIfAbsent(
                    execution.text(), text -> new LearntStatement(text, SeededRandom.of(seed, made++), plans(text)));
            long before = statement.rows().characters();
            statement.add(execution);
            executions++;
            characters += statement.rows().characters() - before;
            if (statements.size() > 2 * MOST) {
                prune();
            }
            if (characters > MOST_CHARACTERS) {
                statements.values().forEach(learnt -> learnt.rows().halve());
                countCharacters();
            }
        }

        private LearntPlans plans(StatementText text) {
            LearntPlans known = waiting.remove(text);
            return known == null ? new LearntPlans() : known;
        }

        /** Takes a plan; it is kept with its statement. */
        void planned(LoggedPlan plan) {
            LearntStatement statement = statements.get(plan.text());
            LearntPlans plans = statement == null
                    ? waiting.computeIfAbsent(plan.text(), text -> new LearntPlans())
                    : statement.plans();
            plans.add(plan.plan(), () -> planCharacters() < MOST_PLAN_CHARACTERS);
        }

        private long planCharacters() {
            return Stream.concat(statements.values().stream().map(LearntStatement::plans), waiting.values().stream())
                    .mapToLong(LearntPlans::characters)
                    .sum();
        }

        private void prune() {
            ranked().stream().skip(MOST).forEach(rare -> leave(rare, TOO_RARE));
            countCharacters();
        }

        private void countCharacters() {
            characters = statements.values().stream()
                    .mapToLong(statement -> statement.rows().characters())
                    .sum();
        }

        private List<LearntStatement> ranked() {
            return statements.values().stream()
                    .sorted(Comparator.comparingLong(LearntStatement::count).reversed())
                    .toList();
        }

        /** Those that a scenario asks, the most frequent first. All others have been counted as left out then. */
        List<LearntStatement> finish() {
            prune();
            long bytes = 0;
            for (LearntStatement statement : ranked()) {
                long more = bytes(statement.text());
                if (!statement.isAskable()) {
                    leave(statement, "has values of more than 20,000 characters");
                } else if (bytes + more > MOST_BYTES) {
                    leave(statement, NO_PLACE);
                } else {
                    bytes += more;
                }
            }
            return ranked();
        }

        private void leave(LearntStatement statement, String reason) {
            leftOut.add(reason, statement.text().written(), statement.count());
            executions -= statement.count();
            statements.remove(statement.text());
        }

        /** How often those were executed that are kept. */
        long executions() {
            return executions;
        }

        /** How much a text takes in a scenario. */
        static long bytes(StatementText text) {
            return LearntScenario.quoted(text.written()).getBytes(StandardCharsets.UTF_8).length;
        }
    }
}
