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
    private final LeftOutStatements leftOut = new LeftOutStatements();
    private final Map<StatementText, CountedStatement> statements = new LinkedHashMap<>();

    private CountLearner() {}

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
     * @param database whose statements are taken, as the snapshots call it; may be empty where they have those of one alone
     * @param most what statements may do to be taken
     * @throws ConfigException if there is nothing to learn from, or it is not clear from which database
     * @throws IOException that names file and line if a snapshot cannot be read
     */
    public static LearntCounts learn(
            TargetPlugin plugin, List<Path> snapshots, Optional<String> database, Statement.Effect most)
            throws IOException {
        StatementCountsReader reader = plugin.statementCounts(most).orElseThrow();
        StatementCounts counts = snapshots.size() == 1
                ? reader.upTo(snapshots.get(0))
                : reader.between(snapshots.get(0), snapshots.get(1));
        return new CountLearner().learnt(snapshots, counts, database);
    }

    private LearntCounts learnt(List<Path> snapshots, StatementCounts counts, Optional<String> database) {
        requireOneDatabase(snapshots, counts, database);
        for (StatementCounts.LeftOut out : counts.leftOut()) {
            leave(database, out.database(), out.reason(), out.text(), out.calls());
        }
        for (CountedStatement statement : counts.statements()) {
            if (isOf(database, statement.database())) {
                statements.merge(statement.text(), statement, CountedStatement::plus);
            } else {
                String written = statement.text().written();
                leave(database, statement.database(), "", written, statement.calls());
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

    private static boolean isOf(Optional<String> wanted, String database) {
        return wanted.isEmpty() || wanted.get().equals(database);
    }

    private void leave(Optional<String> wanted, String database, String reason, String text, long calls) {
        leftOut.add(isOf(wanted, database) ? reason : "is of another database", text, calls);
    }

    private static void requireOneDatabase(List<Path> snapshots, StatementCounts counts, Optional<String> database) {
        Map<String, Long> calls = new TreeMap<>();
        for (CountedStatement statement : counts.statements()) {
            if (isOf(database, statement.database())) {
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
