package siemload.scenario;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import siemload.config.Choices;
import siemload.config.ValueType;
import siemload.config.YamlNode;
import siemload.query.SearchName;

/**
 * Reads an objective: {@code HAWAT1 responseTime p95 < 2s}, {@code all errorRatio <= 0.01}, {@code feeder achievedRatio >=
 * 0.99}. The first word that is wrong is reported with its column.
 */
final class ObjectiveParser {
    /** Subjects that are not one search. */
    static final List<String> WHOLE_SUBJECTS = List.of("all", "feeder");

    private static final Pattern WORD = Pattern.compile("[<>]=?|[^\\s<>]+");
    private static final List<String> TIMES =
            List.of("responseTime", "serviceTime", "firstEvent", "lastEvent", "workerWait");
    private static final String ERROR_RATIO = "errorRatio";
    private static final String ACHIEVED_RATIO = "achievedRatio";

    private static final ValueType<String> SEARCH_METRIC =
            names(Stream.concat(TIMES.stream(), Stream.of(ERROR_RATIO)).toList());
    private static final ValueType<String> FEEDER_METRIC = names(List.of(ACHIEVED_RATIO));
    private static final ValueType<String> STATISTIC =
            names(List.of("min", "mean", "p50", "p90", "p95", "p99", "p999", "max"));
    private static final ValueType<Objective.Comparison> COMPARISON = ValueType.choice(signs());
    private static final ValueType<Duration> TIME_LIMIT =
            ValueType.duration(Duration.ofNanos(1000), Duration.ofDays(1));

    private final String written;
    private final ValueType<String> subjects;
    private final List<Integer> offsets = new ArrayList<>();
    private final List<String> words = new ArrayList<>();
    private int next;

    private ObjectiveParser(String written, List<SearchName> searches) {
        this.written = written;
        this.subjects = names(Stream.concat(searches.stream().map(SearchName::name), WHOLE_SUBJECTS.stream())
                .toList());
        Matcher matcher = WORD.matcher(written);
        while (matcher.find()) {
            offsets.add(matcher.start());
            words.add(matcher.group());
        }
    }

    /**
     * The objective that is written here; nothing if it is wrong, which is then noted.
     *
     * @param searches that it can be about
     */
    static Optional<Objective> parse(YamlNode node, List<SearchName> searches) {
        ObjectiveParser parser = new ObjectiveParser(node.written(), searches);
        try {
            return parser.words.isEmpty() ? Optional.empty() : Optional.of(parser.objective());
        } catch (IllegalArgumentException e) {
            node.problemAt(parser.offset(), String.valueOf(e.getMessage()));
            return Optional.empty();
        }
    }

    private Objective objective() {
        String subject = word(subjects);
        String metric = word(subject.equals("feeder") ? FEEDER_METRIC : SEARCH_METRIC);
        boolean time = TIMES.contains(metric);
        String statistic = time ? word(STATISTIC) : "";
        Objective.Comparison comparison = word(COMPARISON);
        double limit = time ? micros(word(TIME_LIMIT)) : word(ValueType.ratio());
        if (next < words.size()) {
            throw new IllegalArgumentException("'" + words.get(next) + "' follows after the end (leave it out)");
        }
        return new Objective(written, subject, metric, statistic, comparison, limit);
    }

    private <T> T word(ValueType<T> type) {
        if (next == words.size()) {
            throw new IllegalArgumentException("ends too early (next: " + type.allowed() + ")");
        }
        T value = type.parse(words.get(next));
        next++;
        return value;
    }

    private int offset() {
        return next < words.size() ? offsets.get(next) : written.length();
    }

    private static double micros(Duration limit) {
        return limit.toNanos() / 1000.0;
    }

    private static ValueType<String> names(List<String> names) {
        return ValueType.choice(Choices.names(names));
    }

    private static Choices<Objective.Comparison> signs() {
        Map<String, Objective.Comparison> bySign = new LinkedHashMap<>();
        for (Objective.Comparison comparison : Objective.Comparison.values()) {
            bySign.put(comparison.sign(), comparison);
        }
        return new Choices<>(bySign);
    }
}
