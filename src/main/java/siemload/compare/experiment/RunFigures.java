package siemload.compare.experiment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;
import siemload.compare.experiment.RunFigures.Answers;
import siemload.compare.experiment.RunFigures.Overload;
import siemload.measure.environment.EnvironmentRecord;
import siemload.results.FeederResult.VisibilityResult;
import siemload.results.LoggedInterval.LatencyLogReader;
import siemload.results.MicrosSummary;
import siemload.results.Outcome;
import siemload.results.RunFile;
import siemload.results.RunResult;
import siemload.results.RunResultFile;
import siemload.results.SearchResult;
import siemload.results.StepRecord;
import siemload.results.TimeMetric;
import siemload.results.statistics.Median;

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
     * @param asked what they asked
     * @param checked how many were held against the events of the data set
     * @param wrong those of them that were not right
     * @param hashes by the name of a step of a procedure, of all that steps of this name answered
     */
    public record Answers(boolean searched, Asked asked, long checked, long wrong, Map<String, List<String>> hashes) {
        /** The answers of a run without searches. */
        public static final Answers NONE = new Answers(false, Asked.SEARCHES, 0, 0, Map.of());

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

    /**
     * Reads what a run's files say.
     *
     * @throws IOException if a file is missing or broken; the message names it
     */
    public static RunFigures read(Path directory) throws IOException {
        Reader reader = new Reader(directory);
        return reader.figures(reader.run.steps());
    }

    /**
     * Reads those steps of a run of which a fact has this value; where the names of steps say it, what remains is about all.
     */
    static RunFigures read(Path directory, String fact, String value) throws IOException {
        Reader reader = new Reader(directory);
        List<StepRecord> steps = new ArrayList<>();
        for (StepRecord step : reader.run.steps()) {
            boolean wanted = fact.equals(Axis.STEP)
                    ? step.name().equals(value)
                    : step.facts().getOrDefault(fact, "").equals(value.replace("_", ""));
            if (wanted) {
                steps.add(Axis.isInName(fact) ? new StepRecord(ALL, step.facts(), step.figures()) : step);
            }
        }
        return reader.figures(steps);
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

    /**
     * Reads the files of one run. Percentiles are nearest rank over the merged histograms of all page classes and orders of a search,
     * never means of percentiles. Used by one thread.
     */
    private static final class Reader {
        private static final int SIGNIFICANT_DIGITS = 3;
        private static final String COUNT_CLASS = "count";

        private final Path directory;
        private final RunResult run;
        private final Map<String, Map<String, Double>> figures = new TreeMap<>();
        private final Map<String, Long> searches = new TreeMap<>();
        private final List<String> invalid;

        private Reader(Path directory) throws IOException {
            this.directory = directory;
            this.run = RunResultFile.read(RunFile.RUN.in(directory));
            this.invalid = new ArrayList<>(run.validity().faults());
        }

        private RunFigures figures(List<StepRecord> steps) throws IOException {
            responseTimes();
            double cpuMicros = run.measured().generator().cpuMicrosPerSearch();
            if (cpuMicros > 0) {
                put(ALL, "cpuMicrosPerSearch", cpuMicros);
            }
            if (run.measured().feeder().eventsPerSecond() > 0) {
                double achieved = run.measured().feeder().achievedEventsPerSecond();
                put(FEEDER, "achievedEventsPerSecond", achieved);
            }
            otherTimes(TimeMetric.FIRST_EVENT, Metric.FIRST_EVENT);
            otherTimes(TimeMetric.SERVICE_TIME, Metric.LAST_EVENT);
            otherTimes(TimeMetric.FEEDER_LATENESS, Metric.LATENESS);
            VisibilityResult visibility = run.measured().probes().visibility();
            percentiles(FEEDER, Metric.VISIBLE, visibility.seen(), visibility.visibleMicros());
            steps(steps);
            if (run.identity().interrupted()) {
                invalid.add("somebody stopped the run");
            }
            if (figures.isEmpty()) {
                invalid.add("nothing was measured");
            }
            return new RunFigures(
                    run.identity().runId(),
                    figures,
                    searches,
                    plans(steps),
                    environment(),
                    answers(steps),
                    overload(),
                    invalid);
        }

        private void put(String subject, String metric, double value) {
            figures.computeIfAbsent(subject, unused -> new TreeMap<>()).put(metric, value);
        }

        private void responseTimes() {
            long answered =
                    run.measured().searches().stream().mapToLong(Reader::timed).sum();
            Path log = RunFile.RESPONSE_TIME.in(directory);
            if (answered == 0 && !Files.exists(log)) {
                return;
            }
            try {
                times(TimeMetric.RESPONSE_TIME).forEach((subject, times) -> {
                    put(subject, "p50", (double) times.getValueAtPercentile(50));
                    put(subject, "p95", (double) times.getValueAtPercentile(95));
                    put(subject, "p99", (double) times.getValueAtPercentile(99));
                    put(subject, "mean", times.getMean());
                    put(
                            subject,
                            "throughput",
                            sum(subject, SearchResult::ok) / run.identity().measuredSeconds());
                    searches.put(subject, times.getTotalCount());
                });
            } catch (IOException unreadable) {
                invalid.add(log.getFileName() + " cannot be read: " + unreadable.getMessage());
                return;
            }
            long logged = searches.values().stream().mapToLong(Long::longValue).sum() - searches.getOrDefault(ALL, 0L);
            if (logged != answered) {
                invalid.add(log.getFileName() + " holds " + logged + " of " + answered
                        + " searches that were answered or given up");
            }
        }

        /** The searches that have a response time: those that were answered, and those that were given up. */
        private static long timed(SearchResult search) {
            return search.ok()
                    + search.errors().entrySet().stream()
                            .filter(error -> Outcome.isOfGivenUp(error.getKey()))
                            .mapToLong(Map.Entry::getValue)
                            .sum();
        }

        /** A time of searches, by search and of all together, among which exact counts are not: they are not in objectives, either. */
        private Map<String, Histogram> times(TimeMetric time) throws IOException {
            Map<String, Histogram> bySubject = new TreeMap<>();
            LatencyLogReader.read(directory, time, interval -> {
                boolean counts = interval.tag().contains("-" + COUNT_CLASS + "-");
                String search = subject(interval.search(), counts);
                List<String> subjects = time == TimeMetric.FEEDER_LATENESS
                        ? List.of(FEEDER)
                        : counts ? List.of(search) : List.of(search, ALL);
                subjects.forEach(subject -> bySubject
                        .computeIfAbsent(subject, unused -> new Histogram(SIGNIFICANT_DIGITS))
                        .add(interval.times()));
            });
            return bySubject;
        }

        /**
         * A time beside response times, in microseconds; a percentile only where enough values stand behind it. A run whose log is
         * missing has no such times.
         */
        private void otherTimes(TimeMetric time, String name) {
            if (Files.exists(time.file().in(directory))) {
                try {
                    times(time)
                            .forEach((subject, times) ->
                                    percentiles(subject, name, times.getTotalCount(), MicrosSummary.of(times)));
                } catch (IOException unreadable) {
                    invalid.add(time.file().fileName() + " cannot be read: " + unreadable.getMessage());
                }
            }
        }

        private void percentiles(String subject, String name, long count, MicrosSummary times) {
            Map.of("P50", times.p50(), "P95", times.p95(), "P99", times.p99()).forEach((percentile, micros) -> {
                Metric metric = new Metric(name + percentile);
                if (count >= metric.searchesNeeded()) {
                    put(subject, metric.name(), micros);
                }
            });
        }

        /** A count over all page classes and orders of a search, or of all searches but exact counts. */
        private double sum(String subject, ToLongFunction<SearchResult> count) {
            return run.measured().searches().stream()
                    .filter(search -> subject.equals(ALL)
                            ? !search.kind().page().equals(COUNT_CLASS)
                            : subject.equals(subject(search)))
                    .mapToLong(count)
                    .sum();
        }

        private static String subject(SearchResult search) {
            return subject(search.kind().name(), search.kind().page().equals(COUNT_CLASS));
        }

        /** Counting is another thing than listing, whatever it counts. */
        private static String subject(String search, boolean counts) {
            return counts ? search + " count" : search;
        }

        private Overload overload() {
            Map<String, Double> unanswered = new TreeMap<>();
            Set<String> subjects = new TreeSet<>(Set.of(ALL));
            run.measured().searches().forEach(search -> subjects.add(subject(search)));
            for (String subject : subjects) {
                double count = sum(subject, SearchResult::count);
                unanswered.put(subject, count == 0 ? 0 : sum(subject, SearchResult::ko) / count);
            }
            return new Overload(run.validity().saturation().gaveOut(), unanswered);
        }

        /** Steps of the same name are passes of the same thing: their median counts. */
        private void steps(List<StepRecord> steps) {
            Map<String, Map<String, List<Double>>> all = new TreeMap<>();
            for (StepRecord step : steps) {
                Map<String, List<Double>> own = all.computeIfAbsent(step.name(), unused -> new TreeMap<>());
                step.figures()
                        .forEach((figure, value) -> own.computeIfAbsent(figure, unused -> new ArrayList<>())
                                .add(value));
            }
            all.forEach((name, values) -> values.forEach((figure, some) -> put(name, figure, Median.of(some))));
        }

        /** The answers of a run; of a procedure those of these steps alone. */
        private Answers answers(List<StepRecord> steps) {
            Map<String, List<String>> hashes = new TreeMap<>();
            for (StepRecord step : steps) {
                String hash = step.facts().getOrDefault("answersHash", "");
                if (!hash.isEmpty()) {
                    hashes.computeIfAbsent(step.name(), unused -> new ArrayList<>())
                            .add(hash);
                }
            }
            return new Answers(
                    !run.measured().searches().isEmpty(),
                    run.asksStatements() ? Asked.STATEMENTS : Asked.SEARCHES,
                    run.answers().answersChecked(),
                    run.answers().answersWrong(),
                    hashes);
        }

        /** The order is named only where a run had several, so that runs of one order each stand side by side. */
        private Map<String, String> plans(List<StepRecord> steps) {
            Map<String, List<RunResult.PlanRecord>> byPage = new TreeMap<>();
            for (RunResult.PlanRecord plan : run.plans()) {
                if (plan.failure().isEmpty()) {
                    String page = plan.kind().name() + " " + plan.kind().page();
                    byPage.computeIfAbsent(page, unused -> new ArrayList<>()).add(plan);
                }
            }
            Map<String, String> plans = new TreeMap<>();
            byPage.forEach((page, records) -> records.forEach(
                    plan -> plans.put(records.size() == 1 ? page : plan.kind().label(), plan.shape())));
            for (StepRecord step : steps) {
                String shape = step.facts().getOrDefault("planShape", "");
                if (!shape.isEmpty()) {
                    plans.put(step.name(), shape);
                }
            }
            return plans;
        }

        /** Runs of programs of another kind may have none: then nothing can be said about what differed. */
        private Map<String, Map<String, String>> environment() throws IOException {
            Map<String, Map<String, String>> values = new TreeMap<>();
            EnvironmentRecord.read(RunFile.ENVIRONMENT.in(directory))
                    .sections()
                    .forEach((name, section) -> values.put(name, section.values()));
            return values;
        }
    }
}
