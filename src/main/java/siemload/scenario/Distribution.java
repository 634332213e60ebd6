package siemload.scenario;

import java.time.Duration;
import siemload.config.YamlRecords.By;
import siemload.config.YamlRecords.Key;

/** The distribution of a wait. Immutable. */
@By(
        value = "distribution",
        of = {Distribution.Exponential.class, Distribution.Constant.class})
public sealed interface Distribution {

    /**
     * The quantile: a uniform random number gives a random wait.
     *
     * @param point 0 (included) to 1 (excluded)
     */
    Duration at(double point);

    /** The mean length. */
    Duration mean();

    /**
     * The rest of a wait at a random instant: the residual life of renewal theory (Cox, Renewal Theory, 1962, chapter 5), whose density at
     * {@code r} is the share of waits longer than {@code r}, divided by their mean. Long waits are more likely to be met than short ones,
     * so that it is not simply half of a wait.
     *
     * @param point 0 (included) to 1 (excluded), as for {@link #at}
     */
    Duration remaining(double point);

    /** Each wait has the same length. */
    record Constant(
            @Key(value = "value", allowed = "0s to 1d") Duration mean) implements Distribution {
        @Override
        public Duration at(double point) {
            return mean;
        }

        @Override
        public Duration remaining(double point) {
            return nanos(mean.toNanos() * point);
        }
    }

    /** Memoryless with this mean; cut off at ten times the mean, which happens once in 22,000 draws. What is left is distributed likewise. */
    record Exponential(@Key(allowed = "0s to 1d") Duration mean) implements Distribution {
        private static final double LONGEST_IN_MEANS = 10;

        @Override
        public Duration at(double point) {
            return nanos(mean.toNanos() * Math.min(-StrictMath.log(1 - point), LONGEST_IN_MEANS));
        }

        @Override
        public Duration remaining(double point) {
            return at(point);
        }
    }

    private static Duration nanos(double nanos) {
        return Duration.ofNanos((long) nanos);
    }
}
