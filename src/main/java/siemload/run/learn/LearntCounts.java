package siemload.run.learn;

import java.nio.file.Path;
import java.util.List;
import siemload.database.CountedStatement;
import siemload.query.Statement;

/**
 * What was learnt from one or two snapshots of what a database counts of statements. Immutable.
 *
 * @param snapshots that were read: one, or the earlier and the later one
 * @param statements the most frequent first
 * @param calls of these statements
 * @param notes what must be known of the counts, for people, a line each
 */
public record LearntCounts(
        List<Path> snapshots, List<NamedCounts> statements, long calls, LeftOutStatements leftOut, List<String> notes) {
    public LearntCounts {
        snapshots = List.copyOf(snapshots);
        statements = List.copyOf(statements);
        notes = List.copyOf(notes);
    }

    /**
     * A statement with the name that it gets.
     *
     * @param name a name of a search
     */
    record NamedCounts(String name, CountedStatement statement) {}

    /** How many of the statements may change data. */
    long writing() {
        return statements.stream().filter(LearntCounts::writes).count();
    }

    static boolean writes(NamedCounts named) {
        return named.statement().effect() == Statement.Effect.WRITES;
    }

    /** How many of the statements have parameters, of which no value is known. */
    long withoutValues() {
        return statements.stream()
                .filter(named -> !named.statement().text().parameters().isEmpty())
                .count();
    }

    /** How long the server worked on all of them, in microseconds. */
    double micros() {
        return statements.stream()
                .mapToDouble(named -> named.statement().micros())
                .sum();
    }

    /** The share of a statement among all calls; 0 to 1. */
    double callRatio(NamedCounts named) {
        return (double) named.statement().calls() / calls;
    }
}
