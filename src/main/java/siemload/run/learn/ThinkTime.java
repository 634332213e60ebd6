package siemload.run.learn;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import org.HdrHistogram.Histogram;
import siemload.config.Durations;
import siemload.scenario.Distribution;

/** Which distribution of a scenario is closest to waits that were observed. Stateless and thread-safe. */
final class ThinkTime {
    private ThinkTime() {}

    /**
     * Of constant, uniform and exponential waits with the observed mean those whose nine deciles are nearest to the observed ones, by
     * the sum of their distances. The mean decides how many statements a second come, and is kept in any case.
     *
     * @param micros observed waits; a scenario cannot say less than a microsecond
     */
    static Distribution closest(Histogram micros) {
        if (micros.getTotalCount() == 0) {
            return new Distribution.Constant(Duration.ZERO);
        }
        double mean = micros.getMean();
        double halfWidth = Math.min(mean, Math.sqrt(3) * micros.getStdDeviation());
        List<Distribution> choices = List.of(
                new Distribution.Constant(ofMicros(mean)),
                new Distribution.Uniform(ofMicros(mean - halfWidth), ofMicros(mean + halfWidth)),
                new Distribution.Exponential(ofMicros(mean)));
        return choices.stream()
                .min(Comparator.comparingDouble(choice -> distance(choice, micros)))
                .orElseThrow();
    }

    private static double distance(Distribution choice, Histogram micros) {
        double sum = 0;
        for (int decile = 1; decile <= 9; decile++) {
            double chosen = choice.at(decile / 10.0).toNanos() / 1_000.0;
            sum += Math.abs(chosen - micros.getValueAtPercentile(10.0 * decile));
        }
        return sum;
    }

    private static Duration ofMicros(double micros) {
        return Duration.ofNanos(Math.round(micros) * 1_000);
    }

    /** As a scenario writes it: {@code {distribution: exponential, mean: 100ms}}. */
    static String written(Distribution distribution) {
        if (distribution instanceof Distribution.Uniform uniform) {
            return "{distribution: uniform, min: " + Durations.format(uniform.min()) + ", max: "
                    + Durations.format(uniform.max()) + "}";
        }
        return distribution instanceof Distribution.Exponential exponential
                ? "{distribution: exponential, mean: " + Durations.format(exponential.mean()) + "}"
                : "{distribution: constant, value: " + Durations.format(distribution.mean()) + "}";
    }
}
