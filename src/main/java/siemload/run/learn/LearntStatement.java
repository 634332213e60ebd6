package siemload.run.learn;

import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;
import siemload.database.querylog.LoggedStatement;
import siemload.dataset.SeededRandom;
import siemload.query.Statement;
import siemload.query.StatementText;
import siemload.results.MicrosSummary;

/** A statement of the log with all that is known of its executions then. Not thread-safe. */
final class LearntStatement {
    private static final int SIGNIFICANT_DIGITS = 3;

    private final StatementText text;
    private final Histogram times = new Histogram(SIGNIFICANT_DIGITS);
    private final List<ParameterValues> parameters = new ArrayList<>();
    private final SampledRows rows;
    private final LearntPlans plans;
    private long preparingMicros;
    private long micros;
    private boolean writes;

    /** @param plans those that the log has of it */
    LearntStatement(StatementText text, SeededRandom random, LearntPlans plans) {
        this.text = text;
        this.plans = plans;
        this.rows = new SampledRows(random);
        text.parameters().forEach(parameter -> parameters.add(new ParameterValues()));
    }

    void add(LoggedStatement execution) {
        writes = execution.effect() == Statement.Effect.WRITES;
        times.recordValue(execution.durationMicros());
        micros += execution.durationMicros();
        preparingMicros += execution.preparingMicros();
        if (!parameters.isEmpty()) {
            rows.add(execution.values());
            for (int i = 0; i < parameters.size(); i++) {
                parameters.get(i).add(execution.values().get(i));
            }
        }
    }

    StatementText text() {
        return text;
    }

    /** Whether it may change data, as far as its text shows that. */
    boolean writes() {
        return writes;
    }

    long count() {
        return times.getTotalCount();
    }

    /** How long it took then, preparation included. */
    MicrosSummary times() {
        return MicrosSummary.of(times);
    }

    /** The share of its time in which it was parsed, bound and planned; 0 to 1. */
    double preparingRatio() {
        return micros == 0 ? 0 : (double) preparingMicros / micros;
    }

    /** In the order of the text's parameters. */
    List<ParameterValues> parameters() {
        return List.copyOf(parameters);
    }

    SampledRows rows() {
        return rows;
    }

    /** How the server went about it then. */
    LearntPlans plans() {
        return plans;
    }

    /** Whether a scenario can ask it: there are values for its parameters. */
    boolean isAskable() {
        return parameters.isEmpty() || !rows.rows().isEmpty();
    }

    /**
     * A sample of the values that a statement was asked with, row by row, in which each of them is alike likely (Vitter, Random Sampling
     * with a Reservoir, 1985, algorithm R). It has as many of a frequent row as its share is. Not thread-safe.
     */
    static final class SampledRows {
        private static final int MOST_ROWS = 2_000;
        private static final int MOST_CHARACTERS = 8_000_000;
        private static final int LONGEST_ROW = 20_000;

        private final SeededRandom random;
        private final List<List<String>> rows = new ArrayList<>();
        private int capacity = MOST_ROWS;
        private long seen;
        private long tooLong;
        private long characters;

        SampledRows(SeededRandom random) {
            this.random = random;
        }

        /** Notes a row; one of too many characters is counted and not kept. */
        void add(List<String> row) {
            if (length(row) > LONGEST_ROW) {
                tooLong++;
                return;
            }
            seen++;
            if (rows.size() < capacity) {
                rows.add(row);
                characters += length(row);
            } else {
                long place = random.nextLong(seen);
                if (place < capacity) {
                    List<String> replaced = rows.set((int) place, row);
                    characters += length(row) - length(replaced);
                }
            }
            if (characters > MOST_CHARACTERS) {
                halve();
            }
        }

        /** Keeps half of the rows, each of them alike likely. */
        void halve() {
            capacity = Math.max(1, capacity / 2);
            while (rows.size() > capacity) {
                int place = random.nextInt(rows.size());
                List<String> last = rows.remove(rows.size() - 1);
                List<String> removed = place < rows.size() ? rows.set(place, last) : last;
                characters -= length(removed);
            }
        }

        /** How many characters the rows have that are kept. */
        long characters() {
            return characters;
        }

        /** How many rows were too long to be kept. */
        long tooLong() {
            return tooLong;
        }

        List<List<String>> rows() {
            return List.copyOf(rows);
        }

        private static long length(List<String> row) {
            long length = 0;
            for (String value : row) {
                length += value.length();
            }
            return length;
        }
    }
}
