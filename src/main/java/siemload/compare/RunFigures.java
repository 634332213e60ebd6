package siemload.compare;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.stream.Collectors;
import siemload.compare.Experiment.Axis;
import siemload.compare.RunFigures.Answers;
import siemload.measure.EnvironmentRecord;
import siemload.results.FeederResult;
import siemload.results.MicrosSummary;
import siemload.results.Outcome;
import siemload.results.RunFile;
import siemload.results.RunResult;
import siemload.results.RunResult.Measurement;
import siemload.results.RunResult.PlanRecord;
import siemload.results.RunResult.SearchResult;
import siemload.results.RunResult.StepRecord;
import siemload.results.SearchKey.SearchKind;
import siemload.results.statistics.Median;

/**
 * The figures of one run that are compared. Immutable.
 *
 * @param figures the figures by subject and metric, in the units of the metrics
 * @param searches the number of searches of a subject that were answered or given up; subjects that are not searches are missing
 * @param plans the shape of the plan of each kind of search, before the load
 * @param environment the values of environment.json, by section and key
 * @param answers the checks and hashes of the answers
 * @param gaveOut the bottlenecks of the database, in words, the most important first; empty if the database was not saturated
 * @param unanswered the share of a subject's searches that got no answer, 0 to 1; for percentiles beyond that share, only a lower bound is
 *     known; subjects with a share of 0 may be missing
 * @param invalid the reasons why the run cannot be trusted; empty if it can be trusted
 */
