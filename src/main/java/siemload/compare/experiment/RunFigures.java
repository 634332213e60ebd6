package siemload.compare.experiment;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What one run measured, as far as runs are compared. Immutable.
 *
 * @param runId the run's own name
 * @param figures by subject and metric; in the units of the metrics
 * @param searches how many times of answered searches stand behind a subject; missing for subjects that are no search
 * @param plans the shape of the plan of each kind of search, as it was before the load
 * @param environment the values of environment.json, by section and key
 * @param answers what is known of what was answered
 * @param overload how the database did not keep up, if it did not
 * @param invalid why the run cannot be trusted; empty if it can
 */
public record RunFigures(
        String runId,
        Map<String, Map<String, Double>> figures,
        Map<String, Long> searches,
        Map<String, String> plans,
        Map<String, Map<String, String>> environment,
        RunAnswers answers,
        RunOverload overload,
        List<String> invalid) {
    /** The subject of all searches together. */
    public static final String ALL = "all";
    /** The subject of everything that the feeder did. */
    public static final String FEEDER = "feeder";

    public RunFigures {
        figures = Collections.unmodifiableMap(new TreeMap<>(figures));
        searches = Map.copyOf(searches);
        plans = Collections.unmodifiableMap(new TreeMap<>(plans));
        environment = Collections.unmodifiableMap(new TreeMap<>(environment));
        invalid = List.copyOf(invalid);
    }

    /** One figure, if the run has it and enough searches stand behind it. */
    public OptionalDouble figure(String subject, Metric metric) {
        Double value = figures.getOrDefault(subject, Map.of()).get(metric.name());
        return value == null || hasTooFewSearches(subject, metric) ? OptionalDouble.empty() : OptionalDouble.of(value);
    }

    /**
     * Whether of a figure it is only known that the true one is no better: so many searches got no answer that it lies among
     * their times, which end where they were given up. So it may be of one search in a run whose database kept up on the whole.
     */
    boolean isBound(String subject, Metric metric) {
        return overload.unanswered().getOrDefault(subject, 0.0) > metric.mayMiss();
    }

    /** The names of all metrics that any subject has, sorted. */
    public Set<String> metrics() {
        Set<String> metrics = new TreeSet<>();
        figures.values().forEach(values -> metrics.addAll(values.keySet()));
        return metrics;
    }

    /** The searches that have a figure, but too few of them stand behind it. */
    public List<String> withTooFewSearches(Metric metric) {
        return figures.entrySet().stream()
                .filter(subject -> subject.getValue().containsKey(metric.name()))
                .map(Map.Entry::getKey)
                .filter(subject -> hasTooFewSearches(subject, metric))
                .toList();
    }

    private boolean hasTooFewSearches(String subject, Metric metric) {
        return searches.getOrDefault(subject, Long.MAX_VALUE) < metric.searchesNeeded();
    }
}
