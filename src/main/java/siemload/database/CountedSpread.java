package siemload.database;

import java.util.OptionalDouble;
import java.util.function.DoubleBinaryOperator;

/**
 * How far the times of executions lie apart that a database has counted without keeping them. Immutable.
 *
 * @param squares the sum of the squared times, in squared microseconds; empty where it is not known, as the others are
 * @param minMicros the shortest one
 * @param maxMicros the longest one
 */
public record CountedSpread(OptionalDouble squares, OptionalDouble minMicros, OptionalDouble maxMicros) {
    /** Nothing is known. */
    public static final CountedSpread UNKNOWN =
            new CountedSpread(OptionalDouble.empty(), OptionalDouble.empty(), OptionalDouble.empty());

    /** The sum of the squares of so many times with this mean and this standard deviation (of all of them, not estimated). */
    public static double squares(long calls, double meanMicros, double stddevMicros) {
        return calls * (stddevMicros * stddevMicros + meanMicros * meanMicros);
    }

    /** Of both together. */
    public CountedSpread plus(CountedSpread other) {
        return new CountedSpread(
                both(squares, other.squares, Double::sum),
                both(minMicros, other.minMicros, Math::min),
                both(maxMicros, other.maxMicros, Math::max));
    }

    /**
     * Of what was counted since another one, which this one goes on from. The shortest and the longest time are known where they are
     * new: where the old ones still stand, nobody knows how close the new executions came to them.
     */
    public CountedSpread since(CountedSpread earlier) {
        return new CountedSpread(
                both(squares, earlier.squares, (now, then) -> now - then),
                minMicros.isPresent() && minMicros.getAsDouble() < earlier.minMicros.orElse(0)
                        ? minMicros
                        : OptionalDouble.empty(),
                maxMicros.isPresent() && maxMicros.getAsDouble() > earlier.maxMicros.orElse(Double.POSITIVE_INFINITY)
                        ? maxMicros
                        : OptionalDouble.empty());
    }

    private static OptionalDouble both(OptionalDouble one, OptionalDouble other, DoubleBinaryOperator operator) {
        return one.isPresent() && other.isPresent()
                ? OptionalDouble.of(operator.applyAsDouble(one.getAsDouble(), other.getAsDouble()))
                : OptionalDouble.empty();
    }

    /**
     * The standard deviation.
     *
     * @param calls 1 or more
     * @param micros all times together
     * @return empty also where rounding of the sums has left nothing of it
     */
    public OptionalDouble stddevMicros(long calls, double micros) {
        double mean = micros / calls;
        double variance = squares.orElse(Double.NaN) / calls - mean * mean;
        return calls == 1 && squares.isPresent()
                ? OptionalDouble.of(0)
                : variance >= 0 ? OptionalDouble.of(Math.sqrt(variance)) : OptionalDouble.empty();
    }
}
