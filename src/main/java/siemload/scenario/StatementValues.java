package siemload.scenario;

import java.time.Instant;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.util.List;
import siemload.dataset.SeededRandom;

/** Where the values of a statement's parameter come from; as text, since the database settles their types. Immutable. */
public sealed interface StatementValues {

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
            if (values.isEmpty()) {
                throw new IllegalArgumentException("a parameter needs at least one value");
            }
        }

        @Override
        public String draw(SeededRandom random) {
            return values.get(random.nextInt(values.size()));
        }
    }

    /** The whole numbers from the one to the other, both included. */
    record WholeNumbers(long from, long to) implements StatementValues {
        @Override
        public String draw(SeededRandom random) {
            return Long.toString(from + random.nextLong(to - from + 1));
        }
    }

    /** The days from the one to the other, both included: {@code 2024-02-29}. */
    record Days(LocalDate from, LocalDate to) implements StatementValues {
        @Override
        public String draw(SeededRandom random) {
            return from.plusDays(random.nextLong(ChronoUnit.DAYS.between(from, to) + 1))
                    .toString();
        }
    }

    /** The seconds from the one to the other, both included: {@code 2024-02-29T12:00:00Z}. */
    record Instants(Instant from, Instant to) implements StatementValues {
        @Override
        public String draw(SeededRandom random) {
            return from.plusSeconds(random.nextLong(ChronoUnit.SECONDS.between(from, to) + 1))
                    .toString();
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