public record RunFigures(
        Map<String, Map<String, Double>> figures,
        Map<String, Long> searches,
        Map<String, String> plans,
        Map<String, Map<String, String>> environment,
        Answers answers,
        List<String> gaveOut,
        Map<String, Double> unanswered,
        List<String> invalid) {
    /** The subject of all searches together. */
    public static final String ALL = "all";
    /** The subject of all figures of the feeder. */
    public static final String FEEDER = "feeder";

    /**
     * The checks of the answers of a run.
     *
     * @param searched whether analysts searched, so that a sample of their answers was to be checked
     * @param checked the number of answers that were compared with the events of the data set
     * @param wrong the number of compared answers that were wrong
     * @param hashes the hashes of the answers of a procedure's steps, by the name of the step
     */
    public record Answers(boolean searched, long checked, long wrong, Map<String, List<String>> hashes) {}

    /** Reads the figures of a run from its files. @throws IOException if a file is missing or broken; the message names the file */
    public static RunFigures read(Path directory) throws IOException {
        return of(RunResult.read(RunFile.RUN.in(directory)), directory);
    }

    /** Returns the figures of a run whose {@code run.json} was already read. */
    static RunFigures of(RunResult run, Path directory) throws IOException {
        return new Reader(run).figures(directory, run.steps());
    }

    /** Returns the figures of all steps with this value of a fact; if the fact is part of the steps' names, the subject is {@link #ALL}. */
    static RunFigures of(RunResult run, Path directory, String fact, String value) throws IOException {
        boolean isName = fact.equals(Axis.STEP);
        List<StepRecord> steps = run.steps().stream()
                .filter(step -> isName
                        ? step.name().equals(value)
                        : step.facts().getOrDefault(fact, "").equals(value.replace("_", "")))
                .map(step ->
                        isName || fact.equals(Axis.LEVEL) ? new StepRecord(ALL, step.facts(), step.figures()) : step)
                .toList();
        return new Reader(run).figures(directory, steps);
    }

    /** Returns one figure, if the run has this figure with enough searches. */
    public OptionalDouble figure(String subject, Metric metric) {
        Double value = figures.getOrDefault(subject, Map.of()).get(metric.name());
        return value == null || hasTooFewSearches(subject, metric) ? OptionalDouble.empty() : OptionalDouble.of(value);
    }

    /**
     * Returns whether the figure is only a bound, and the true figure may be worse, since too many searches got no answer. One search can
     * have only bounds even if the database kept up with the load as a whole.
     */
    boolean isBound(String subject, Metric metric) {
        return unanswered.getOrDefault(subject, 0.0) > metric.mayMiss();
    }

    /** Returns the searches that have this figure, but too few response times for it to count. */
    List<String> withTooFewSearches(Metric metric) {
        return figures.entrySet().stream()
                .filter(one -> one.getValue().containsKey(metric.name()) && hasTooFewSearches(one.getKey(), metric))
                .map(Map.Entry::getKey)
                .toList();
    }

    private boolean hasTooFewSearches(String subject, Metric metric) {
        return searches.getOrDefault(subject, Long.MAX_VALUE) < metric.searchesNeeded();
    }

    /** Reads the files of one run. Used by one thread. */
    private static final class Reader {
        private final RunResult run;
        private final Map<String, Map<String, Double>> figures = new TreeMap<>();
        private final Map<String, Long> searches = new TreeMap<>();
        private final Map<String, Double> unanswered = new TreeMap<>();

        private Reader(RunResult run) {
            this.run = run;
        }

        private RunFigures figures(Path directory, List<StepRecord> steps) throws IOException {
            Measurement measured = run.measured();
            measured.totals().stream()
                    .filter(total -> !total.kind().equals(SearchKind.COUNTS))
                    .forEach(total -> search(total.kind().name(), total));
            // Exact counts are compared with exact counts only, and not with searches that list events.
            measured.searches().stream()
                    .filter(search -> search.kind().page().equals(SearchKind.COUNTS.page()))
                    .forEach(count -> search(count.kind().label(), count));
            FeederResult feeder = measured.feeder();
            if (measured.generator().cpuMicrosPerSearch() > 0) {
                put(ALL, "cpuMicrosPerSearch", measured.generator().cpuMicrosPerSearch());
            }
            if (feeder.eventsPerSecond() > 0) {
                put(FEEDER, "achievedEventsPerSecond", feeder.achievedEventsPerSecond());
            }
            percentiles(FEEDER, "lateness", feeder.batches(), feeder.latenessMicros());
            var visibility = measured.visibility();
            percentiles(FEEDER, "visible", visibility.seen(), visibility.visibleMicros());
            Map<String, List<String>> hashes = steps(steps);
            List<String> invalid = new ArrayList<>(run.validity().faults());
            invalid.addAll(run.identity().interrupted() ? List.of("somebody stopped the run") : List.of());
            invalid.addAll(figures.isEmpty() ? List.of("nothing was measured") : List.of());
            Map<String, Map<String, String>> environment = new TreeMap<>();
            EnvironmentRecord.read(RunFile.ENVIRONMENT.in(directory))
                    .sections()
                    .forEach((name, section) -> environment.put(name, section.values()));
            boolean searched = !measured.searches().isEmpty();
            long checked = run.answers().answersChecked();
            return new RunFigures(
                    figures,
                    searches,
                    plans(steps),
                    environment,
                    new Answers(searched, checked, run.answers().answersWrong(), hashes),
                    run.validity().saturation().gaveOut(),
                    unanswered,
                    invalid);
        }

        private void put(String subject, String metric, double value) {
            figures.computeIfAbsent(subject, unused -> new TreeMap<>()).put(metric, value);
        }

        /** Adds the figures of a search; only searches that were answered or given up have a response time. */
        private void search(String subject, SearchResult search) {
            MicrosSummary times = search.responseTimeMicros();
            long timed = search.ok() + Outcome.givenUp(search.errors());
            if (timed > 0) {
                put(subject, "p50", (double) times.p50());
                put(subject, "p95", (double) times.p95());
                put(subject, "p99", (double) times.p99());
                put(subject, "mean", times.mean());
                put(subject, "throughput", search.ok() / run.identity().measuredSeconds());
                searches.put(subject, timed);
            }
            unanswered.put(subject, search.count() == 0 ? 0 : (double) search.ko() / search.count());
            percentiles(subject, "firstEvent", search.ok(), search.firstEventMicros());
            percentiles(subject, "lastEvent", search.ok(), search.serviceTimeMicros());
        }

        /** Adds the percentiles of a time other than the response time, in microseconds, each only if there are enough values. */
        private void percentiles(String subject, String name, long count, MicrosSummary times) {
            Map.of("P50", times.p50(), "P95", times.p95(), "P99", times.p99()).forEach((percentile, micros) -> {
                if (times.max() > 0 && count >= new Metric(name + percentile).searchesNeeded()) {
                    put(subject, name + percentile, micros);
                }
            });
        }

        /** Keeps the medians over repetitions, which are steps with the same name. Returns the hashes of the steps' answers, by name. */
        private Map<String, List<String>> steps(List<StepRecord> steps) {
            Map<String, Map<String, List<Double>>> all = new TreeMap<>();
            Map<String, List<String>> hashes = new TreeMap<>();
            for (StepRecord step : steps) {
                step.figures()
                        .forEach((figure, value) -> all.computeIfAbsent(step.name(), unused -> new TreeMap<>())
                                .computeIfAbsent(figure, unused -> new ArrayList<>())
                                .add(value));
                String hash = step.facts().getOrDefault("answersHash", "");
                if (!hash.isEmpty()) {
                    hashes.computeIfAbsent(step.name(), unused -> new ArrayList<>())
                            .add(hash);
                }
            }
            all.forEach((name, values) -> values.forEach((figure, some) -> put(name, figure, Median.of(some))));
            return hashes;
        }

        private Map<String, String> plans(List<StepRecord> steps) {
            Map<String, List<PlanRecord>> byPage = run.plans().stream()
                    .filter(plan -> plan.failure().isEmpty())
                    .collect(Collectors.groupingBy(plan ->
                            new SearchKind(plan.kind().name(), plan.kind().page(), "").label()));
            Map<String, String> plans = new TreeMap<>();
            // The name has the order only if the run has several; otherwise runs with different orders are compared.
            byPage.forEach((page, records) -> records.forEach(
                    plan -> plans.put(records.size() == 1 ? page : plan.kind().label(), plan.shape())));
            steps.stream()
                    .filter(step -> step.facts().containsKey("planShape"))
                    .forEach(step -> plans.put(step.name(), step.facts().getOrDefault("planShape", "")));
            return plans;
        }
    }
}
