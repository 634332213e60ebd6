package siemload.compare.experiment;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

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
        Answers answers,
        Overload overload,
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

    /**
     * What is known of the answers of a run.
     *
     * @param searched whether analysts searched, so that a sample of their answers was to be checked
     * @param checked how many were held against the events of the data set
     * @param wrong those of them that were not right
     * @param hashes by the name of a step of a procedure, of all that steps of this name answered
     */
    public record Answers(boolean searched, long checked, long wrong, Map<String, List<String>> hashes) {
        /** The answers of a run without searches. */
        public static final Answers NONE = new Answers(false, 0, 0, Map.of());

        public Answers {
            hashes = Map.copyOf(hashes);
        }
    }

    /**
     * How the database of a run did not keep up.
     *
     * @param gaveOut what it had used up, in words, the weightiest first; empty where it kept up
     * @param unanswered the share of the searches of a subject that got no answer, 0 to 1: of percentiles of their times beyond that
     *     share it is only known that they are at least so long; subjects without one may be missing
     */
    public record Overload(List<String> gaveOut, Map<String, Double> unanswered) {
        /** Of a run whose database kept up. */
        public static final Overload NONE = new Overload(List.of(), Map.of());

        public Overload {
            gaveOut = List.copyOf(gaveOut);
            unanswered = Map.copyOf(unanswered);
        }
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
        return figures.values().stream()
                .flatMap(values -> values.keySet().stream())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** The searches that have a figure, but too few of them stand behind it. */
    List<String> withTooFewSearches(Metric metric) {
        return figures.keySet().stream()
                .filter(subject -> figures.getOrDefault(subject, Map.of()).containsKey(metric.name())
                        && hasTooFewSearches(subject, metric))
                .toList();
    }

    private boolean hasTooFewSearches(String subject, Metric metric) {
        return searches.getOrDefault(subject, Long.MAX_VALUE) < metric.searchesNeeded();
    }
}
