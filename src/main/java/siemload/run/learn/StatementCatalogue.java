package siemload.run.learn;

import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import siemload.database.querylog.LatestUsed;
import siemload.database.querylog.LoggedPlan;
import siemload.database.querylog.LoggedStatement;
import siemload.dataset.SeededRandom;
import siemload.query.StatementText;

/**
 * The different statements of a log, as many as a scenario can have. Where there are more, those that came least often go, and what is
 * left out is counted. Not thread-safe.
 */
final class StatementCatalogue {
    /** As many as a report can show. */
    static final int MOST = 200;

    private static final long MOST_CHARACTERS = 50_000_000;
    /** A scenario may have a megabyte, and there is more in it than texts. */
    static final long MOST_BYTES = 800_000;

    static final String TOO_RARE = "is too rare: of more than " + MOST + " different ones the most frequent are kept";

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
        LearntPlans plans =
                statement == null ? waiting.computeIfAbsent(plan.text(), text -> new LearntPlans()) : statement.plans();
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
