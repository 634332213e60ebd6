package siemload.scenario;

import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import siemload.config.Choices;
import siemload.config.ValueType;
import siemload.query.SearchName;

/**
 * One thing a run is held to, for instance {@code HAWAT1 responseTime p95 < 2s} or {@code feeder achievedRatio >= 0.99}.
 * Immutable.
 *
 * @param text the objective as it was written
 * @param subject a search's name, {@code all} for all searches together, or {@code feeder}
 * @param metric {@code responseTime}, {@code serviceTime}, {@code firstEvent}, {@code lastEvent}, {@code workerWait},
 *     {@code errorRatio}, {@code achievedRatio}
 * @param statistic {@code min}, {@code mean}, {@code p50}, {@code p90}, {@code p95}, {@code p99}, {@code p999},
 *     {@code max}; empty for ratios
 * @param comparison which side of the limit is good
 * @param limit microseconds for times, 0 to 1 for ratios
 */
public record Objective(
        String text, String subject, String metric, String statistic, Comparison comparison, double limit) {
    /** Subjects that are not one search. */
    static final List<String> WHOLE_SUBJECTS = List.of("all", "feeder");

    private static final List<String> TIMES =
            List.of("responseTime", "serviceTime", "firstEvent", "lastEvent", "workerWait");

    /** The comparisons an objective can make. */
    public enum Comparison {
        BELOW("<"),
        AT_MOST("<="),
        ABOVE(">"),
        AT_LEAST(">=");

        private final String sign;

        Comparison(String sign) {
            this.sign = sign;
        }

        /** How it is written. */
        public String sign() {
            return sign;
        }

        /** Whether the value is on the good side. */
        public boolean holds(double value, double limit) {
            return switch (this) {
                case BELOW -> value < limit;
                case AT_MOST -> value <= limit;
                case ABOVE -> value > limit;
                case AT_LEAST -> value >= limit;
            };
        }
    }

    /**
     * How objectives are written; a wrong one is told at its first wrong word.
     *
     * @param searches that they can be about
     */
    static ValueType<Objective> type(List<SearchName> searches) {
        Objective any = new Objective("", "all", "errorRatio", "", Comparison.AT_MOST, 1);
        return ValueType.of("text", any, text -> {
            Words words = new Words(ValueType.text().parse(text));
            try {
                return words.objective(searches);
            } catch (IllegalArgumentException wrong) {
                throw new ValueType.WrongPlace(words.offset, String.valueOf(wrong.getMessage()));
            }
        });
    }

    /** Takes one after the other. */
    private static final class Words {
        private static final Pattern WORD = Pattern.compile("[<>]=?|[^\\s<>]+");

        private final String written;
        private final Matcher matcher;
        /** Of the last one; the length of the text where there was none any more. */
        private int offset;

        Words(String written) {
            this.written = written;
            this.matcher = WORD.matcher(written);
        }

        Objective objective(List<SearchName> searches) {
            String subject = oneOf(Stream.concat(searches.stream().map(SearchName::name), WHOLE_SUBJECTS.stream()));
            String metric = oneOf(
                    subject.equals("feeder")
                            ? Stream.of("achievedRatio")
                            : Stream.concat(TIMES.stream(), Stream.of("errorRatio")));
            boolean time = TIMES.contains(metric);
            String statistic = time ? oneOf(Stream.of("min", "mean", "p50", "p90", "p95", "p99", "p999", "max")) : "";
            Comparison comparison = next(ValueType.choice(Choices.of(Comparison.class, Comparison::sign)));
            double limit = time
                    ? next(ValueType.duration(Duration.ofNanos(1000), Duration.ofDays(1)))
                                    .toNanos()
                            / 1000.0
                    : next(ValueType.ratio());
            if (isFound()) {
                throw new IllegalArgumentException("'" + matcher.group() + "' follows after the end (leave it out)");
            }
            return new Objective(written, subject, metric, statistic, comparison, limit);
        }

        private String oneOf(Stream<String> names) {
            return next(ValueType.choice(Choices.names(names.toList())));
        }

        private <T> T next(ValueType<T> type) {
            if (!isFound()) {
                throw new IllegalArgumentException("ends too early (next: " + type.allowed() + ")");
            }
            return type.parse(matcher.group());
        }

        private boolean isFound() {
            boolean isFound = matcher.find();
            offset = isFound ? matcher.start() : written.length();
            return isFound;
        }
    }
}
