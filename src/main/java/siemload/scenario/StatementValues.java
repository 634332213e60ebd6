package siemload.scenario;

import java.util.List;
import siemload.config.ValueType;
import siemload.config.YamlRecords.Key;
import siemload.config.YamlRecords.Misfit;
import siemload.dataset.SeededRandom;

/** Where the values of a statement's parameter come from; as text, since the database settles their types. Immutable. */
public sealed interface StatementValues {
    /** So many that a range of them can be counted. */
    ValueType<Long> NUMBER = ValueType.wholeNumber(-(1L << 61), 1L << 61);

    /** One of them, by chance. */
    String draw(SeededRandom random);

    /**
     * These, all alike: one that stands there twice comes twice as often.
     *
     * @param values at least one
     */
    record Listed(List<String> values) implements StatementValues {
        public Listed {
            values = List.copyOf(values);
        }

        @Override
        public String draw(SeededRandom random) {
            return values.get(random.nextInt(values.size()));
        }
    }

    /** The whole numbers from the one to the other, both included. */
    record Range(
            @Key(allowed = "whole number") long from,
            @Key(allowed = "whole number") long to) implements StatementValues {
        public Range {
            if (from > to) {
                throw new Misfit("to", to + " is less than from, which is " + from);
            }
        }

        @Override
        public String draw(SeededRandom random) {
            return Long.toString(from + random.nextLong(to - from + 1));
        }
    }

    /**
     * What the database answers to a question, which is asked once before the load.
     *
     * @param query a statement without parameters that gives one column
     */
    record Asked(String query) implements StatementValues {
        /** How many rows are taken of the answer at most. */
        public static final int MOST = 10_000;

        @Override
        public String draw(SeededRandom random) {
            throw new IllegalStateException("nobody has asked: " + query);
        }
    }
}
