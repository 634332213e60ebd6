package siemload.run.learn;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;
import siemload.database.Plan;
import siemload.database.querylog.QueryLogListener.LoggedStatement;
import siemload.dataset.SeededRandom;
import siemload.query.Statement;
import siemload.query.StatementText;
import siemload.results.MicrosSummary;
import siemload.scenario.replay.RecordedPlan;

/** A statement of the log with all that is known of its executions then. Not thread-safe. */
final class LearntStatement {
    private static final int SIGNIFICANT_DIGITS = 3;

    private final StatementText text;
    private final Histogram times = new Histogram(SIGNIFICANT_DIGITS);
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
    }

    void add(LoggedStatement execution) {
        writes = execution.effect() == Statement.Effect.WRITES;
        times.recordValue(execution.durationMicros());
        micros += execution.durationMicros();
        preparingMicros += execution.preparingMicros();
        if (hasParameters()) {
            rows.add(execution.values());
        }
    }

    boolean hasParameters() {
        return !text.parameters().isEmpty();
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

    SampledRows rows() {
        return rows;
    }

    /** How the server went about it then. */
    LearntPlans plans() {
        return plans;
    }

    /** Whether a scenario can ask it: there are values for its parameters. */
    boolean isAskable() {
        return !hasParameters() || !rows.rows().isEmpty();
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

    /**
     * The plans that a log has of one statement, by their shapes, each with the text of the first one. Of many shapes those are kept that
     * came first. Not thread-safe.
     */
    static final class LearntPlans {
        private static final int LONGEST_TEXT = 10_000;
        private static final String CUT = "\n...";

        private final Map<String, RecordedPlan> byShape = new LinkedHashMap<>();
        private long count;
        private long characters;

        /** @param hasRoom whether there is room for one more text */
        void add(Plan plan, BooleanSupplier hasRoom) {
            count++;
            String shape = plan.shape();
            RecordedPlan known = byShape.get(shape);
            if (known != null) {
                byShape.put(shape, new RecordedPlan(shape, known.count() + 1, known.text()));
            } else if (byShape.size() < RecordedPlan.MOST) {
                String text = hasRoom.getAsBoolean() ? beginning(plan.text()) : "";
                characters += text.length() + shape.length();
                byShape.put(shape, new RecordedPlan(shape, 1, text));
            }
        }

        private static String beginning(String text) {
            return text.length() <= LONGEST_TEXT ? text : text.substring(0, LONGEST_TEXT) + CUT;
        }

        /** What is kept takes so many. */
        long characters() {
            return characters;
        }

        /** Those that are kept, the commonest first. */
        List<RecordedPlan> commonest() {
            return byShape.values().stream()
                    .sorted(Comparator.comparingLong(RecordedPlan::count).reversed())
                    .toList();
        }

        /** For people: {@code field index accounts_pkey (30 of 31), table accounts (1 of 31)}; empty where the log has none. */
        String words() {
            return commonest().stream()
                    .map(plan -> String.format(Locale.ROOT, "%s (%,d of %,d)", plan.shape(), plan.count(), count))
                    .collect(Collectors.joining(", "));
        }
    }
}
