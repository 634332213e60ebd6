package siemload.compare.experiment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import siemload.compare.experiment.RunFigures.Answers;
import siemload.compare.experiment.RunFigures.Overload;
import siemload.compare.statistics.Median;
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

/**
 * Reads what runs are compared by from the files of one. Percentiles are nearest rank over the merged histograms of all page
 * classes and orders of a search, never means of percentiles. Used by one thread.
 */
public final class RunFiguresReader {
    private static final int SIGNIFICANT_DIGITS = 3;
    private static final String COUNT_CLASS = "count";

    private final Path directory;
    private final RunResult run;
    private final Map<String, Map<String, Double>> figures = new TreeMap<>();
    private final Map<String, Long> searches = new TreeMap<>();
    private final List<String> invalid;

    private RunFiguresReader(Path directory) throws IOException {
        this.directory = directory;
        this.run = RunResultFile.read(RunFile.RUN.in(directory));
        this.invalid = new ArrayList<>(run.validity().faults());
    }

    /**
     * Reads a run's directory.
     *
     * @throws IOException if a file is missing or broken; the message names it
     */
    public static RunFigures read(Path directory) throws IOException {
        RunFiguresReader reader = new RunFiguresReader(directory);
        return reader.figures(reader.run.steps());
    }

    /**
     * Reads those steps of a run of which a fact has this value; where the names of steps say it, what remains is about all.
     */
    static RunFigures read(Path directory, String fact, String value) throws IOException {
        RunFiguresReader reader = new RunFiguresReader(directory);
        return reader.figures(reader.run.steps().stream()
                .filter(step -> fact.equals(Axis.STEP)
                        ? step.name().equals(value)
                        : step.facts().getOrDefault(fact, "").equals(value.replace("_", "")))
                .map(step -> Axis.isInName(fact) ? new StepRecord(RunFigures.ALL, step.facts(), step.figures()) : step)
                .toList());
    }

    private RunFigures figures(List<StepRecord> steps) throws IOException {
        responseTimes();
        double cpuMicros = run.measured().generator().cpuMicrosPerSearch();
        if (cpuMicros > 0) {
            put(RunFigures.ALL, "cpuMicrosPerSearch", cpuMicros);
        }
        if (run.measured().feeder().eventsPerSecond() > 0) {
            double achieved = run.measured().feeder().achievedEventsPerSecond();
            put(RunFigures.FEEDER, "achievedEventsPerSecond", achieved);
        }
        otherTimes(TimeMetric.FIRST_EVENT, Metric.FIRST_EVENT);
        otherTimes(TimeMetric.SERVICE_TIME, Metric.LAST_EVENT);
        otherTimes(TimeMetric.FEEDER_LATENESS, Metric.LATENESS);
        VisibilityResult visibility = run.measured().probes().visibility();
        percentiles(RunFigures.FEEDER, Metric.VISIBLE, visibility.seen(), visibility.visibleMicros());
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
        long answered = run.measured().searches().stream()
                .mapToLong(RunFiguresReader::timed)
                .sum();
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
        long logged =
                searches.values().stream().mapToLong(Long::longValue).sum() - searches.getOrDefault(RunFigures.ALL, 0L);
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
                    ? List.of(RunFigures.FEEDER)
                    : counts ? List.of(search) : List.of(search, RunFigures.ALL);
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
                .filter(search -> subject.equals(RunFigures.ALL)
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
        Stream.concat(
                        Stream.of(RunFigures.ALL),
                        run.measured().searches().stream().map(RunFiguresReader::subject))
                .forEach(subject -> {
                    double count = sum(subject, SearchResult::count);
                    unanswered.put(subject, count == 0 ? 0 : sum(subject, SearchResult::ko) / count);
                });
        return new Overload(run.validity().saturation().gaveOut(), unanswered);
    }

    /** Steps of the same name are passes of the same thing: their median counts. */
    private void steps(List<StepRecord> steps) {
        Map<String, Map<String, List<Double>>> all = new TreeMap<>();
        steps.forEach(step -> step.figures()
                .forEach((figure, value) -> all.computeIfAbsent(step.name(), unused -> new TreeMap<>())
                        .computeIfAbsent(figure, unused -> new ArrayList<>())
                        .add(value)));
        all.forEach((name, values) -> values.forEach((figure, some) -> put(name, figure, Median.of(some))));
    }

    /** The answers of a run; of a procedure those of these steps alone. */
    private Answers answers(List<StepRecord> steps) {
        Map<String, List<String>> hashes = new TreeMap<>();
        steps.stream()
                .filter(step -> !step.facts().getOrDefault("answersHash", "").isEmpty())
                .forEach(step -> hashes.computeIfAbsent(step.name(), unused -> new ArrayList<>())
                        .add(step.facts().getOrDefault("answersHash", "")));
        return new Answers(
                !run.measured().searches().isEmpty(),
                run.answers().answersChecked(),
                run.answers().answersWrong(),
                hashes);
    }

    /** The order is named only where a run had several, so that runs of one order each stand side by side. */
    private Map<String, String> plans(List<StepRecord> steps) {
        Map<String, List<RunResult.PlanRecord>> byPage = new TreeMap<>();
        run.plans().stream()
                .filter(plan -> plan.failure().isEmpty())
                .forEach(plan -> byPage.computeIfAbsent(
                                plan.kind().name() + " " + plan.kind().page(), unused -> new ArrayList<>())
                        .add(plan));
        Map<String, String> plans = new TreeMap<>();
        byPage.forEach((page, records) -> records.forEach(
                plan -> plans.put(records.size() == 1 ? page : plan.kind().label(), plan.shape())));
        steps.stream()
                .filter(step -> !step.facts().getOrDefault("planShape", "").isEmpty())
                .forEach(step -> plans.put(step.name(), step.facts().getOrDefault("planShape", "")));
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
