package siemload.scenario;

import java.time.Duration;

/** How long a wait is. Immutable. */
public sealed interface Distribution {

    /**
     * The length below which the share {@code point} of all waits lies: a random number gives a random wait.
     *
     * @param point 0 (included) to 1 (excluded)
     */
    Duration at(double point);

    /** Always the same. */
    record Constant(Duration value) implements Distribution {
        @Override
        public Duration at(double point) {
            return value;
        }
    }

    /** Memoryless with this mean; cut off at ten times the mean, which happens once in 22,000 draws. */
    record Exponential(Duration mean) implements Distribution {
        private static final double LONGEST_IN_MEANS = 10;

        @Override
        public Duration at(double point) {
            double inMeans = Math.min(-StrictMath.log(1 - point), LONGEST_IN_MEANS);
            return Duration.ofNanos((long) (mean.toNanos() * inMeans));
        }
    }

    /** Every length from {@code min} to {@code max} alike. */
    record Uniform(Duration min, Duration max) implements Distribution {
        @Override
        public Duration at(double point) {
            return min.plusNanos((long) (max.minus(min).toNanos() * point));
        }
    }
}
