package siemload.scenario;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import java.util.function.LongFunction;
import java.util.function.ToLongFunction;
import siemload.config.ValueType;
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
            if (values.isEmpty()) {
                throw new IllegalArgumentException("a parameter needs at least one value");
            }
        }

        @Override
        public String draw(SeededRandom random) {
            return values.get(random.nextInt(values.size()));
        }
    }

    /** What there is from the one to the other, both included. */
    record Range(long from, long to, Unit unit) implements StatementValues {
        /** What a range counts, and how it is written. */
        public enum Unit {
            WHOLE_NUMBER(NUMBER::parse, Long::toString),
            /** {@code 2024-02-29}. */
            DAY(text -> LocalDate.parse(text).toEpochDay(), LocalDate::ofEpochDay),
            /** {@code 2024-02-29T12:00:00Z}. */
            SECOND(Unit::second, Instant::ofEpochSecond);

            @SuppressWarnings("ImmutableEnumChecker") // Stateless.
            private final ToLongFunction<String> number;

            @SuppressWarnings("ImmutableEnumChecker")
            private final LongFunction<Object> written;

            Unit(ToLongFunction<String> number, LongFunction<Object> written) {
                this.number = number;
                this.written = written;
            }

            private static long second(String text) {
                OffsetDateTime time = OffsetDateTime.parse(text);
                if (time.getNano() > 0) {
                    throw new DateTimeException(text + " is no whole second");
                }
                return time.toEpochSecond();
            }
        }

        /** What lies between two texts of the same form; empty where they have none, or the second is below the first. */
        static Optional<Range> between(String first, String last) {
            for (Unit unit : Unit.values()) {
                try {
                    Range range = new Range(unit.number.applyAsLong(first), unit.number.applyAsLong(last), unit);
                    return Optional.of(range).filter(one -> one.from <= one.to);
                } catch (DateTimeException | IllegalArgumentException other) {
                    // Perhaps of the next form.
                }
            }
            return Optional.empty();
        }

        @Override
        public String draw(SeededRandom random) {
            return unit.written.apply(from + random.nextLong(to - from + 1)).toString();
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
