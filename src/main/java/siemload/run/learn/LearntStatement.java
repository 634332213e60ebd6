package siemload.run.learn;

import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;
import siemload.database.querylog.QueryLogListener.LoggedStatement;
import siemload.dataset.SeededRandom;
import siemload.query.Statement;
import siemload.query.StatementText;

/**
 * A statement of the log with all that is known of its executions then. Not thread-safe.
 *
 * @param number tells it from others of the same logs
 * @param effect as far as its text shows it
 * @param micros how long it took then, preparation included
 * @param rows values that it was asked with
 */
record LearntStatement(int number, StatementText text, Statement.Effect effect, Histogram micros, SampledRows rows) {
    private static final int SIGNIFICANT_DIGITS = 3;

    /** One that has not been executed yet. */
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
     * A sample of the values that a statement was asked with, row by row, in which each of them is alike likely (Vitter, Random Sampling
     * with a Reservoir, 1985, algorithm R). It has as many of a frequent row as its share is. Not thread-safe.
     */
    static final class SampledRows {
        private static final int MOST_ROWS = 2_000;
        /** Of all rows that are kept: fewer are where they are long. */
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
