package siemload.run.learn;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import siemload.config.ConfigException;
import siemload.database.CountedStatement;
import siemload.database.StatementCounts;
import siemload.database.StatementCountsReader;
import siemload.database.TargetPlugin;
import siemload.query.Statement;
import siemload.query.StatementText;

/** Learns from snapshots of what a database counts of statements. Not thread-safe. */
public final class CountLearner {
    private final QueryLearner.Taken taken;
    private final LeftOutStatements leftOut = new LeftOutStatements();
    private final Map<StatementText, CountedStatement> statements = new LinkedHashMap<>();

    private CountLearner(QueryLearner.Taken taken) {
        this.taken = taken;
    }

    /**
     * Whether these files are snapshots.
     *
     * @throws ConfigException if some are and others are not, or there are more than two
     * @throws IOException if a file cannot be read
     */
    public static boolean areSnapshots(TargetPlugin plugin, List<Path> files) throws IOException {
        Optional<StatementCountsReader> reader = plugin.statementCounts(Statement.Effect.READS);
        List<Path> snapshots = new ArrayList<>();
        for (Path file : files) {
            if (reader.isPresent() && reader.get().isSnapshot(file)) {
                snapshots.add(file);
            }
        }
        if (!snapshots.isEmpty() && snapshots.size() < files.size()) {
            throw new ConfigException(
                    LearntSources.origin(snapshots),
                    "is a snapshot of counts, which cannot be read beside logs (read them one after the other)");
        }
        if (snapshots.size() > 2) {
            throw new ConfigException(
                    LearntSources.origin(snapshots),
                    "are " + snapshots.size()
                            + " snapshots (allowed: one, or two to take what was counted in between)");
        }
        return !snapshots.isEmpty();
    }

    /**
     * Learns.
     *
     * @param snapshots one, or the earlier and the later one
     * @param taken whose statements are taken; snapshots tell neither programs nor users
     * @throws ConfigException if there is nothing to learn from, or it is not clear from which database
     * @throws IOException that names file and line if a snapshot cannot be read
     */
    public static LearntCounts learn(TargetPlugin plugin, List<Path> snapshots, QueryLearner.Taken taken)
            throws IOException {
        StatementCountsReader reader = plugin.statementCounts(
                        taken.writes() ? Statement.Effect.WRITES : Statement.Effect.READS)
                .orElseThrow();
        StatementCounts counts = snapshots.size() == 1
                ? reader.upTo(snapshots.get(0))
                : reader.between(snapshots.get(0), snapshots.get(1));
        return new CountLearner(taken).learnt(snapshots, counts);
    }

    private LearntCounts learnt(List<Path> snapshots, StatementCounts counts) {
        requireOneDatabase(snapshots, counts);
        for (StatementCounts.LeftOut out : counts.leftOut()) {
            leftOut.add(refusal(out.database(), out.text()).orElse(out.reason()), out.text(), out.calls());
        }
        for (CountedStatement statement : counts.statements()) {
            Optional<String> refusal = refusal(statement);
            if (refusal.isEmpty()) {
                statements.merge(statement.text(), statement, CountedStatement::plus);
            } else {
                leave(statement, refusal.get());
            }
        }
        List<CountedStatement> kept = kept();
        requireStatements(snapshots, kept);
        return new LearntCounts(
                snapshots,
                named(kept),
                kept.stream().mapToLong(CountedStatement::calls).sum(),
                leftOut,
                counts.notes());
    }

    private Optional<String> refusal(CountedStatement statement) {
        return refusal(statement.database(), statement.text().written());
    }

    private Optional<String> refusal(String database, String text) {
        return taken.refusal(database, "", "", text);
    }

    private void requireOneDatabase(List<Path> snapshots, StatementCounts counts) {
        Map<String, Long> calls = new TreeMap<>();
        for (CountedStatement statement : counts.statements()) {
            if (refusal(statement).isEmpty()) {
                calls.merge(statement.database(), statement.calls(), Long::sum);
            }
        }
        LearntSources.requireOneDatabase(snapshots, calls);
    }

    /** The most frequent ones, as many as a scenario can have. */
    private List<CountedStatement> kept() {
        List<CountedStatement> kept = new ArrayList<>();
        long bytes = 0;
        List<CountedStatement> ranked = statements.values().stream()
                .sorted(Comparator.comparingLong(CountedStatement::calls).reversed())
                .toList();
        for (CountedStatement statement : ranked) {
            long more = StatementCatalogue.bytes(statement.text());
            if (kept.size() == StatementCatalogue.MOST) {
                leave(statement, StatementCatalogue.TOO_RARE);
            } else if (bytes + more > StatementCatalogue.MOST_BYTES) {
                leave(statement, StatementCatalogue.NO_PLACE);
            } else {
                kept.add(statement);
                bytes += more;
            }
        }
        return kept;
    }

    private void leave(CountedStatement statement, String reason) {
        leftOut.add(reason, statement.text().written(), statement.calls());
    }

    private void requireStatements(List<Path> snapshots, List<CountedStatement> kept) {
        if (kept.isEmpty()) {
            throw new ConfigException(
                    LearntSources.origin(snapshots),
                    "has no statement that can be asked again and was executed"
                            + (snapshots.size() > 1 ? " between the two" : "")
                            + leftOut.lines().stream()
                                    .map(line -> "\n  " + line)
                                    .collect(Collectors.joining()));
        }
    }

    private static List<LearntCounts.NamedCounts> named(List<CountedStatement> kept) {
        List<String> names =
                NamedStatement.names(kept.stream().map(CountedStatement::text).toList());
        List<LearntCounts.NamedCounts> named = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            named.add(new LearntCounts.NamedCounts(names.get(i), kept.get(i)));
        }
        return named;
    }
}
