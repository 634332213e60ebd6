package siemload.config;

import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A condition under which a run that does harm stops itself: {@code errorRatio > 0.2 for 10s}. Immutable.
 *
 * @param limit the largest value allowed: a ratio of 0 to 1, or microseconds
 * @param window the time over which the figure is measured, up to now
 */
public record AbortCondition(String text, Figure figure, double limit, Duration window) {
    static final ValueType<List<AbortCondition>> TYPE =
            new ValueType<>("list of conditions, or never", List.of(), AbortCondition::parse);

    private static final Pattern CONDITION =
            Pattern.compile("(\\w+)\\s*>\\s*([^\\s]+)\\s+for\\s+([^\\s]+)", Pattern.CASE_INSENSITIVE);
    private static final ValueType<Duration> SLOW = ValueType.duration(Duration.ofMillis(1), Duration.ofDays(1));

    /** The figures that can be watched. */
    public enum Figure {
        /** The share of failures among the searches and the feeder's batches that ended. */
        ERROR_RATIO,
        /** Percentiles of the response times of searches that ended. */
        P50,
        P95,
        P99,
        MAX
    }

    @Override
    public String toString() {
        return text;
    }

    private static List<AbortCondition> parse(String text) {
        return text.strip().equals("never")
                ? List.of()
                : Stream.of(text.split(",", -1))
                        .map(part -> condition(part.strip()))
                        .toList();
    }

    private static AbortCondition condition(String text) {
        Matcher written = CONDITION.matcher(text);
        if (!written.matches()) {
            throw new IllegalArgumentException("'" + text + "' is not a condition (write for example errorRatio >"
                    + " 0.2 for 10s, separated by commas, or never)");
        }
        Figure figure = ValueType.choice(Choices.camelCase(Figure.class)).parse(written.group(1));
        Duration window = ValueType.duration(Duration.ofSeconds(1), Duration.ofMinutes(10))
                .parse(written.group(3));
        double limit = figure == Figure.ERROR_RATIO
                ? ValueType.ratio().parse(written.group(2))
                : SLOW.parse(written.group(2)).toNanos() / 1000.0;
        return new AbortCondition(text, figure, limit, window);
    }
}
