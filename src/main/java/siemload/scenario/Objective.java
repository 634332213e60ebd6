package siemload.scenario;

import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import siemload.config.Choices;
import siemload.config.ValueType;
import siemload.config.YamlRecords.Misfit;
import siemload.query.SearchName;

/**
 * An objective of a run, for instance {@code HAWAT1 responseTime p95 < 2s} or {@code feeder achievedRatio >= 0.99}. Immutable.
 *
 * @param subject a search's name, {@code all} for all searches together, or {@code feeder}
 * @param metric {@code responseTime}, {@code serviceTime}, {@code firstEvent}, {@code lastEvent}, {@code workerWait}, {@code errorRatio},
 *     {@code achievedRatio}
 * @param statistic {@code min}, {@code mean}, {@code p50}, {@code p90}, {@code p95}, {@code p99}, {@code p999}, {@code max}; empty for
 *     ratios
 * @param comparison {@code <}, {@code <=}, {@code >} or {@code >=}: which side of the limit is good
 * @param limit microseconds for times, 0 to 1 for ratios
 */
public record Objective(String text, String subject, String metric, String statistic, String comparison, double limit) {
    /** Subjects other than single searches. */
    static final List<String> WHOLE_SUBJECTS = List.of("all", "feeder");

    private static final List<String> METRICS =
            List.of("responseTime", "serviceTime", "firstEvent", "lastEvent", "workerWait", "errorRatio");
    private static final List<String> STATISTICS = List.of("min", "mean", "p50", "p90", "p95", "p99", "p999", "max");
    private static final Pattern WORD = Pattern.compile("[<>]=?|[^\\s<>]+");
    private static final ValueType<Duration> TIME = ValueType.duration(Duration.ofNanos(1000), Duration.ofDays(1));

    /** Returns whether a value is on the good side of the limit. */
    public boolean holds(double value) {
        return switch (comparison) {
            case "<" -> value < limit;
            case "<=" -> value <= limit;
            case ">" -> value > limit;
            default -> value >= limit;
        };
    }

    /** Returns the notation of objectives for these searches; a wrong objective is reported at its first wrong word. */
    static ValueType<Objective> type(List<SearchName> searches) {
        List<String> subjects = Stream.concat(searches.stream().map(SearchName::name), WHOLE_SUBJECTS.stream())
                .toList();
        Objective any = new Objective("", "all", "errorRatio", "", "<=", 1);
        return new ValueType<>("text", any, text -> parse(ValueType.text().parse(text), subjects));
    }

    private static Objective parse(String text, List<String> subjects) {
        Matcher words = WORD.matcher(text);
        String subject = next(words, oneOf(subjects));
        String metric = next(words, oneOf(subject.equals("feeder") ? List.of("achievedRatio") : METRICS));
        boolean isTime = METRICS.contains(metric) && !metric.equals("errorRatio");
        String statistic = isTime ? next(words, oneOf(STATISTICS)) : "";
        String comparison = next(words, oneOf(List.of("<", "<=", ">", ">=")));
        double limit = isTime ? next(words, TIME).toNanos() / 1000.0 : next(words, ValueType.ratio());
        if (words.find()) {
            throw new Misfit("", words.start(), "'" + words.group() + "' comes after the objective's end (remove it)");
        }
        return new Objective(text, subject, metric, statistic, comparison, limit);
    }

    private static ValueType<String> oneOf(List<String> names) {
        return ValueType.choice(Choices.names(names));
    }

    private static <T> T next(Matcher words, ValueType<T> type) {
        if (!words.find()) {
            throw new Misfit("", words.regionEnd(), "ends too early (next: " + type.allowed() + ")");
        }
        try {
            return type.parse(words.group());
        } catch (IllegalArgumentException wrong) {
            throw new Misfit("", words.start(), String.valueOf(wrong.getMessage()));
        }
    }
}
